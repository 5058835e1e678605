// The functions of a checkout of simdutf that the benchmarks call, with C names, for simdutf.rs.

#include "simdutf.cpp"

#define CONVERT(NAME, FROM, TO) \
    extern "C" size_t checkout_##NAME(const FROM *from, size_t len, TO *to) { \
        return simdutf::NAME(from, len, to); \
    }
#define VALIDATE(NAME, FROM) \
    extern "C" bool checkout_##NAME(const FROM *from, size_t len) { \
        return simdutf::NAME(from, len); \
    }

CONVERT(convert_utf8_to_utf16le, char, char16_t)
CONVERT(convert_utf8_to_utf16be, char, char16_t)
CONVERT(convert_utf8_to_utf32, char, char32_t)
CONVERT(convert_utf8_to_latin1, char, char)
CONVERT(convert_utf16le_to_utf8, char16_t, char)
CONVERT(convert_utf16be_to_utf8, char16_t, char)
CONVERT(convert_utf16le_to_utf32, char16_t, char32_t)
CONVERT(convert_utf32_to_utf8, char32_t, char)
CONVERT(convert_utf32_to_utf16le, char32_t, char16_t)
CONVERT(convert_latin1_to_utf8, char, char)
CONVERT(convert_latin1_to_utf16le, char, char16_t)
VALIDATE(validate_utf8, char)
VALIDATE(validate_utf16le, char16_t)
VALIDATE(validate_utf32, char32_t)

extern "C" size_t checkout_change_endianness_utf16(const char16_t *from, size_t len, char16_t *to) {
    simdutf::change_endianness_utf16(from, len, to);
    return len;
}

/* Prints what an iconv or ICU reads and writes, in the form of examples/charset_table, so that the two are compared.
 *
 *     charset_oracle iconv                         the iconv of the C library
 *     charset_oracle iconv libiconv.so.2           another one, by the path of its library
 *     charset_oracle icu libicuuc.so.72            ICU
 *
 * Requests and answers are those of examples/charset_table; only the name in the answer is that of the request.
 * Nothing is transliterated: iconv is not asked to, and the fallbacks of ICU are turned off.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The bytes of the longest sequence, alone and after a shift. */
enum { LONGEST = 4, LONGEST_SHIFTED = 2, ROOM = 4096 };
enum result { TEXT, INCOMPLETE, NOTHING };

struct lines {
    char *bytes;
    size_t len, room;
};

static void need(struct lines *lines, size_t more) {
    if (lines->len + more <= lines->room) return;
    lines->room = (lines->len + more) * 2;
    lines->bytes = realloc(lines->bytes, lines->room);
    if (!lines->bytes) abort();
}

static void add_hex(struct lines *lines, const uint8_t *bytes, size_t len) {
    static const char digits[] = "0123456789ABCDEF";
    need(lines, 2 * len);
    for (size_t i = 0; i < len; i++) {
        lines->bytes[lines->len++] = digits[bytes[i] >> 4];
        lines->bytes[lines->len++] = digits[bytes[i] & 15];
    }
}

static void add_code_points(struct lines *lines, const uint32_t *cps, size_t len) {
    need(lines, 10 * len);
    for (size_t i = 0; i < len; i++)
        lines->len += (size_t)sprintf(lines->bytes + lines->len, i ? "+%X" : "%X", (unsigned)cps[i]);
}

static void add_char(struct lines *lines, char c) {
    need(lines, 1);
    lines->bytes[lines->len++] = c;
}

/* ---- The two libraries ------------------------------------------------------------------------------------------- */

static int (*open_charset)(const char *name);
static void (*close_charset)(void);
/* Each starts in the initial state and, if it converts everything, ends in it. */
static enum result (*decode)(const uint8_t *bytes, size_t len, uint32_t *cps, size_t *count);
static int (*encode)(const uint32_t *cps, size_t count, uint8_t *bytes, size_t *len);

static void *library;

static void *function(const char *prefix, const char *name, const char *suffix) {
    char whole[100];
    snprintf(whole, sizeof whole, "%s%s%s", prefix, name, suffix);
    void *found = dlsym(library, whole);
    if (!found && *prefix) found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "charset_oracle: the library has no %s\n", whole);
        exit(2);
    }
    return found;
}

typedef void *iconv_t;
static iconv_t (*p_iconv_open)(const char *, const char *);
static size_t (*p_iconv)(iconv_t, char **, size_t *, char **, size_t *);
static int (*p_iconv_close)(iconv_t);
static iconv_t reading, writing;
#define NO_ICONV ((iconv_t)-1)

static int open_iconv(const char *name) {
    reading = p_iconv_open("UCS-4LE", name);
    writing = p_iconv_open(name, "UCS-4LE");
    return reading != NO_ICONV && writing != NO_ICONV;
}

static void close_iconv(void) {
    if (reading != NO_ICONV) p_iconv_close(reading);
    if (writing != NO_ICONV) p_iconv_close(writing);
}

static enum result run_iconv(iconv_t cd, const void *in, size_t in_len, void *out, size_t *out_len) {
    char *from = (char *)in, *to = out;
    size_t room = *out_len, left = room;
    p_iconv(cd, NULL, NULL, NULL, NULL);
    size_t done = p_iconv(cd, &from, &in_len, &to, &left);
    enum result result = TEXT;
    if (done == (size_t)-1)
        result = errno == EINVAL ? INCOMPLETE : NOTHING;
    else if (done > 0 || p_iconv(cd, NULL, NULL, &to, &left) == (size_t)-1)
        result = NOTHING; /* Converted to something else. */
    *out_len = room - left;
    return result == TEXT && *out_len == 0 ? NOTHING : result;
}

static enum result decode_iconv(const uint8_t *bytes, size_t len, uint32_t *cps, size_t *count) {
    size_t room = *count * sizeof *cps;
    enum result result = run_iconv(reading, bytes, len, cps, &room);
    *count = room / sizeof *cps;
    return result;
}

static int encode_iconv(const uint32_t *cps, size_t count, uint8_t *bytes, size_t *len) {
    return run_iconv(writing, cps, count * sizeof *cps, bytes, len) == TEXT;
}

typedef void UConverter;
static UConverter *converter;
static UConverter *(*p_ucnv_open)(const char *, int *);
static void (*p_ucnv_close)(UConverter *);
static void (*p_ucnv_reset)(UConverter *);
static void (*p_ucnv_setFallback)(UConverter *, int8_t);
static void (*p_ucnv_setToUCallBack)(UConverter *, void *, const void *, void *, void *, int *);
static void (*p_ucnv_setFromUCallBack)(UConverter *, void *, const void *, void *, void *, int *);
static void (*p_ucnv_toUnicode)(UConverter *, uint16_t **, const uint16_t *, const char **, const char *, int32_t *,
                                int8_t, int *);
static void (*p_ucnv_fromUnicode)(UConverter *, char **, const char *, const uint16_t **, const uint16_t *, int32_t *,
                                  int8_t, int *);
static void *to_u_stop, *from_u_stop;
enum { U_TRUNCATED_CHAR_FOUND = 11 };

static int open_icu(const char *name) {
    int error = 0;
    converter = p_ucnv_open(name, &error);
    if (error > 0) return 0;
    p_ucnv_setFallback(converter, 0);
    p_ucnv_setToUCallBack(converter, to_u_stop, NULL, NULL, NULL, &error);
    p_ucnv_setFromUCallBack(converter, from_u_stop, NULL, NULL, NULL, &error);
    return error <= 0;
}

static void close_icu(void) {
    if (converter) p_ucnv_close(converter);
    converter = NULL;
}

static enum result decode_icu(const uint8_t *bytes, size_t len, uint32_t *cps, size_t *count) {
    uint16_t units[ROOM], *to = units;
    const char *from = (const char *)bytes;
    int error = 0;
    p_ucnv_reset(converter);
    p_ucnv_toUnicode(converter, &to, units + ROOM, &from, from + len, NULL, 1, &error);
    if (error == U_TRUNCATED_CHAR_FOUND) return INCOMPLETE;
    if (error > 0 || to == units) return NOTHING;
    *count = 0;
    for (const uint16_t *unit = units; unit < to; unit++) {
        uint32_t cp = *unit;
        if ((cp & 0xFC00) == 0xD800 && unit + 1 < to && (unit[1] & 0xFC00) == 0xDC00)
            cp = 0x10000 + ((cp & 0x3FF) << 10) + (*++unit & 0x3FF);
        cps[(*count)++] = cp;
    }
    return TEXT;
}

static int encode_icu(const uint32_t *cps, size_t count, uint8_t *bytes, size_t *len) {
    uint16_t units[ROOM], *end = units;
    for (size_t i = 0; i < count; i++) {
        if (cps[i] > 0xFFFF) *end++ = (uint16_t)(0xD7C0 + (cps[i] >> 10));
        *end++ = (uint16_t)(cps[i] > 0xFFFF ? 0xDC00 + (cps[i] & 0x3FF) : cps[i]);
    }
    const uint16_t *from = units;
    char *to = (char *)bytes;
    int error = 0;
    p_ucnv_reset(converter);
    p_ucnv_fromUnicode(converter, &to, to + *len, &from, end, NULL, 1, &error);
    *len = (size_t)(to - (char *)bytes);
    return error <= 0 && *len > 0;
}

static void use(const char *kind, const char *path) {
    library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : RTLD_DEFAULT;
    if (path && !library) {
        fprintf(stderr, "charset_oracle: %s\n", dlerror());
        exit(2);
    }
    if (!strcmp(kind, "iconv")) {
        const char *prefix = path ? "lib" : "";
        p_iconv_open = function(prefix, "iconv_open", "");
        p_iconv = function(prefix, "iconv", "");
        p_iconv_close = function(prefix, "iconv_close", "");
        open_charset = open_iconv, close_charset = close_iconv, decode = decode_iconv, encode = encode_iconv;
        return;
    }
    /* Its functions end in the version, as its file does. */
    const char *version = path ? strstr(path, ".so.") : NULL;
    char suffix[20] = "";
    if (version) snprintf(suffix, sizeof suffix, "_%d", atoi(version + 4));
    p_ucnv_open = function("", "ucnv_open", suffix);
    p_ucnv_close = function("", "ucnv_close", suffix);
    p_ucnv_reset = function("", "ucnv_reset", suffix);
    p_ucnv_setFallback = function("", "ucnv_setFallback", suffix);
    p_ucnv_setToUCallBack = function("", "ucnv_setToUCallBack", suffix);
    p_ucnv_setFromUCallBack = function("", "ucnv_setFromUCallBack", suffix);
    p_ucnv_toUnicode = function("", "ucnv_toUnicode", suffix);
    p_ucnv_fromUnicode = function("", "ucnv_fromUnicode", suffix);
    to_u_stop = function("", "UCNV_TO_U_CALLBACK_STOP", suffix);
    from_u_stop = function("", "UCNV_FROM_U_CALLBACK_STOP", suffix);
    open_charset = open_icu, close_charset = close_icu, decode = decode_icu, encode = encode_icu;
}

/* ---- The tables -------------------------------------------------------------------------------------------------- */

static struct lines read_lines, written_lines;
/* What several code points were read as, each once. */
static struct sequence {
    uint32_t cps[8];
    size_t count;
} *sequences;
static size_t sequences_len, sequences_room;

static void add_sequence(const uint32_t *cps, size_t count) {
    struct sequence new = {{0}, count};
    if (count > 8) return;
    memcpy(new.cps, cps, count * sizeof *cps);
    for (size_t i = 0; i < sequences_len; i++)
        if (!memcmp(&sequences[i], &new, sizeof new)) return;
    if (sequences_len == sequences_room) {
        sequences_room = sequences_room * 2 + 64;
        sequences = realloc(sequences, sequences_room * sizeof new);
        if (!sequences) abort();
    }
    sequences[sequences_len++] = new;
}

static enum result add_read(const uint8_t *bytes, size_t len) {
    uint32_t cps[ROOM];
    size_t count = ROOM;
    enum result result = decode(bytes, len, cps, &count);
    if (result != TEXT) return result;
    add_hex(&read_lines, bytes, len);
    add_char(&read_lines, ' ');
    add_code_points(&read_lines, cps, count);
    add_char(&read_lines, '\n');
    if (count > 1) add_sequence(cps, count);
    return result;
}

static void read_after(uint8_t *bytes, size_t len, size_t most) {
    for (int byte = 0; byte < 256; byte++) {
        bytes[len] = (uint8_t)byte;
        if (add_read(bytes, len + 1) == INCOMPLETE && most > 1) read_after(bytes, len + 1, most - 1);
    }
}

static void add_written(const uint32_t *cps, size_t count) {
    uint8_t bytes[ROOM];
    size_t len = ROOM;
    if (!encode(cps, count, bytes, &len)) return;
    add_code_points(&written_lines, cps, count);
    add_char(&written_lines, ' ');
    add_hex(&written_lines, bytes, len);
    add_char(&written_lines, '\n');
}

static size_t unhex(const char *digits, uint8_t *bytes) {
    size_t len = 0;
    for (; isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]); digits += 2) {
        char byte[] = {digits[0], digits[1], '\0'};
        bytes[len++] = (uint8_t)strtoul(byte, NULL, 16);
    }
    return len;
}

static void fill(char *ways) {
    uint8_t bytes[ROOM];
    int own = !strcmp(ways, "own");
    int exact = ways[0] == '=' || ways[0] == ':';
    for (char *way = own ? NULL : strtok(ways, ","); way; way = strtok(NULL, ",")) {
        if (*way == '=') {
            uint32_t cps[ROOM];
            size_t count = 0;
            for (char *cp = way; *cp && count < ROOM;) cps[count++] = (uint32_t)strtoul(cp + 1, &cp, 16);
            add_written(cps, count);
        } else if (*way == ':') {
            add_read(bytes, unhex(way + 1, bytes));
        } else if (!strcmp(way, "pairs")) {
            for (int pair = 0; pair < 0x10000; pair++) {
                bytes[0] = (uint8_t)(pair >> 8);
                bytes[1] = (uint8_t)pair;
                add_read(bytes, 2);
            }
            sequences_len = 0;
        } else {
            size_t shift = unhex(way, bytes);
            read_after(bytes, shift, shift ? LONGEST_SHIFTED : LONGEST);
        }
    }
    if (exact) return;
    for (uint32_t cp = 0; cp < 0x30000; cp++)
        if (cp >> 11 != 0xD800 >> 11) add_written(&cp, 1);
    for (size_t i = 0; i < sequences_len; i++) add_written(sequences[i].cps, sequences[i].count);
    if (!own) return;
    add_char(&written_lines, '\0');
    for (char *line = written_lines.bytes; *line; line = strchr(line, '\n') + 1)
        add_read(bytes, unhex(strchr(line, ' ') + 1, bytes));
    written_lines.len--;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3 || (strcmp(argv[1], "iconv") && strcmp(argv[1], "icu"))) {
        fprintf(stderr, "usage: charset_oracle iconv|icu [LIBRARY]\n");
        return 2;
    }
    use(argv[1], argc > 2 ? argv[2] : NULL);
    char *request = NULL;
    size_t room = 0;
    while (getline(&request, &room, stdin) > 0) {
        alarm(60); /* Some modules never return for some bytes. */
        request[strcspn(request, "\n")] = '\0';
        char *ways = strchr(request, '\t');
        if (ways) *ways++ = '\0';
        read_lines.len = written_lines.len = sequences_len = 0;
        if (open_charset(request)) {
            if (ways && *ways) fill(ways);
            printf("= %s %zu %zu\n", request, read_lines.len, written_lines.len);
            if (read_lines.len) fwrite(read_lines.bytes, 1, read_lines.len, stdout);
            if (written_lines.len) fwrite(written_lines.bytes, 1, written_lines.len, stdout);
        } else {
            printf("?\n");
        }
        close_charset();
        fflush(stdout);
    }
    free(request);
    return 0;
}

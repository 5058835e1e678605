/* iconv(3) by oxiconv. See docs/c-library.md. */

#ifndef OXICONV_H
#define OXICONV_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A conversion. The type is that of <iconv.h>, so both headers may be included. */
typedef void *iconv_t;

/* Opens a conversion. The names may end in //TRANSLIT, //IGNORE or //NON_IDENTICAL_DISCARD. An empty name is the
   charset of the locale. Returns (iconv_t) -1 and sets errno to EINVAL if there is no such conversion. */
iconv_t iconv_open(const char *tocode, const char *fromcode);

/* Converts, and moves *inbuf and *outbuf past what was read and written. If inbuf or *inbuf is NULL, it ends the text
   and returns to the initial state. Returns the number of characters that were transliterated, or left out as iconvctl
   requested, or (size_t) -1 with errno E2BIG, EILSEQ, EINVAL or EBADF. */
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);

/* Closes a conversion. Returns 0, or -1 with errno EBADF. */
int iconv_close(iconv_t cd);

/* Asks or changes how a descriptor converts, as in GNU libiconv. Returns 0, or -1 with errno EINVAL or EBADF. */
int iconvctl(iconv_t cd, int request, void *argument);

/* Requests for iconvctl. The argument is an int *. */
#define ICONV_TRIVIALP 0          /* 1 if both encodings are the same */
#define ICONV_GET_TRANSLITERATE 1 /* 1 if something similar is written for what the output lacks */
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3 /* 1 if what cannot be converted is left out */
#define ICONV_SET_DISCARD_ILSEQ 4
/* Those of libiconv 1.18. */
#define ICONV_GET_DISCARD_INVALID 11 /* 1 if ill-formed bytes are left out */
#define ICONV_SET_DISCARD_INVALID 12
#define ICONV_GET_DISCARD_NON_IDENTICAL 13 /* 1 if characters that the output lacks are left out */
#define ICONV_SET_DISCARD_NON_IDENTICAL 14

#ifdef __cplusplus
}
#endif

#endif

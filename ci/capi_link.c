/* A program that is linked with the library, shared or static. ci/capi compiles it as C and as C++. */

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "oxiconv.h"

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s\n", __LINE__, #condition); \
			return 1; \
		} \
	} while (0)

int main(void)
{
	char text[] = "10 \xE2\x82\xAC", out[16];
	char *in = text, *to = out;
	size_t in_left = strlen(text), out_left = sizeof out;
	int value = -1;

	iconv_t cd = iconv_open("ASCII", "UTF-8");
	CHECK(cd != (iconv_t) -1);
	CHECK(iconvctl(cd, ICONV_TRIVIALP, &value) == 0 && value == 0);
	CHECK(iconvctl(cd, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 0);
	CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
	CHECK(iconv(cd, &in, &in_left, &to, &out_left) == (size_t) -1 && errno == EILSEQ && in_left == 3);
	value = 1;
	CHECK(iconvctl(cd, ICONV_SET_TRANSLITERATE, &value) == 0);
	CHECK(iconv(cd, &in, &in_left, &to, &out_left) == 1 && in_left == 0);
	CHECK(iconv(cd, NULL, NULL, &to, &out_left) == 0);
	CHECK(to - out == 6 && !memcmp(out, "10 EUR", 6) && out_left == 10);
	/* A name that oxiconv alone has: it is this library that is linked. */
	CHECK(iconvctl(cd, 99, &value) == -1 && errno == EINVAL);
	CHECK(iconv_close(cd) == 0);
	cd = iconv_open("UTF-8", "WTF-8");
	CHECK(cd != (iconv_t) -1 && iconv_close(cd) == 0);
	CHECK(iconv_open("no such encoding", "UTF-8") == (iconv_t) -1 && errno == EINVAL);
	puts("linked");
	return 0;
}

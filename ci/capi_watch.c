/* A library for LD_PRELOAD, before the one that is tested: writes which library each iconv_open() reaches, and with which
   names, to the file in CAPI_WATCH. ci/capi uses it to see that a program calls iconv() at all.

   php opens its extensions so that they search their own libraries before those of LD_PRELOAD (RTLD_DEEPBIND). Here they
   are opened without that, as extensions that are built into php are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>

iconv_t iconv_open(const char *to, const char *from)
{
	iconv_t (*next)(const char *, const char *) = (iconv_t (*)(const char *, const char *)) dlsym(RTLD_NEXT, "iconv_open");
	Dl_info info = {0};
	const char *path = getenv("CAPI_WATCH");
	FILE *file = path ? fopen(path, "a") : NULL;
	if (file) {
		fprintf(file, "%s\t%s\t%s\n", dladdr((void *) next, &info) ? info.dli_fname : "?", from, to);
		fclose(file);
	}
	return next(to, from);
}

void *dlopen(const char *file, int mode)
{
	void *(*next)(const char *, int) = (void *(*)(const char *, int)) dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}

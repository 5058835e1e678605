/* What a process sees of the shared library besides its conversions. ci/capi compiles it, and it prints "right". */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

/* A plugin that uses the library is loaded and unloaded again and again. The tables of the library are in its memory, so it
   stays. */
static const char *unload(const char *library)
{
	void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!loaded)
		return dlerror();
	iconv_t (*open)(const char *, const char *) = (iconv_t (*)(const char *, const char *)) dlsym(loaded, "iconv_open");
	int (*close)(iconv_t) = (int (*)(iconv_t)) dlsym(loaded, "iconv_close");
	iconv_t cd = open("EUC-JP", "UTF-8");
	if (cd == (iconv_t) -1 || close(cd))
		return "no descriptor";
	dlclose(loaded);
	return dlopen(library, RTLD_NOW | RTLD_NOLOAD) ? "right" : "unloaded, with its tables";
}

/* What dlerror() has to say is the program's. */
static const char *keep_dlerror(void)
{
	char in[] = "a", out[4], *from = in, *to = out;
	size_t left = 1, room = sizeof out;
	iconv_t cd = iconv_open("UTF-16", "UTF-8");
	if (cd == (iconv_t) -1)
		return "no descriptor";
	dlopen("/no such library.so", RTLD_NOW);
	if (iconv(cd, &from, &left, &to, &room) || iconv_close(cd))
		return "not converted";
	return dlerror() ? "right" : "the error is lost";
}

int main(int argc, char **argv)
{
	const char *result = "capi_process unload LIBRARY | dlerror";
	if (argc == 3 && !strcmp(argv[1], "unload"))
		result = unload(argv[2]);
	else if (argc == 2 && !strcmp(argv[1], "dlerror"))
		result = keep_dlerror();
	puts(result);
	return 0;
}

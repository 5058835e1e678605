/* Calls iconv() as programs do, with little input and little room, and prints what every call did. ci/capi runs it with
   and without the C library of oxiconv in LD_PRELOAD, and compares.

     capi_calls cases              prints every call of single conversions, each of which shows a rule
     capi_calls tables NAMES DIR   writes, for each charset in the file NAMES, its characters in UTF-8 and in the charset
     capi_calls run DIR            prints two numbers for each charset, direction, kind of text and size of chunk: what
                                   the conversion gave in the end, and what each call did
     capi_calls show DIR NAME DIRECTION KIND CHUNK      prints the calls themselves */

#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHARSETS 2000
#define MAX_CHUNK 9

static int showing;

struct text { char *bytes; size_t len; };

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "capi_calls: %s: %s: %s\n", name, what, strerror(errno));
	exit(2);
}

static uint64_t fnv(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * 0x100000001b3;
	return hash;
}

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) { to[0] = c; return 1; }
	if (c < 0x800) { to[0] = 0xC0 | c >> 6; to[1] = 0x80 | (c & 63); return 2; }
	if (c < 0x10000) { to[0] = 0xE0 | c >> 12; to[1] = 0x80 | (c >> 6 & 63); to[2] = 0x80 | (c & 63); return 3; }
	to[0] = 0xF0 | c >> 18; to[1] = 0x80 | (c >> 12 & 63); to[2] = 0x80 | (c >> 6 & 63); to[3] = 0x80 | (c & 63);
	return 4;
}

static struct text read_file(const char *path)
{
	struct text text = {0};
	FILE *file = fopen(path, "rb");
	if (!file)
		fail("cannot be read", path);
	fseek(file, 0, SEEK_END);
	text.len = ftell(file);
	rewind(file);
	text.bytes = malloc(text.len + 1);
	if (fread(text.bytes, 1, text.len, file) != text.len)
		fail("cannot be read", path);
	fclose(file);
	return text;
}

static void write_file(const char *path, struct text text)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(text.bytes, 1, text.len, file) != text.len || fclose(file))
		fail("cannot be written", path);
}

/* The numbers of one conversion: what it gave in the end, and what each call did. */
struct numbers {
	uint64_t end, calls;
	/* Whether calls that fail for want of room, and do nothing, are left out. */
	int without_e2big;
};

static const char *word(size_t result, int error)
{
	if (result != (size_t) -1) return "ok";
	return error == E2BIG ? "E2BIG" : error == EILSEQ ? "EILSEQ" : error == EINVAL ? "EINVAL" : "other";
}

static void note(struct numbers *numbers, const char *call, size_t at, size_t read, const char *out, size_t written,
	size_t result, int error)
{
	char line[100];
	int len = snprintf(line, sizeof line, "%s at %zu: read %zu, wrote %zu, %zd %s", call, at, read, written,
		(ssize_t) result, word(result, error));
	if (!(numbers->without_e2big && result == (size_t) -1 && error == E2BIG && !read && !written)) {
		numbers->calls = fnv(numbers->calls, line, len);
		numbers->calls = fnv(numbers->calls, out, written);
	}
	if (showing) {
		printf("%s:", line);
		for (size_t i = 0; i < written; i++)
			printf(" %02X", (unsigned char) out[i]);
		putchar('\n');
	}
	/* In the end, it does not matter how the calls divide the text. */
	numbers->end = fnv(numbers->end, out, written);
}

/* What the output holds before a call. */
#define UNTOUCHED '\x5A'
/* Whether it must be there still after what is written. glibc does not keep to that. */
static int checks_rest;

/* What a program skips after EILSEQ: a character of UTF-8, or a number of bytes. */
#define A_CHARACTER 0

static size_t to_skip(const char *at, size_t left, size_t unit)
{
	size_t len = unit;
	if (unit == A_CHARACTER)
		for (len = 1; len < left && ((unsigned char) at[len] & 0xC0) == 0x80; )
			len++;
	return len < left ? len : left;
}

/* Converts a text that comes in pieces of `chunk` bytes, with `room` bytes of output in each call. */
static void convert(iconv_t cd, struct text text, size_t chunk, size_t room, size_t unit, struct numbers *numbers)
{
	char out[256];
	size_t at = 0, given = chunk < text.len ? chunk : text.len, most = room;
	size_t irreversible = 0;
	/* The end of the last character that was read, and what was skipped before it and in all. At the end of a text, bytes
	   may be incomplete for one library and ill-formed for the other. */
	size_t good = 0;
	uint64_t skipped_before = 0, skipped_in_all = 0;
	int stuck = 0;
	for (;;) {
		char *in = text.bytes + at, *to = out;
		size_t in_left = given - at, out_left = most;
		memset(out, UNTOUCHED, most);
		errno = 0;
		size_t result = iconv(cd, &in, &in_left, &to, &out_left);
		int error = errno;
		size_t read = in - (text.bytes + at), written = to - out;
		if (read + in_left != given - at || written + out_left != most || at + read > text.len) {
			printf("a call lost count\n");
			exit(1);
		}
		for (size_t i = written; checks_rest && i < most; i++) {
			if (out[i] != UNTOUCHED) {
				printf("a call has written more than it says\n");
				exit(1);
			}
		}
		note(numbers, "convert", at, read, out, written, result, error);
		at += read;
		/* glibc sometimes writes the same shift again and again. */
		if (read) {
			most = room;
			stuck = 0;
			good = at;
			skipped_before = skipped_in_all;
		} else if (++stuck > 300) {
			numbers->end = fnv(numbers->end, "stuck", 5);
			return;
		}
		if (result != (size_t) -1) {
			irreversible += result;
		} else if (error == E2BIG) {
			if (!read && most < sizeof out)
				most++;
			continue;
		} else if (error == EILSEQ) {
			size_t skipped = to_skip(text.bytes + at, text.len - at, unit);
			skipped_in_all = fnv(skipped_in_all + 1, &at, sizeof at);
			if (showing)
				printf("skip %zu\n", skipped);
			at += skipped;
			most = room;
			if (at < given)
				continue;
			given = at;
		}
		if (given == text.len)
			break;
		given = given + chunk < text.len ? given + chunk : text.len;
	}
	for (most = room; ; most++) {
		char *to = out;
		size_t out_left = most;
		errno = 0;
		size_t result = iconv(cd, NULL, NULL, &to, &out_left);
		note(numbers, "finish", at, 0, out, to - out, result, errno);
		if (result != (size_t) -1 || most + 1 == sizeof out)
			break;
	}
	numbers->end = fnv(numbers->end, &good, sizeof good);
	numbers->end = fnv(numbers->end, &skipped_before, sizeof skipped_before);
	numbers->end = fnv(numbers->end, &irreversible, sizeof irreversible);
	if (showing)
		printf("end: %zu good, %zu irreversible, %016llx\n", good, irreversible, (unsigned long long) numbers->end);
}

/* Each charset to and from UTF-8, and to the next charset of the list. */
enum direction { TO_UTF8, FROM_UTF8, TO_NEXT };
static const char *const DIRECTIONS[] = { "to-utf8", "from-utf8", "to-next" };
enum kind { CHARACTERS, ILL_FORMED, UNMAPPABLE };
static const char *const KINDS[] = { "characters", "ill-formed", "unmappable" };

/* How many bytes an A has, which is what a program skips of a charset that it does not know. */
static size_t unit_of(const char *name)
{
	char two[] = "AA", out[32], *in = two, *to = out;
	size_t in_left = 1, out_left = sizeof out, one;
	iconv_t cd = iconv_open(name, "UTF-8");
	if (cd == (iconv_t) -1)
		return 1;
	/* The first may come after a byte order mark. */
	iconv(cd, &in, &in_left, &to, &out_left);
	one = out_left;
	in_left = 1;
	iconv(cd, &in, &in_left, &to, &out_left);
	iconv_close(cd);
	return one > out_left ? one - out_left : 1;
}

/* Whether glibc waits for a third byte, though none makes these two well-formed. */
static int is_late(int lead, int next)
{
	return (lead == 0xE0 && next == 0x80) || (lead == 0xED && next == 0xA1) || (lead == 0xF0 && next == 0x80)
		|| (lead == 0xF4 && next == 0xA1);
}

/* Converts all texts of a kind. */
static struct numbers all_texts(const char *from, const char *to, enum direction direction, enum kind kind, size_t chunk,
	struct text characters)
{
	static const size_t ROOMS[MAX_CHUNK] = { 16, 1, 2, 3, 5, 7, 9, 12, 15 };
	/* Where less is free than a character may take, glibc may say so before it looks whether the character exists. */
	struct numbers numbers = { 0xcbf29ce484222325, 0xcbf29ce484222325, kind == UNMAPPABLE || direction == TO_NEXT };
	size_t unit = direction == FROM_UTF8 ? A_CHARACTER : direction == TO_UTF8 ? 1 : unit_of(from);
	iconv_t cd = iconv_open(to, from);
	if (cd == (iconv_t) -1) {
		if (showing)
			printf("unknown\n");
		return numbers;
	}
	size_t room = ROOMS[chunk - 1];
	if (kind == CHARACTERS) {
		convert(cd, characters, chunk, room, unit, &numbers);
	} else if (kind == ILL_FORMED) {
		/* A byte by itself, and before others that may or may not continue it. */
		static const unsigned char AFTER[][3] = {
			{ 0, 0, 0 }, { 0x41, 0x41, 0x41 }, { 0xFF, 0x41, 0x41 }, { 0x80, 0x20, 0x41 }, { 0xC0, 0xC0, 0x41 },
			{ 0x30, 0x81, 0x30 }, { 0x5F, 0x0A, 0x41 }, { 0xA1, 0xFE, 0x41 }, { 0xD8, 0x00, 0xD8 },
		};
		/* glibc waits for what follows F5 to FD, which begin no character of UTF-8. */
		int end = direction == FROM_UTF8 ? 0xF5 : 256;
		for (int lead = 0; lead < end; lead++)
			for (size_t i = 0; i < sizeof AFTER / sizeof *AFTER; i++) {
				char bytes[8] = { 0x41, 0x41, 0x41, 0x41, lead, AFTER[i][0], AFTER[i][1], AFTER[i][2] };
				struct text text = { bytes, i ? 8 : 5 };
				if (direction == FROM_UTF8 && chunk < 3 && i && is_late(lead, AFTER[i][0]))
					continue;
				if (showing)
					numbers.end = 0;
				if (showing)
					printf("-- %02X before %02X %02X %02X\n", lead, AFTER[i][0], AFTER[i][1], AFTER[i][2]);
				convert(cd, text, chunk, room, unit, &numbers);
			}
	} else {
		for (uint32_t c = 0x21; c < 0x30000; c += c < 0x3000 ? 7 : 97) {
			if (c >= 0xD800 && c < 0xE000)
				continue;
			char bytes[8] = "a";
			size_t len = 1 + put_utf8(bytes + 1, c);
			bytes[len++] = 'b';
			struct text text = { bytes, len };
			if (showing)
				numbers.end = 0;
			if (showing)
				printf("-- U+%04X\n", c);
			convert(cd, text, chunk, room, unit, &numbers);
		}
	}
	iconv_close(cd);
	return numbers;
}

/* Writes the characters of each charset; of charsets that are the same, only the first one's. */
static void tables(const char *names, const char *dir)
{
	static uint64_t seen[MAX_CHARSETS];
	size_t count = 0;
	char path[4096], name[100];
	FILE *list = fopen(names, "r");
	snprintf(path, sizeof path, "%s/index", dir);
	FILE *index = fopen(path, "w");
	if (!list || !index)
		fail("cannot be opened", dir);
	size_t size = 1 << 20;
	char *utf8 = malloc(size), *bytes = malloc(size);
	while (fscanf(list, "%99s", name) == 1) {
		iconv_t cd = iconv_open(name, "UTF-8"), back = iconv_open("UTF-8", name);
		if (cd == (iconv_t) -1 || back == (iconv_t) -1) {
			fprintf(stderr, "capi_calls: %s: unknown\n", name);
			continue;
		}
		size_t utf8_len = 0, len = 0;
		uint64_t hash = fnv(0xcbf29ce484222325, "", 0);
		/* A byte order mark is not one of the characters. */
		for (uint32_t c = 1; c < 0x30000; c += c < 0x10000 ? 1 : 61) {
			if (c == 0xFEFF || (c >= 0xD800 && c < 0xE000))
				continue;
			char one[4], out[32], again[32], *in = one, *to = out;
			size_t in_left = put_utf8(one, c), one_len = in_left, out_left = sizeof out;
			iconv(cd, NULL, NULL, NULL, NULL);
			if (iconv(cd, &in, &in_left, &to, &out_left) || iconv(cd, NULL, NULL, &to, &out_left))
				continue;
			/* Only what comes back. */
			char *from = out, *end = again;
			size_t from_left = to - out, end_left = sizeof again;
			iconv(back, NULL, NULL, NULL, NULL);
			if (iconv(back, &from, &from_left, &end, &end_left) || iconv(back, NULL, NULL, &end, &end_left))
				continue;
			if ((size_t) (end - again) != one_len || memcmp(again, one, one_len))
				continue;
			memcpy(utf8 + utf8_len, one, one_len);
			utf8_len += one_len;
			hash = fnv(hash, out, to - out);
			hash = fnv(hash, one, one_len);
		}
		/* The text as a whole, which has shifts of its own. */
		char *in = utf8, *to = bytes;
		size_t in_left = utf8_len, out_left = size;
		iconv(cd, NULL, NULL, NULL, NULL);
		if (iconv(cd, &in, &in_left, &to, &out_left) == (size_t) -1 || iconv(cd, NULL, NULL, &to, &out_left))
			fprintf(stderr, "capi_calls: %s: the characters together are not a text\n", name);
		len = to - bytes;
		utf8_len = in - utf8;
		iconv_close(cd);
		iconv_close(back);
		size_t i = 0;
		while (i < count && seen[i] != hash)
			i++;
		fprintf(index, "%s %zu\n", name, i);
		if (i < count || count == MAX_CHARSETS)
			continue;
		seen[count] = hash;
		snprintf(path, sizeof path, "%s/%zu.utf8", dir, count);
		write_file(path, (struct text) { utf8, utf8_len });
		snprintf(path, sizeof path, "%s/%zu.bytes", dir, count);
		write_file(path, (struct text) { bytes, len });
		count++;
	}
	fclose(list);
	if (fclose(index))
		fail("cannot be written", path);
}

/* The charsets that `tables` wrote, and for each the number of the first that has the same characters. */
static struct { char name[100]; size_t same; } charsets[MAX_CHARSETS];
static size_t charset_count;
/* The first ones. */
static size_t first[MAX_CHARSETS], first_count;

static void read_index(const char *dir)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/index", dir);
	FILE *index = fopen(path, "r");
	if (!index)
		fail("cannot be read", path);
	while (charset_count < MAX_CHARSETS
		&& fscanf(index, "%99s %zu", charsets[charset_count].name, &charsets[charset_count].same) == 2) {
		if (charsets[charset_count].same == first_count)
			first[first_count++] = charset_count;
		charset_count++;
	}
	fclose(index);
}

/* Whether a size of chunk shows what another does not. */
static int is_of_use(enum direction direction, enum kind kind, size_t chunk)
{
	if (direction != FROM_UTF8 && kind == UNMAPPABLE)
		return 0;
	if (direction == TO_NEXT)
		return kind == CHARACTERS && (chunk == 1 || chunk == 3 || chunk == MAX_CHUNK);
	/* One byte, two, and all of it show all that ill-formed text may do. */
	return kind != ILL_FORMED || chunk <= 2 || chunk == MAX_CHUNK;
}

static void run(const char *dir, const char *only, const char *only_direction, const char *only_kind, size_t only_chunk)
{
	char path[4096];
	read_index(dir);
	for (size_t n = 0; n < charset_count; n++) {
		const char *name = charsets[n].name;
		size_t same = charsets[n].same;
		int is_first = first[same] == n;
		if (only && strcmp(only, name))
			continue;
		for (int direction = TO_UTF8; direction <= TO_NEXT; direction++) {
			const char *from = direction == FROM_UTF8 ? "UTF-8" : name;
			const char *to = direction == TO_UTF8 ? "UTF-8" : direction == FROM_UTF8 ? name
				: charsets[first[(same + 1) % first_count]].name;
			iconv_t cd = iconv_open(to, from);
			if (!only)
				printf("%s %s name - %s -\n", name, DIRECTIONS[direction], cd == (iconv_t) -1 ? "unknown" : "known");
			if (cd != (iconv_t) -1)
				iconv_close(cd);
			if (!is_first && !only)
				continue;
			snprintf(path, sizeof path, "%s/%zu.%s", dir, same, direction == FROM_UTF8 ? "utf8" : "bytes");
			struct text characters = read_file(path);
			for (int kind = CHARACTERS; kind <= UNMAPPABLE; kind++)
				for (size_t chunk = 1; chunk <= MAX_CHUNK; chunk++) {
					if (only && (chunk != only_chunk || strcmp(only_kind, KINDS[kind])
						|| strcmp(only_direction, DIRECTIONS[direction])))
						continue;
					if (!is_of_use(direction, kind, chunk))
						continue;
					struct numbers numbers = all_texts(from, to, direction, kind, chunk, characters);
					if (!showing)
						printf("%s %s %s %zu %016llx %016llx\n", name, DIRECTIONS[direction], KINDS[kind], chunk,
							(unsigned long long) numbers.end, (unsigned long long) numbers.calls);
				}
			free(characters.bytes);
		}
	}
}

/* Single conversions that show a rule: the suffixes, byte order marks, the end of a text. */
static void cases(void)
{
	static const struct { const char *to, *from, *text; size_t len, chunk, room; } CASES[] = {
#define CASE(to, from, text, chunk, room) { to, from, text, sizeof text - 1, chunk, room }
		CASE("ASCII//IGNORE", "UTF-8", "a\303\251b\342\202\254c", 100, 100),
		CASE("ASCII//IGNORE", "UTF-8", "a\303\251b\342\202\254c", 1, 100),
		CASE("ASCII//IGNORE", "UTF-8", "a\303\251b\342\202\254c", 100, 1),
		CASE("ASCII//IGNORE", "UTF-8", "a\303\251b\342\202\254c", 100, 2),
		CASE("UTF-16LE//IGNORE", "UTF-8", "a\377b\300c", 100, 100),
		CASE("UTF-16LE//IGNORE", "UTF-8", "a\377b\303", 100, 100),
		CASE("ISO-8859-1//IGNORE", "UTF-16LE", "a\0\0\330b\0", 100, 100),
		CASE("ASCII", "UTF-8", "a\303\251b", 100, 100),
		CASE("ASCII", "UTF-8", "a\303\251b", 2, 1),
		CASE("ASCII//TRANSLIT", "UTF-8", "\342\202\254 \342\200\234x\342\200\235 \302\251", 100, 100),
		CASE("ASCII//TRANSLIT", "UTF-8", "\342\202\254 \342\200\234x\342\200\235 \302\251", 1, 2),
		CASE("ASCII//TRANSLIT", "UTF-8", "\342\202\254 \342\200\234x\342\200\235 \302\251", 3, 3),
		CASE("ISO-8859-1//TRANSLIT", "UTF-8", "\357\254\201x\342\200\246y", 100, 4),
		CASE("ASCII//TRANSLIT", "UTF-8", "a\340\244\205b", 100, 100),
		CASE("ASCII//TRANSLIT//IGNORE", "UTF-8", "a\340\244\205b\377c", 100, 100),
		CASE("ASCII//IGNORE//TRANSLIT", "UTF-8", "a\340\244\205b\377c\342\202\254", 100, 100),
		CASE("ASCII//TRANSLIT", "UTF-8", "a\377\342\202\254", 100, 100),
		CASE("UTF-16", "UTF-8", "ab", 1, 1),
		CASE("UTF-16", "UTF-8", "ab", 1, 2),
		CASE("UTF-16", "UTF-8", "", 1, 100),
		CASE("UTF-32", "ISO-8859-1", "a\351", 100, 100),
		CASE("UNICODE", "UTF-8", "a", 100, 100),
		CASE("UCS-2", "UTF-8", "a\360\237\230\200b", 100, 100),
		CASE("UTF-8", "UTF-16", "\377\376a\0", 100, 100),
		CASE("UTF-8", "UTF-16", "\376\377\0a", 1, 100),
		CASE("UTF-8", "UTF-16", "a\0b\0", 1, 100),
		CASE("UTF-8", "UTF-16", "\377", 1, 100),
		CASE("UTF-8", "UTF-16LE", "\377\376a\0", 100, 100),
		CASE("UTF-8", "UTF-32", "\377\376\0\0a\0\0\0", 2, 100),
		CASE("UTF-8", "UTF-8", "\357\273\277a", 100, 100),
		CASE("UTF-16LE", "UTF-8", "a\340\200b", 1, 100),
		CASE("UTF-16LE", "UTF-8", "a\355\241b", 2, 100),
		CASE("UTF-16LE", "UTF-8", "a\360\200b", 1, 100),
		CASE("UTF-16LE", "UTF-8", "\357\273\277a", 100, 100),
		CASE("UTF-8", "UTF-16LE", "a\0=\330\0\336b\0", 1, 3),
		CASE("UTF-8", "UTF-16LE", "a\0=\330b\0", 1, 100),
		CASE("ISO-2022-JP", "UTF-8", "\346\227\245\346\234\254", 100, 100),
		CASE("ISO-2022-JP", "UTF-8", "\346\227\245\346\234\254", 1, 100),
		CASE("UTF-8", "ISO-2022-JP", "\033$BF|K\\\033(B", 1, 100),
		CASE("UTF-7", "UTF-8", "a\303\251b\303\251", 1, 100),
		CASE("UTF-8", "UTF-7", "+AOk-b+AOk-", 100, 100),
		CASE("WCHAR_T", "UTF-8", "a\303\251", 100, 100),
		CASE("UTF-8", "WCHAR_T", "a\0\0\0\0\330\0\0", 100, 100),
		CASE("UTF-8", "WCHAR_T", "a\0\0\0\351\0\0\0", 100, 100),
		CASE("", "UTF-8", "a\303\251", 100, 100),
		CASE("utf8", "latin1", "a\351", 100, 100),
		CASE("UTF-8", "CP1258", "a\354b", 1, 100),
		CASE("UTF-8", "TCVN", "a\263b", 1, 100),
		CASE("BIG5-HKSCS", "UTF-8", "\303\212\314\204\303\212", 1, 100),
		CASE("UTF-8", "BIG5-HKSCS", "\210b\210f", 1, 2),
		CASE("UTF-16", "WCHAR_T", "", 100, 100),
		CASE("UNICODE", "UTF-8", "\360\237\230\200a", 100, 100),
		CASE("WCHAR_T", "UTF-8", "\342\202", 100, 2),
		CASE("WCHAR_T", "WCHAR_T", "a\0\0\0", 100, 100),
		CASE("UTF-8", "WCHAR_T", "\0\0\21\0a\0\0\0", 100, 100),
		CASE("UTF-8", "GB18030", "\2010A", 100, 100),
		CASE("ASCII//IGNORE", "UTF-8", "a\303\251b\342\202", 100, 100),
		CASE("ISO-2022-KR", "UTF-8", "", 100, 100),
	};
	showing = 1;
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		printf("== %s to %s, %zu bytes of input, room for %zu:", CASES[i].from, CASES[i].to, CASES[i].chunk,
			CASES[i].room);
		for (size_t at = 0; at < CASES[i].len; at++)
			printf(" %02X", (unsigned char) CASES[i].text[at]);
		putchar('\n');
		iconv_t cd = iconv_open(CASES[i].to, CASES[i].from);
		if (cd == (iconv_t) -1) {
			printf("unknown: %d\n", errno);
			continue;
		}
		struct numbers numbers = { 0, 0, 0 };
		struct text text = { malloc(CASES[i].len + 1), CASES[i].len };
		memcpy(text.bytes, CASES[i].text, CASES[i].len);
		/* Twice: after the end of a text, the next one is converted from the initial state. */
		size_t unit = strcmp(CASES[i].from, "UTF-8") ? 1 : A_CHARACTER;
		convert(cd, text, CASES[i].chunk, CASES[i].room, unit, &numbers);
		convert(cd, text, CASES[i].chunk, CASES[i].room, unit, &numbers);
		/* A reset without output forgets what is not written. */
		char *in = text.bytes, out[256], *to = out;
		size_t in_left = text.len, out_left = sizeof out, result = iconv(cd, &in, &in_left, &to, &out_left);
		note(&numbers, "convert", 0, in - text.bytes, out, to - out, result, errno);
		errno = 0;
		result = iconv(cd, NULL, NULL, NULL, NULL);
		note(&numbers, "reset", 0, 0, out, 0, result, errno);
		to = out;
		result = iconv(cd, NULL, NULL, &to, &out_left);
		note(&numbers, "finish", 0, 0, out, to - out, result, errno);
		free(text.bytes);
		iconv_close(cd);
	}
	static const char *const NAMES[][2] = {
		{ "UTF-8", "none" }, { "none", "UTF-8" }, { "UTF-8//NONE", "latin1" }, { "UTF-8//", "latin1//TRANSLIT" },
		{ "//TRANSLIT", "" }, { "ISO-10646/UCS4/", "utf-8" }, { "utf8/", "utf8" }, { "UTF-8,", "latin1" },
	};
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
		errno = 0;
		iconv_t cd = iconv_open(NAMES[i][0], NAMES[i][1]);
		printf("%s to %s: %s %d\n", NAMES[i][1], NAMES[i][0], cd == (iconv_t) -1 ? "unknown" : "known",
			cd == (iconv_t) -1 ? errno : 0);
		if (cd != (iconv_t) -1)
			printf("close: %d\n", iconv_close(cd));
	}
}

int main(int argc, char **argv)
{
	checks_rest = getenv("CAPI_CHECKS_REST") != NULL;
	setlocale(LC_ALL, "");
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	if (argc == 4 && !strcmp(argv[1], "tables")) {
		tables(argv[2], argv[3]);
	} else if (argc == 3 && !strcmp(argv[1], "run")) {
		run(argv[2], NULL, NULL, NULL, 0);
	} else if (argc == 7 && !strcmp(argv[1], "show")) {
		showing = 1;
		run(argv[2], argv[3], argv[4], argv[5], atoi(argv[6]));
	} else if (argc == 2 && !strcmp(argv[1], "cases")) {
		cases();
	} else {
		fprintf(stderr, "usage: capi_calls cases | tables NAMES DIR | run DIR | show DIR NAME DIRECTION KIND CHUNK\n");
		return 2;
	}
	return 0;
}

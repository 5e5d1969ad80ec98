// SPDX-License-Identifier: GPL-2.0-only
/* A terminal that shows one screen after another. */

#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ALTERNATE_SCREEN "\033[?1049h\033[?25l"
#define MAIN_SCREEN "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define ESCAPE 033
/* The rest of a key comes at once, also through a network. */
#define REST_MS 50
/* The longest sequence of a key. */
#define SEQUENCE_MAX 8

static struct termios before;
static volatile sig_atomic_t is_resized;

static void note_resize(int number)
{
	(void)number;
	is_resized = true;
}

void terminal_begin(void)
{
	struct termios raw;

	tcgetattr(STDIN_FILENO, &before);
	raw = before;
	raw.c_lflag &= ~(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	sigaction(SIGWINCH, &(struct sigaction){ .sa_handler = note_resize, .sa_flags = SA_RESTART }, NULL);
	fputs(ALTERNATE_SCREEN, stdout);
	fflush(stdout);
}

void terminal_end(void)
{
	fputs(MAIN_SCREEN, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* The next byte; 0 after so many milliseconds or a signal; -1 at end of input. */
static int next_byte(int milliseconds)
{
	struct pollfd wait = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char byte;

	if (poll(&wait, 1, milliseconds) <= 0)
		return 0;
	return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

static int named_key(const char *sequence)
{
	static const struct { const char *sequence; int key; } keys[] = {
		{ "A", TERMINAL_UP }, { "B", TERMINAL_DOWN }, { "C", TERMINAL_RIGHT }, { "D", TERMINAL_LEFT },
		{ "H", TERMINAL_HOME }, { "F", TERMINAL_END }, { "1~", TERMINAL_HOME }, { "4~", TERMINAL_END },
		{ "7~", TERMINAL_HOME }, { "8~", TERMINAL_END }, { "5~", TERMINAL_PAGE_UP },
		{ "6~", TERMINAL_PAGE_DOWN },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(keys[i].sequence, sequence))
			return keys[i].key;
	return TERMINAL_UNKNOWN;
}

/* What follows an escape: "[" or "O", and a sequence that ends with a letter or a tilde; or nothing. */
static int escaped_key(void)
{
	char sequence[SEQUENCE_MAX + 1] = "";
	int byte = next_byte(REST_MS);

	if (byte != '[' && byte != 'O')
		return byte > 0 ? TERMINAL_UNKNOWN : TERMINAL_ESCAPE;
	for (size_t i = 0; i < SEQUENCE_MAX && (byte = next_byte(REST_MS)) > 0; i++) {
		sequence[i] = byte;
		if (byte >= '@')
			break;
	}
	return named_key(sequence);
}

int terminal_key(int milliseconds)
{
	int byte = next_byte(milliseconds);

	return byte == ESCAPE ? escaped_key() : byte;
}

bool terminal_was_resized(void)
{
	bool was_resized = is_resized;

	is_resized = false;
	return was_resized;
}

void terminal_size(size_t *rows, size_t *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

/* Lines are cleared one by one, since an empty screen in between flickers. */
void terminal_show(const char *text)
{
	fputs(HOME, stdout);
	for (; *text; text++) {
		if (*text == '\n')
			fputs(CLEAR_LINE, stdout);
		putchar(*text);
	}
	fputs(CLEAR_LINE CLEAR_BELOW, stdout);
	fflush(stdout);
}

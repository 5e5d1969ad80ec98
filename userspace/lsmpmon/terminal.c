// SPDX-License-Identifier: GPL-2.0-only
/* A terminal that shows one screen after another. */

#include "terminal.h"

#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ALTERNATE_SCREEN "\033[?1049h\033[?25l"
#define MAIN_SCREEN "\033[?25h\033[?1049l"
#define HOME_AND_CLEAR "\033[H\033[J"

static struct termios before;

void terminal_begin(void)
{
	struct termios raw;

	tcgetattr(STDIN_FILENO, &before);
	raw = before;
	raw.c_lflag &= ~(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	fputs(ALTERNATE_SCREEN, stdout);
	fflush(stdout);
}

void terminal_end(void)
{
	fputs(MAIN_SCREEN, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

int terminal_key(int milliseconds)
{
	struct pollfd wait = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char key;

	if (poll(&wait, 1, milliseconds) <= 0)
		return 0;
	return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
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

void terminal_home(void)
{
	fputs(HOME_AND_CLEAR, stdout);
}

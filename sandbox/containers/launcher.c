/* polignac-launch SOCKET PROGRAM [ARGUMENT ...]
 *
 * The first program in a bot's container. As the first process it stays to collect what ends, and ends
 * as the bot does; a process of its own connects to the referee's socket, receives the three descriptors
 * that become the bot's standard input, output and error, and becomes the bot.
 *
 * The connection is closed by the exec: the referee reads an end of file when the bot's own program was
 * reached, and an errno as a decimal text when it was not. A bot never holds the connection, so it can't
 * make its own failure look like one of ours.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STANDARD = 3, FAILED = 125 };

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof address.sun_path)
		return -1;
	strcpy(address.sun_path, path);
	if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
		return -1;
	return connection;
}

/* Receives the descriptors and puts them in their places; 0 when all went well. */
static int take_over(int connection)
{
	char byte;
	struct iovec data = { &byte, 1 };
	union {
		char space[CMSG_SPACE(STANDARD * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = sizeof control.space,
	};
	int received[STANDARD];

	if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof received))
		return -1;
	memcpy(received, CMSG_DATA(header), sizeof received);
	for (int i = 0; i < STANDARD; i++)
		if (dup2(received[i], i) != i)
			return -1;
	return 0;
}

/* What a shell would say of the bot's end, once it has come to it. */
static int end_of(pid_t bot)
{
	int status;
	pid_t ended;

	do
		ended = wait(&status);
	while (ended != bot && (ended > 0 || errno == EINTR));
	if (ended != bot)
		return FAILED;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
	int connection;

	if (getpid() == 1) {
		/* The bot is of the same user: it could open what we hold, our output to the engine for one,
		 * which copies whatever comes there, on any core and at nobody's cost. */
		prctl(PR_SET_DUMPABLE, 0);
		pid_t bot = fork();
		if (bot < 0)
			return FAILED;
		if (bot > 0)
			return end_of(bot);
		setpgid(0, 0);
	}
	if (count < 3 || (connection = connect_to(arguments[1])) < 0)
		return FAILED;
	if (take_over(connection) == 0)
		execvp(arguments[2], arguments + 2);
	dprintf(connection, "%d", errno);
	return FAILED;
}

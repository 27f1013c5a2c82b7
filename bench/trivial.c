/* The cheapest honest bot: says that it is ready, passes, and plays the first legal card. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[1 << 17];

static void answer(const char *line)
{
	const char *id = strstr(line, "\"id\":\""), *legal = strstr(line, "\"legal\":[\"");
	char reply[128];
	int size, length;

	if (!id)
		return;
	id += 6;
	length = (int)(strchr(id, '"') - id);
	if (legal)
		size = snprintf(reply, sizeof reply, "{\"id\":\"%.*s\",\"card\":\"%.2s\"}\n", length, id, legal + 10);
	else
		size = snprintf(reply, sizeof reply, "{\"id\":\"%.*s\",\"%s}\n", length, id,
				strstr(line, "\"options\":") ? "bid\":\"pass\"" : "ready\":true");
	if (write(1, reply, size) != size)
		_exit(1);
}

int main(void)
{
	size_t held = 0;
	ssize_t got;

	while ((got = read(0, text + held, sizeof text - 1 - held)) > 0) {
		char *line = text, *end;

		held += got;
		text[held] = 0;
		while ((end = strchr(line, '\n'))) {
			*end = 0;
			answer(line);
			line = end + 1;
		}
		held -= line - text;
		memmove(text, line, held + 1);
	}
	return 0;
}

/* A first bot in C: stays under the trick while it can, and gets rid of dangerous cards when it is void.
 * Standard error is your log. The lower half of this file reads the few parts of JSON that a bot needs. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CARDS = 32, TEXT = 64 };

typedef struct {
	int count;
	char card[MOST_CARDS][3]; /* "JS" is the jack of spades */
} Cards;

static const char *get(const char *object, const char *key);
static void get_text(const char *object, const char *key, char text[TEXT]);
static Cards get_cards(const char *object, const char *key);

static char ranks[] = "789TAJQK"; /* from low to high; hello may say otherwise */
static char rules[65536] = "{}";

static int strength(const char *card)
{
	return (int)(strchr(ranks, card[0]) - ranks);
}

static int points(const char *card)
{
	const char *table = get(rules, "card_points");
	const char *found = table ? get(table, card) : NULL;
	return found ? atoi(found) : 0;
}

static int danger(const char *card)
{
	return 100 * points(card) + strength(card);
}

static const char *choose(const Cards *legal, const Cards *trick)
{
	const char *best = legal->card[0], *under = NULL;
	char led = trick->count ? trick->card[0][1] : 0;
	int top = -1;

	if (led && legal->card[0][1] != led) { /* void: throw the worst away */
		for (int i = 1; i < legal->count; i++)
			if (danger(legal->card[i]) > danger(best))
				best = legal->card[i];
		return best;
	}
	for (int i = 0; i < trick->count; i++)
		if (trick->card[i][1] == led && strength(trick->card[i]) > top)
			top = strength(trick->card[i]);
	for (int i = 0; i < legal->count; i++) {
		const char *card = legal->card[i];
		if (strength(card) < top && (!under || strength(card) > strength(under)))
			under = card;
		if (strength(card) < strength(best))
			best = card;
	}
	return under ? under : best;
}

int main(void)
{
	char *line = NULL, type[TEXT], id[TEXT], ace[TEXT];
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		get_text(line, "type", type);
		get_text(line, "id", id);
		if (!strcmp(type, "hello")) {
			const char *given = get(line, "rules");
			snprintf(rules, sizeof rules, "%s", given ? given : "{}");
			get_text(rules, "ace", ace);
			if (!strcmp(ace, "high"))
				strcpy(ranks, "789TJQKA");
			printf("{\"id\":\"%s\",\"ready\":true}\n", id);
		} else if (!strcmp(type, "bid")) {
			printf("{\"id\":\"%s\",\"bid\":\"pass\"}\n", id);
		} else if (!strcmp(type, "play")) {
			Cards legal = get_cards(line, "legal"), trick = get_cards(line, "trick");
			printf("{\"id\":\"%s\",\"card\":\"%s\"}\n", id, choose(&legal, &trick));
		} else if (!strcmp(type, "bye")) {
			break;
		}
		fflush(stdout); /* or the referee waits for ever */
	}
	free(line);
	return 0;
}

/* -- JSON --------------------------------------------------------------------------------------- */

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (at[0] == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
	int depth = 0;

	do {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		if (!depth && *at != '{' && *at != '[')
			return at + strcspn(at, ",]} \t\r\n");
		depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
		at++;
	} while (*at && depth);
	return at;
}

/* Where the value of a key of the object at `object` begins; NULL when there is none. */
static const char *get(const char *object, const char *key)
{
	const char *at = skip_space(skip_space(object) + 1);

	while (*at == '"') {
		const char *name = at + 1;
		at = skip_string(at);
		int found = (size_t)(at - 1 - name) == strlen(key) && !strncmp(name, key, strlen(key));
		at = skip_space(skip_space(at) + 1);
		if (found)
			return at;
		at = skip_space(skip_value(at));
		at = skip_space(*at == ',' ? at + 1 : at);
	}
	return NULL;
}

/* The text of a key, as it stands between its quotes; empty when there is none. */
static void get_text(const char *object, const char *key, char text[TEXT])
{
	const char *value = get(object, key);
	int length = value && *value == '"' ? (int)(skip_string(value) - value) - 2 : 0;
	snprintf(text, TEXT, "%.*s", length, length ? value + 1 : "");
}

static Cards get_cards(const char *object, const char *key)
{
	Cards cards = { 0 };
	const char *at = get(object, key);

	for (at = at ? skip_space(at + 1) : ""; *at == '"' && cards.count < MOST_CARDS; cards.count++) {
		snprintf(cards.card[cards.count], 3, "%.2s", at + 1);
		at = skip_space(skip_string(at));
		at = skip_space(*at == ',' ? at + 1 : at);
	}
	return cards;
}

// A first bot in Go: stays under the trick while it can, and gets rid of dangerous cards when it is void.
// Standard error is your log.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
)

type message struct {
	Type  string   `json:"type"`
	ID    string   `json:"id"`
	Legal []string `json:"legal"`
	Trick []string `json:"trick"`
	Rules struct {
		Ace        string         `json:"ace"`
		CardPoints map[string]int `json:"card_points"`
	} `json:"rules"`
}

type bot struct {
	ranks  string // from low to high
	points map[string]int
}

func (b *bot) strength(card string) int { return strings.IndexByte(b.ranks, card[0]) }

func (b *bot) danger(card string) int { return 100*b.points[card] + b.strength(card) }

func (b *bot) choose(legal, trick []string) string {
	if len(trick) > 0 && legal[0][1] != trick[0][1] { // void: throw the worst away
		return best(legal, b.danger)
	}
	top := -1
	for _, card := range trick {
		if card[1] == trick[0][1] && b.strength(card) > top {
			top = b.strength(card)
		}
	}
	var under []string
	for _, card := range legal {
		if b.strength(card) < top {
			under = append(under, card)
		}
	}
	if len(under) > 0 {
		return best(under, b.strength)
	}
	return best(legal, func(card string) int { return -b.strength(card) })
}

func best(cards []string, worth func(string) int) string {
	found := cards[0]
	for _, card := range cards[1:] {
		if worth(card) > worth(found) {
			found = card
		}
	}
	return found
}

func main() {
	b := &bot{ranks: "789TAJQK"}
	lines := bufio.NewReader(os.Stdin)
	replies := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			panic(err)
		}
		reply := map[string]any{"id": m.ID}
		switch m.Type {
		case "hello":
			b.points = m.Rules.CardPoints
			if m.Rules.Ace == "high" {
				b.ranks = "789TJQKA"
			}
			reply["ready"] = true
		case "bid":
			reply["bid"] = "pass"
		case "play":
			reply["card"] = b.choose(m.Legal, m.Trick)
		case "bye":
			return
		default:
			continue
		}
		if err := replies.Encode(reply); err != nil {
			return
		}
	}
}

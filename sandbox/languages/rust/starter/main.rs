//! A first bot in Rust: stays under the trick while it can, and gets rid of dangerous cards when it is void.
//! Standard error is your log.

mod json;

use std::io::{self, BufRead, Write};

struct Starter {
    /// From low to high.
    ranks: &'static str,
    rules: String,
}

impl Starter {
    fn hello(&mut self, rules: &str) {
        self.rules = rules.to_string();
        if json::get(rules, "ace") == Some("high") {
            self.ranks = "789TJQKA";
        }
    }

    fn choose<'a>(&self, legal: &[&'a str], trick: &[&str]) -> &'a str {
        let suit = |card: &str| card.as_bytes()[1];
        let lowest = || legal.iter().min_by_key(|card| self.strength(card)).unwrap();
        let led = match trick.first() {
            Some(card) => suit(card),
            None => return lowest(),
        };
        if suit(legal[0]) != led {
            // Void: throw the worst away.
            return legal.iter().max_by_key(|card| self.danger(card)).unwrap();
        }
        let top = trick.iter().filter(|card| suit(card) == led).map(|card| self.strength(card)).max();
        let under = legal.iter().filter(|card| Some(self.strength(card)) < top);
        under.max_by_key(|card| self.strength(card)).unwrap_or_else(lowest)
    }

    fn strength(&self, card: &str) -> usize {
        self.ranks.find(&card[..1]).unwrap_or(0)
    }

    fn danger(&self, card: &str) -> usize {
        let points = json::get(&self.rules, "card_points").and_then(|table| json::get(table, card));
        100 * points.and_then(|text| text.parse().ok()).unwrap_or(0) + self.strength(card)
    }
}

fn main() -> io::Result<()> {
    let mut bot = Starter { ranks: "789TAJQK", rules: String::new() };
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let id = json::get(&line, "id").unwrap_or("");
        let answer = match json::get(&line, "type") {
            Some("hello") => {
                bot.hello(json::get(&line, "rules").unwrap_or("{}"));
                "\"ready\":true".to_string()
            }
            Some("bid") => "\"bid\":\"pass\"".to_string(),
            Some("play") => {
                let card = bot.choose(&json::texts(&line, "legal"), &json::texts(&line, "trick"));
                format!("\"card\":\"{}\"", card)
            }
            Some("bye") => break,
            _ => continue,
        };
        writeln!(out, "{{\"id\":\"{}\",{}}}", id, answer)?;
        out.flush()?; // or the referee waits for ever
    }
    Ok(())
}

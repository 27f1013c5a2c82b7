// A first bot in JavaScript: plays the lowest card that it may. Standard error is your log.
import { createInterface } from "node:readline";

let order = "789TAJQK";

function answer(message) {
  switch (message.type) {
    case "hello":
      if (message.rules.ace === "high") order = "789TJQKA";
      return { ready: true };
    case "bid":
      return { bid: "pass" };
    case "play": {
      const strength = (card) => order.indexOf(card[0]);
      return { card: message.legal.reduce((low, card) => (strength(card) < strength(low) ? card : low)) };
    }
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  const reply = answer(message);
  if (reply) process.stdout.write(JSON.stringify({ id: message.id, ...reply }) + "\n");
  if (message.type === "bye") process.exit(0);
});

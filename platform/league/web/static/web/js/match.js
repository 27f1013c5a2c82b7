// The page of a match: its table, and the check of its shuffle.

import { checkShuffles } from "./deal.js";
import { showReplay } from "./replay.js";

const TONES = { sound: "good", unsound: "bad", unknown: "warn" };
const read = (id) => JSON.parse(document.getElementById(id).textContent);

const root = document.getElementById("table");
const { sprite, own, published } = root.dataset;
const record = read("record");
const { match } = showReplay(root, record, { sprite, own: Number(own), names: read("names"), clock: read("clock") });

const check = document.getElementById("check");
const { state, reason } = await checkShuffles(record, published);
const sums = match.agrees ? "The cards give the points and totals of the record." : "But the cards give other points than the record has.";
check.textContent = `Checked in your browser. ${reason} ${sums}`;
check.classList.add(match.agrees ? TONES[state] : "bad");
check.dataset.state = match.agrees ? state : "unsound";

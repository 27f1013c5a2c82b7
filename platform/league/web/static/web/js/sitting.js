// A person plays: the table shows what has happened card by card, then asks. What may be played the site says.

import { element } from "./dom.js";
import { moment, readMatch } from "./record.js";
import { makeTable } from "./table.js";
import { bidName, cardSign, count, describe } from "./words.js";

const POLL_MS = 400;
const WAIT_MS = 1000;
// How long the end waits for the comparison before the page goes on without it.
const PATIENCE_MS = 20_000;
// How long a card lies before the next; a trick that was taken stays twice, a deal's points four times as long.
const PACES = [["slow", 1000], ["normal", 500], ["fast", 200], ["at once", 0]];
const GOES_ON = ["waiting", "playing"];
const STAYS = { trick: 2, points: 4 };

const root = document.getElementById("table");
const form = document.getElementById("answer");
const { sprite, state: stateAt, seat } = root.dataset;
const own = Number(seat);
const names = JSON.parse(document.getElementById("names").textContent);

const nobodyCame = document.getElementById("nobody-came");
const patienceMs = 1000 * Number(nobodyCame.dataset.after);
let waitingSince = nobodyCame.hidden ? null : 0;

const felt = element("div", {});
const said = element("p", { class: "said", role: "status" }, "The bots take their seats.");
const bids = element("div", { class: "buttons bids", role: "group", "aria-label": "Your bid" });
const last = element("p", { class: "soft reserve" });
const pace = element("select", {}, ...PACES.map(([name, ms]) => element("option", { value: ms }, name)));
root.classList.add("table");
root.setAttribute("role", "region");
root.setAttribute("aria-label", "Table");
root.replaceChildren(felt, element("div", { class: "bar" }, said, bids), last,
  element("div", { class: "row choices" }, element("label", {}, "Speed ", pace)));
pace.value = localStorage.getItem("pace") ?? String(PACES[1][1]);
pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));

const rest = (ms) => new Promise((done) => { setTimeout(done, ms); });
let draw = null;
let at = -1;
let question = null;
let byKeys = false;
let seen = false;

// Shows all that is new, card by card; the cards of the own hand are buttons at the end of it.
async function show(told) {
  if (!told.course) return;
  draw ??= makeTable(felt, { rules: told.course.rules, names, sprite, onCard: (card) => answer("card", card) });
  const match = readMatch(told.course);
  const end = match.steps.length - 1;
  if (at < 0) at = match.starts.at(-1) - 1; // Who comes back sees this deal, from its beginning.
  while (at < end) {
    at += 1;
    const now = moment(match, at);
    paint(match, now, null);
    if (at < end) await rest(Number(pace.value) * (STAYS[now.step.kind] ?? 1));
  }
  if (told.question) paint(match, moment(match, end), told.question);
}

function paint(match, now, asked) {
  const turn = asked ? own : now.turn === own ? null : now.turn;
  draw({ ...now, turn, legal: asked?.kind === "card" ? asked.legal : [] }, { bottom: own, open: false });
  const what = { card: " Your turn: play a card.", bid: " Your turn: bid." }[asked?.kind] ?? "";
  said.textContent = describe(match, now, names) + what;
  last.textContent = now.lastTrick ? trickLine(now) : "";
}

function trickLine({ lastTrick: { table, winner }, taken }) {
  const points = taken[winner].at(-1).costs.reduce((sum, cost) => sum + cost.points, 0);
  const cards = table.map((each) => `${names[each.seat]} ${cardSign(each.card)}`).join(", ");
  return `The last trick: ${cards}. ${names[winner]} took it${points ? `: ${count(points, "point")}` : ""}.`;
}

function ask(asked) {
  question = asked;
  root.dataset.question = asked?.number ?? "";
  const options = asked?.kind === "bid" ? asked.legal : [];
  bids.replaceChildren(...options.map((bid) => {
    const button = element("button", { type: "button", class: "button", value: bid }, bid === "pass" ? "Pass" : bidName(bid));
    button.addEventListener("click", () => answer("bid", bid));
    return button;
  }));
  // On a phone the own hand would be below the window.
  if (asked && !seen) last.scrollIntoView({ block: "nearest" });
  seen ||= Boolean(asked);
  // Whoever plays by keys is where the choice is.
  if (asked && byKeys) root.querySelector(".legal, .buttons button")?.focus();
}

async function answer(kind, text) {
  if (question?.kind !== kind) return; // A double click.
  byKeys = document.activeElement.matches("button:focus-visible");
  const data = new FormData(form);
  data.set("number", question.number);
  data.set(kind, text);
  ask(null);
  felt.querySelectorAll(".legal").forEach((button) => { button.disabled = true; });
  try {
    const reply = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
    if (!reply.ok && reply.status !== 409) said.textContent = (await reply.json()).detail;
  } catch {
    said.textContent = "The site does not answer; it is asked again.";
  }
  follow();
}

// What the site tells of the sitting; null where it does not answer.
async function look() {
  try {
    const reply = await fetch(stateAt, { headers: { Accept: "application/json" } });
    if (reply.redirected || reply.status === 404) location.reload();
    if (reply.ok) return await reply.json();
  } catch {
    // It may be starting anew.
  }
  said.textContent = "The site does not answer; it is asked again.";
  return null;
}

// Another tab, or a page that was left open, may have gone on: who comes back sees what is asked now.
async function comeBack() {
  if (document.hidden || !question) return;
  const told = await look();
  if (!told || !question || told.question?.number === question.number) return;
  ask(null);
  follow();
}

// Looks until something is asked, or it is over.
async function follow() {
  let overSince = null;
  for (;;) {
    const told = await look();
    if (told) await show(told);
    if (told) {
      waitingSince = told.status === "waiting" ? waitingSince ?? Date.now() : null;
      nobodyCame.hidden = waitingSince === null || Date.now() - waitingSince < patienceMs;
    }
    if (told?.question) return ask(told.question);
    if (told?.status === "waiting" && told.course) said.textContent = "A short pause: another worker takes the table over.";
    if (told?.status === "over") {
      overSince ??= Date.now();
      said.textContent = "The match is over. Now the bots play your hand.";
      if (told.comparison || Date.now() - overSince > PATIENCE_MS) return location.reload();
    } else if (told && !GOES_ON.includes(told.status)) {
      return location.reload();
    }
    await rest(told?.status === "playing" ? POLL_MS : WAIT_MS);
  }
}

document.addEventListener("visibilitychange", comeBack);
window.addEventListener("focus", comeBack);
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
follow();

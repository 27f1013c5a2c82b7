// A tournament while it is under way. Its events write the numbers of its progress in place. When what else the
// page shows has changed (its status, its round, its standings), the page is read again, and its parts that
// live (data-live) are put in place of the old ones: where one was in a table, or with the keyboard, one stays.

import { showTimes } from "./site.js";

const MINUTE = 60, HOUR = 3600, DAY = 86_400;
const OVER = new Set(["finished", "cancelled"]);
/** The page is read again no more often than this. */
const PAUSE_MS = 3000;

/** A number as the page has it: groups of three from five digits on, a dash for none. */
function number(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  const grouped = Math.abs(value) >= 10_000;
  const text = value.toLocaleString("en", {
    minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: grouped,
  });
  return text.replaceAll(",", "\u202f").replace("-", "−");
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return "unknown";
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

function write(root, state) {
  for (const each of root.querySelectorAll("[data-value]")) {
    each.textContent = number(state[each.dataset.value], Number(each.dataset.digits ?? 0));
  }
  for (const each of root.querySelectorAll("[data-duration]")) {
    each.textContent = OVER.has(state.status) ? "none" : duration(state[each.dataset.duration]);
  }
  const bar = root.querySelector("progress");
  bar.max = state.matches_planned || 1;
  bar.value = state.matches;
  const reasons = JSON.parse(document.getElementById("reasons").textContent);
  const why = state.reason ? reasons[state.reason] : "none waits";
  root.querySelector("[data-reason]").textContent = state.place ? `${why}, place ${state.place}` : why;
}

/** What the server sent of each living part the last time: scripts change it (times in the reader's zone). */
const sent = new Map();

/** Put the living parts of the page, as it is now, in place of the old ones. */
function renew(fresh) {
  for (const old of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(old.id);
    if (next === null || sent.get(old.id)?.isEqualNode(next)) continue;
    sent.set(old.id, next.cloneNode(true));
    const lefts = [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    const focused = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
    old.replaceChildren(...next.childNodes);
    showTimes(old);
    for (const [at, each] of old.querySelectorAll(".scroll").entries()) each.scrollLeft = lefts[at] ?? 0;
    if (focused) old.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

const root = document.querySelector("[data-progress]");
const says = root.querySelector("[data-says]");
const known = { status: root.dataset.status, round: Number(root.dataset.round), standings: root.dataset.standings };
let latest = null, reading = false;

const differs = (state) =>
  state.status !== known.status || state.round !== known.round || (state.standings ?? "") !== known.standings;

/** Read the page again, now or when the pause is over, for as long as it isn't what the events tell. */
async function follow() {
  if (reading || !differs(latest)) return;
  reading = true;
  const { status, round, standings } = latest;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.ok) {
      renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (status !== known.status) says.textContent = `It is ${status}.`;
      else if (round !== known.round) says.textContent = `Round ${round} has begun.`;
      Object.assign(known, { status, round, standings: standings ?? "" });
    }
  } catch {
    // The site may be away for a moment: the next try is after the pause.
  }
  setTimeout(() => { reading = false; follow(); }, PAUSE_MS);
}

const source = new EventSource(root.dataset.progress);
source.addEventListener("tournament", ({ data }) => {
  latest = JSON.parse(data);
  write(root, latest);
  follow();
});
source.addEventListener("end", () => source.close());
addEventListener("pagehide", () => source.close());

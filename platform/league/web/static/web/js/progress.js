// A tournament's progress while it is under way: its events write the numbers in place. Where there is more to
// see than numbers (another status, another round, boards that are complete) the page says so, and its button
// leads there; nothing moves by itself.

const MINUTE = 60, HOUR = 3600, DAY = 86_400;

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

function show(root, state) {
  for (const each of root.querySelectorAll("[data-value]")) {
    each.textContent = number(state[each.dataset.value], Number(each.dataset.digits ?? 0));
  }
  for (const each of root.querySelectorAll("[data-duration]")) {
    each.textContent = duration(state[each.dataset.duration]);
  }
  const bar = root.querySelector("progress");
  bar.max = state.matches_planned || 1;
  bar.value = state.matches;
  const reasons = JSON.parse(document.getElementById("reasons").textContent);
  const why = state.reason ? reasons[state.reason] : "none waits";
  root.querySelector("[data-reason]").textContent = state.place ? `${why}, place ${state.place}` : why;
  root.querySelector("[data-says]").textContent = news(root.dataset, state);
}

/** What there is to see beside the numbers. */
function news(known, state) {
  if (state.status !== known.status) return `It is ${state.status}.`;
  if (state.round !== Number(known.round)) return `Round ${state.round} has begun.`;
  if (state.blocks !== Number(known.blocks)) return "There are new results.";
  return "";
}

const root = document.querySelector("[data-progress]");
const source = new EventSource(root.dataset.progress);
source.addEventListener("tournament", ({ data }) => show(root, JSON.parse(data)));
source.addEventListener("end", () => source.close());
addEventListener("pagehide", () => source.close());

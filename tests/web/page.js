// What a page does with the modules.
import { checkShuffles } from "/js/deal.js";
import { showReplay } from "/js/replay.js";

const asked = new URLSearchParams(location.search);
for (const name of ["theme", "suits"]) if (asked.has(name)) document.documentElement.dataset[name] = asked.get(name);
const record = await (await fetch(`/records/${asked.get("record") ?? 0}`)).json();
window.replay = showReplay(document.getElementById("table"), record, { sprite: "/cards.svg", own: Number(asked.get("own") ?? 0) });
const result = await checkShuffles(record);
const check = document.getElementById("check");
check.textContent = result.reason;
check.classList.add({ sound: "good", unsound: "bad", unknown: "warn" }[result.state]);
check.dataset.state = result.state;

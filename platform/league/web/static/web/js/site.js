// On every page: times in the reader's zone, and the colours that the reader chose.

const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function showTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    time.textContent = zoned.format(new Date(time.dateTime));
  }
}

const chosen = localStorage.getItem("theme") ?? "";
const theme = document.getElementById("theme");

function paint(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

paint(chosen);
theme.value = chosen;
theme.addEventListener("change", () => {
  localStorage.setItem("theme", theme.value);
  paint(theme.value);
});

showTimes(document);
document.body.addEventListener("htmx:afterSwap", (event) => showTimes(event.target));

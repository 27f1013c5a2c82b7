// What a page waits for: an element names events (data-follow), and in their state the field that will differ
// from what the page was made with (data-known). Then the page is read again (data-then="reload"), or what the
// element hides is shown: the page itself does not move.

const at = (state, path) => path.split(".").reduce((value, name) => value?.[name], state);

function follow(element) {
  const { follow: address, event, field, known, then } = element.dataset;
  const source = new EventSource(address);
  source.addEventListener(event, ({ data }) => {
    if (String(at(JSON.parse(data), field)) === known) return;
    source.close();
    if (then === "reload") location.reload();
    else for (const hidden of element.querySelectorAll("[hidden]")) hidden.hidden = false;
  });
  source.addEventListener("end", () => source.close());
  addEventListener("pagehide", () => source.close());
}

document.querySelectorAll("[data-follow]").forEach(follow);

// What of the page is alive that should not be, which hostile texts (tests/web/lived.py) are shown, what was
// blocked: run on each page by tests/web/test_walks.py, which does not depend on the page's own scripts.
() => {
  const hostile = [
    "<img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "</script><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}{% load x %}${7*7}",
    "Wolfeschlegelsteinhausenbergerdorffwelch",
  ];
  const lively = [];
  for (const each of document.querySelectorAll("*")) {
    const what = each.outerHTML.slice(0, 120);
    for (const { name, value } of each.attributes) {
      const address = ["href", "src", "action", "formaction", "xlink:href", "srcdoc"].includes(name);
      if (name.startsWith("on") || (address && /^\s*(javascript|vbscript|data):/i.test(value))) lively.push(what);
    }
    if (each.localName === "script" && !each.src && each.type !== "application/json") lively.push(what);
    if (each.getAttribute("src") === "x") lively.push(what);
  }
  const text = document.body.innerText;
  return { lively, shown: hostile.filter((each) => text.includes(each)), blocked: window.blocked ?? [] };
};

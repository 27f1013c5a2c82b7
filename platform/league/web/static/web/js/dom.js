// Making elements. Text is always text: nothing here reads markup, so a bot's name is as inert as any word.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (null leaves one out, true is an empty one) and children, elements or texts. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function drawing(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

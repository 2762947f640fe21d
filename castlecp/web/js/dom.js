// Elements in one line each. Texts of boards go in as text, never as markup.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [props] attributes, or `onclick` and such
 * @param {(Node | string | null | false | undefined)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else if (key === "class") element.className = String(value);
    else if (key === "value" && "value" in element) element.value = String(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** An icon of 24 x 24 by its path. @param {string} d */
export function icon(d) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}

/**
 * A button with an icon and a name.
 * @param {string} name @param {string} d @param {() => void} act @param {Record<string, unknown>} [more]
 */
export const tool = (name, d, act, more = {}) =>
  h("button", { type: "button", title: name, "aria-label": name, onclick: act, ...more }, icon(d), h("span", { class: "name" }, name));

/** A time as m:ss. @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [m, s] = [Math.floor(seconds / 60), seconds % 60];
  return m < 60
    ? `${m}:${String(s).padStart(2, "0")}`
    : `${Math.floor(m / 60)}:${String(m % 60).padStart(2, "0")}:${String(s).padStart(2, "0")}`;
}

/** Creates an element. The text is data and never becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

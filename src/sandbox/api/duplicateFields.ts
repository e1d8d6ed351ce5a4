/** Returns the paths of duplicate fields in JSON text. JSON.parse silently keeps the last value of each. */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const open: {
    readonly isList: boolean;
    readonly names: Set<string>;
    path: string;
    index: number;
  }[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  let previous = "";
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    const top = open.at(-1);
    if (token === "{" || token === "[") {
      const at = top === undefined ? "" : top.isList ? `${top.path}[${top.index}]` : top.path;
      open.push({ isList: token === "[", names: new Set(), path: at, index: 0 });
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === "," && top?.isList === true) {
      top.index += 1;
    } else if (token.startsWith('"') && top?.isList === false && previous !== ":") {
      const name = nameOf(token);
      const parent = open.at(-2);
      const base =
        parent === undefined ? "" : parent.isList ? `${parent.path}[${parent.index}]` : parent.path;
      top.path = base === "" ? name : `${base}.${name}`;
      if (top.names.has(name)) found.push(top.path);
      top.names.add(name);
    }
    previous = token;
  }
  return found;
}

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

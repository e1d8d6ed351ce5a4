// Reads the descriptions of conf keys in `descriptions/*.txt`. Each key has its own line. After a group of keys, an
// indented line contains their common description. A line that begins with `#` is a comment.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A description that some keys or key families share. */
interface Description {
  readonly keys: readonly string[];
  readonly text: string;
}

const folder = join(import.meta.dirname, "descriptions");

/** Reads all descriptions. Throws if a file has a syntax error. */
export function readDescriptions(): readonly Description[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => descriptionsIn(readFileSync(join(folder, name), "utf8")));
}

function descriptionsIn(text: string): readonly Description[] {
  const descriptions: Description[] = [];
  let keys: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (/^spark\.\S+$/.test(line)) keys.push(line);
    else if (/^ {2}\S.*\.$/.test(line) && keys.length > 0) {
      descriptions.push({ keys, text: line.trim() });
      keys = [];
    } else throw new Error(`neither a key nor the text of one: ${line}`);
  }
  if (keys.length > 0) throw new Error(`nothing is said about ${keys.join(", ")}`);
  return descriptions;
}

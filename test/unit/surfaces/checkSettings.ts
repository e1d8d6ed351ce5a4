import assert from "node:assert/strict";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";
import { readSurface } from "../../../src/spark/surfaces/surfaces.ts";

/**
 * Checks the settings read from a text and their spans. Each expected line is `key = value`; the marked text follows a
 * key or value in quotes if it differs. `--` separates documents.
 */
export function checkSettings(surface: Surface, text: string, expected: string): void {
  const documents = readSurface(text, surface).map(({ entries }) =>
    entries.map(({ key, keySpan, value, valueSpan }) => {
      const written = text.slice(keySpan.start, keySpan.end);
      const given = text.slice(valueSpan.start, valueSpan.end);
      const name = written === key ? key : `${key} "${written}"`;
      return `${name} = ${given === value ? value : `${value} "${given}"`}`.trimEnd();
    }),
  );
  assert.equal(documents.map((lines) => lines.join("\n")).join("\n--\n"), expected.trim());
}

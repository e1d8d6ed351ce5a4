import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changesIn } from "./clusterCalls.ts";
import { readText } from "./sources.ts";

// The planted violation is compiled together with the project, so that the compiler runs only once for all tests.
const planted = {
  path: "src/editor/lifecycle/planted.ts",
  text: `import type { Connection } from "../../engine/ports/connection.ts";
import { deletePod } from "../../engine/deletePod.ts";
export const remove = deletePod;
export async function run({ evictions: own, exec }: Connection): Promise<void> {
  const pod = { namespace: "n", name: "p" };
  const { signal } = new AbortController();
  await own.evict(pod, { uid: undefined, gracePeriodSeconds: undefined }, signal);
  const { start } = exec;
  await start({ namespace: "n", pod: "p", container: undefined, command: [], terminal: undefined }, signal);
}
`,
};
const { calls, imports } = changesIn(planted);
const document = await readText("src/clusterChanges.md");

/** Returns the cells of the table below a heading, row by row, without the header row. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const section = document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

/**
 * Returns the files of editor/ that send a changing request, or import a file of engine/ that does, even indirectly.
 */
function editorFiles(): readonly string[] {
  const changing = new Set(calls.map(({ path }) => path));
  const reaching = new Set(changing);
  // Iterating a set includes elements that are added during the loop.
  for (const target of reaching) {
    if (!target.startsWith("src/engine/")) continue;
    for (const [path, imported] of imports) if (imported.has(target)) reaching.add(path);
  }
  return [...reaching].filter((path) => path.startsWith("src/editor/")).sort();
}

const isPlanted = (path: string): boolean => path === planted.path;

describe("requests that change a cluster", () => {
  test("are found behind other names for a port", () => {
    assert.deepEqual(
      calls.filter(({ path }) => isPlanted(path)).map(({ request }) => request),
      ["Evictions.evict", "PodExec.start"],
    );
    assert.ok(editorFiles().some(isPlanted));
  });

  test("are those that the document lists", () => {
    const found = calls
      .filter(({ path }) => !isPlanted(path))
      .map(({ path, request }) => `${path.replace("src/", "")} ${request}`);
    const listed = rowsOf("Requests").map(([path, request]) => `${path ?? ""} ${request ?? ""}`);
    assert.deepEqual([...listed].sort(), [...found].sort());
  });

  test("are sent from the listed files, each of which asks the guard or gives a reason", async () => {
    const rows = rowsOf("Guards");
    assert.deepEqual(
      rows.map(([path]) => `src/${path ?? ""}`).sort(),
      editorFiles().filter((path) => !isPlanted(path)),
    );
    for (const [path = "", guard = ""] of rows) {
      if (guard.startsWith("none: ")) continue;
      const asking = /^by its caller: (\S+) asks$/.exec(guard)?.[1] ?? path;
      if (asking === path) assert.equal(guard, "asks", path);
      else assert.ok(imports.get(`src/${asking}`)?.has(`src/${path}`), `${asking} is no caller`);
      assert.match(await readText(`src/${asking}`), /\b(?:mayChange|askToChange)\(/, asking);
    }
  });
});

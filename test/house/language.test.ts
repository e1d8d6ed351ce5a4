// Checks comments, test names and user-visible text against the language rules of language.ts.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import {
  commentsOf,
  languageFaults,
  shownTextsOf,
  superlativesOf,
  testNamesOf,
} from "./language.ts";
import { projectRoot, readSources, type Source } from "./sources.ts";

/** Paths of files that break the rules on purpose, and of the test host's packages. */
const exempt = ["test/house/language.test.ts", "test/house/planted/", "test/host/kit/"];

const sources = [
  ...(await readSources("src", ".ts")),
  ...(await readSources("test", ".ts")),
].filter(({ path }) => !exempt.some((place) => path.startsWith(place)));

describe("all sources", () => {
  test("have no language fault in comments, test names and texts of the user interface", () => {
    assert.deepEqual(sources.flatMap(faultsOf), []);
  });

  test("name no constant, parameter or field by a superlative", () => {
    const names = sources.flatMap(superlativesOf).map(({ place, text }) => `${place} ${text}`);
    assert.deepEqual(names, []);
  });
});

function faultsOf(source: Source): readonly string[] {
  const sentences = [
    ...commentsOf(source),
    ...(source.path.startsWith("test/") ? testNamesOf(source) : shownTextsOf(source)),
  ];
  return sentences.flatMap(({ place, text }) =>
    languageFaults(text).map((fault) => `${place} ${fault}`),
  );
}

describe("planted faults", () => {
  const planted = (path: string, ...lines: readonly string[]): Source => ({
    path,
    text: lines.join("\n"),
  });

  test("are found in comments of all forms", () => {
    const source = planted(
      "src/x.ts",
      "// What is asked for",
      "// stays.",
      "export const a = 1; // Begun anew.",
      "/** Nobody knows. */",
      "export function f(): void {",
      "  // Of those none.",
      "}",
      "/* It goes on. */",
    );
    assert.deepEqual(faultsOf(source), [
      'src/x.ts:1 begins with "What": name the thing first',
      'src/x.ts:3 "anew": write again, or a precise verb such as relist',
      'src/x.ts:4 "Nobody": write the caller, the user or a passive sentence',
      'src/x.ts:6 begins with "Of those": name the thing first',
      'src/x.ts:8 "goes on": write continue, is active or in use',
    ]);
  });

  test("are found in test names", () => {
    const source = planted(
      "test/x.test.ts",
      'describe("rehearsals", () => {',
      '  test("what is gone is gone", () => {});',
      '  test("relists after 410 Gone", () => {});',
      "});",
    );
    assert.deepEqual(faultsOf(source), [
      'test/x.test.ts:1 "rehearsals": write simulation',
      'test/x.test.ts:2 "is gone": write was deleted, ended or does not exist',
    ]);
  });

  test("are found in texts of the user interface", () => {
    const source = planted(
      "src/x.ts",
      'const a = l10n.t("Mend {0}", name);',
      'const b = l10n.t("Fix {0}", name);',
      'const c = "What is not shown";',
    );
    assert.deepEqual(faultsOf(source), ['src/x.ts:1 "Mend": write fix']);
  });

  test("are found in names", () => {
    const source = planted(
      "src/x.ts",
      "const mostRows = 1;",
      "class A { readonly #longestWait = 1; }",
      "interface B { readonly usual: number; readonly maxRows: number }",
      "const f = (shortestPath: number, most: number): number => shortestPath + most;",
    );
    assert.deepEqual(
      superlativesOf(source).map(({ text }) => text),
      ["mostRows", "longestWait", "usual", "shortestPath", "most"],
    );
  });

  test("are found in long sentences, but not in questions and several short ones", () => {
    const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");
    assert.deepEqual(languageFaults(`${words(46)}.`), ["46 words in one sentence"]);
    assert.deepEqual(languageFaults(`${words(40)}. Then ${words(40)}.`), []);
    assert.deepEqual(languageFaults("Who is it?"), []);
  });
});

describe("commit subjects", () => {
  // The rule applies to the commits after this one.
  const base = "a52817c";
  const maxLength = 72;
  const subjectFault = (subject: string): string | undefined => {
    if (subject.length > maxLength) return `${subject.length} characters: ${subject}`;
    return subject.endsWith(".") ? `ends with a period: ${subject}` : undefined;
  };

  test(`have at most ${maxLength} characters and no trailing period`, async (t) => {
    const subjects = await subjectsSince(base);
    if (subjects === undefined) t.diagnostic(`No git history since ${base}: nothing was checked.`);
    const faults = (subjects ?? []).flatMap((subject) => subjectFault(subject) ?? []);
    assert.deepEqual(faults, []);
  });

  test("that are too long or end with a period are found", () => {
    assert.equal(subjectFault("Relist after a silent watch"), undefined);
    assert.match(subjectFault("Relist after a silent watch.") ?? "", /^ends with a period/);
    assert.match(subjectFault("x".repeat(73)) ?? "", /^73 characters/);
  });
});

/** Returns the commit subjects after `base`; undefined without git, in a shallow clone, or without history. */
async function subjectsSince(base: string): Promise<readonly string[] | undefined> {
  const git = promisify(execFile);
  try {
    const options = { cwd: projectRoot, maxBuffer: 2 ** 24 };
    const { stdout } = await git("git", ["log", "--format=%s", `${base}..HEAD`], options);
    return stdout.split("\n").filter((line) => line !== "");
  } catch {
    return undefined;
  }
}

// The example workspace has no mistakes except one deliberate one.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf } from "../../../src/base/json.ts";
import { exampleProgram } from "../../../src/editor/sandbox/exampleProgram.ts";
import { judgeProfile, profilesIn } from "../../../src/spark/submit/profile/profilesText.ts";
import { projectRoot } from "../../house/sources.ts";

const folder = join(projectRoot, "media/example");

test("its profiles have no problem, and name files that are there", async () => {
  const profiles = profilesIn(await readFile(join(folder, ".vscode/tasks.json"), "utf8"));
  assert.deepEqual(
    profiles.map(({ label }) => label),
    ["word lengths (Python)", "pi", "letters (Java)"],
  );
  for (const profile of profiles) {
    assert.deepEqual(judgeProfile(profile), [], profile.label);
    const { application, propertiesFile } = fieldsOf(profile.definition);
    const own = /^\$\{workspaceFolder\}\/(.+)$/.exec(String(application))?.[1];
    const files = [own, propertiesFile].filter((name) => typeof name === "string");
    for (const name of files) await access(join(folder, name));
  }
});

test("the program that its window opens is there", async () => {
  await access(join(folder, exampleProgram));
});

test("the linter finds one misspelled key in it, and nothing else", async () => {
  const lint = ["lint", "--spark", "4.3", "--format", "json", folder];
  // Exits with 1, because there is a finding.
  const program = join(projectRoot, "dist/cli.cjs");
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program, ...lint], (_, text) => {
      resolve(text);
    });
  });
  const found = JSON.parse(stdout) as readonly { severity: string; message: string }[];
  // Findings of the severity "information" are not mistakes.
  const mistakes = found.filter(({ severity }) => severity === "error" || severity === "warning");
  assert.equal(mistakes.length, 1, stdout);
  assert.match(mistakes[0]?.message ?? "", /spark\.excutor\.memory/);
});

test("the jar holds the class that its profile names", async () => {
  const jar = await readFile(join(folder, "jobs/letters.jar"));
  assert.ok(jar.includes("Letters.class"));
});

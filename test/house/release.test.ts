// Checks the assumptions of the release workflow, which runs only when a tag is pushed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parseDocument } from "yaml";
import { projectRoot } from "./sources.ts";

interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const text = read(".github/workflows/release.yml");
const document = parseDocument(text);
const workflow = document.toJS() as Workflow;
const manifest = JSON.parse(read("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

describe("the release workflow", () => {
  test("is YAML without errors", () => {
    assert.deepEqual([...document.errors, ...document.warnings], []);
  });

  test("runs on tags alone", () => {
    assert.deepEqual(workflow.on, { push: { tags: ["v*.*.*"] } });
  });

  test("names npm scripts that exist", () => {
    const runs = steps.flatMap(({ run }) => run ?? []).join("\n");
    const named = [...runs.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test)\b)/g)].map(
      ([, script, test]) => script ?? test ?? "",
    );
    assert.deepEqual([...new Set(named)].sort(), ["check", "fuzz", "package", "test"]);
    for (const name of named) assert.ok(Object.hasOwn(manifest.scripts, name), name);
  });

  test("pins each action by the whole hash of a commit, with its version beside it", () => {
    const uses = text.split("\n").filter((line) => /\buses:/.test(line));
    assert.equal(uses.length, steps.filter((step) => step.uses !== undefined).length);
    for (const line of uses) {
      assert.match(line, /uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test("runs the version of Node that the project pins", () => {
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/setup-node@"))) {
      assert.equal(step.with?.["node-version"], manifest.devDependencies["node"]);
    }
  });

  test("grants nothing by default, and each job only what it uses", () => {
    assert.deepEqual(workflow.permissions, {});
    assert.deepEqual(
      Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions]),
      [
        ["package", { contents: "read" }],
        ["attest", { "id-token": "write", attestations: "write" }],
        ["marketplace", { contents: "read" }],
        ["open-vsx", {}],
      ],
    );
  });

  test("gives tokens only to the step that publishes, in an environment of its own", () => {
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const withSecrets = job.steps.filter((step) => JSON.stringify(step).includes("secrets."));
      assert.equal(withSecrets.length, job.environment === undefined ? 0 : 1, name);
      for (const { run } of withSecrets) assert.match(run ?? "", /^\S+ publish /);
    }
  });

  test("publishes only attested files", () => {
    assert.equal(workflow.jobs["attest"]?.needs, "package");
    assert.equal(workflow.jobs["marketplace"]?.needs, "attest");
    assert.equal(workflow.jobs["open-vsx"]?.needs, "attest");
  });

  test("puts no text of an event into a script", () => {
    for (const { run = "" } of steps) assert.ok(!run.includes("${{"), run);
  });
});

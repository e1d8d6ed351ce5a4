import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { CodeError, CodeRules } from "../../../../src/engine/ports.ts";
import type { Result } from "../../../../src/base/result.ts";
import type {
  CodeRequest,
  SentCode,
  SentFile,
} from "../../../../src/spark/submit/code/sentCode.ts";
import { codeCollector } from "../../../../src/storage/code/codeCollector.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

type Tree = Readonly<Record<string, string | Buffer>>;

interface Asked extends Partial<Omit<CodeRules, "root">> {
  readonly main?: string;
  readonly dependencies?: readonly string[];
  readonly isPython?: boolean;
}

/** A workspace with these files, and its collections. */
class Workspace {
  readonly root: string;

  constructor(t: TestContext, tree: Tree) {
    this.root = temporaryFolder(t);
    this.write(tree);
  }

  write(tree: Tree): void {
    for (const [name, content] of Object.entries(tree)) {
      mkdirSync(dirname(this.at(name)), { recursive: true });
      writeFileSync(this.at(name), content);
    }
  }

  at(name: string): string {
    return join(this.root, name);
  }

  async result(asked: Asked = {}): Promise<Result<SentCode, CodeError>> {
    const { main = "main.py", dependencies = [], isPython = true } = asked;
    const request: CodeRequest = {
      main: main === "" ? undefined : this.at(main),
      isPython,
      dependencies: dependencies.map((name) => this.at(name)),
    };
    const { include = [], exclude = [] } = asked;
    const rules = { root: this.root, include, exclude };
    return codeCollector.collect(request, rules, new AbortController().signal);
  }

  async collect(asked?: Asked): Promise<SentCode> {
    const result = await this.result(asked);
    assert.ok(result.ok, result.ok ? "" : `${result.error.path}: ${result.error.detail}`);
    return result.value;
  }

  /** As `path: detail`, where the root is `.`. */
  async failure(asked?: Asked): Promise<string> {
    const result = await this.result(asked);
    assert.ok(!result.ok);
    return `${result.error.path}: ${result.error.detail}`.replaceAll(this.root, ".");
  }

  /** As `path: reason`. */
  leftOut({ leftOut }: SentCode): readonly string[] {
    return leftOut.map(({ path, reason }) => `${path.slice(this.root.length + 1)}: ${reason}`);
  }
}

const modulesOf = ({ files }: SentCode): SentFile | undefined =>
  files.find(({ role }) => role.kind === "modules");

describe("code that is sent", () => {
  test("is the main file alone without imports from the workspace", async (t) => {
    const workspace = new Workspace(t, { "main.py": "import os, pandas\n", "other.py": "" });
    const { files, leftOut } = await workspace.collect();
    assert.deepEqual(files, [
      {
        name: "main.py",
        size: 18,
        isExecutable: false,
        role: { kind: "requested", path: workspace.at("main.py") },
        content: { kind: "inline", base64: Buffer.from("import os, pandas\n").toString("base64") },
        members: [],
      },
    ]);
    assert.deepEqual(leftOut, []);
  });

  test("has an archive with the modules that the main file imports", async (t) => {
    const workspace = new Workspace(t, {
      "main.py": "from etl import orders\n",
      "etl/__init__.py": "",
      "etl/orders.py": "from .clean import tidy\nimport etl.missing\n",
      "etl/clean.py": "from . import orders\n",
      "etl/unused.py": "",
    });
    const sent = await workspace.collect();
    const archive = modulesOf(sent);
    assert.match(archive?.name ?? "", /^modules-[0-9a-f]{12}\.zip$/);
    assert.deepEqual(
      archive?.members.map(({ name, reason }) => `${name} (${reason})`),
      ["etl/__init__.py (main.py)", "etl/clean.py (etl/orders.py)", "etl/orders.py (main.py)"],
    );
  });
});

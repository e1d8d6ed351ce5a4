import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Result } from "../../../../src/base/result.ts";
import type { CodeError, CodeRules } from "../../../../src/engine/ports/files.ts";
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
  readonly named?: readonly string[];
}

/** A temporary workspace folder with the files of a tree. Its methods run the code collector in it. */
export class Workspace {
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
      ...(asked.named === undefined ? {} : { named: asked.named }),
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

  /** Expects the collector to fail, and returns `path: detail` with `.` for the root. */
  async failure(asked?: Asked): Promise<string> {
    const result = await this.result(asked);
    assert.ok(!result.ok);
    return `${result.error.path}: ${result.error.detail}`.replaceAll(this.root, ".");
  }

  /** Returns `path: reason` for each omitted file. */
  leftOut({ leftOut }: SentCode): readonly string[] {
    return leftOut.map(({ path, reason }) => `${path.slice(this.root.length + 1)}: ${reason}`);
  }
}

export const modulesOf = ({ files }: SentCode): SentFile | undefined =>
  files.find(({ role }) => role.kind === "modules");

export const memberNames = (sent: SentCode): readonly string[] =>
  (modulesOf(sent)?.members ?? []).map(({ name }) => name);

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { LogDocuments } from "../../../src/editor/logs/logDocuments.ts";
import { LogProblems } from "../../../src/editor/logs/logProblems.ts";
import { WorkspaceFiles } from "../../../src/editor/logs/workspaceFiles.ts";
import { RecordReader, type LogRecord } from "../../../src/spark/logs/logRecord.ts";
import { until, type Suite } from "./runSuite.ts";

const place = vscode.workspace.workspaceFolders?.[0]?.uri.path ?? "";
const program = vscode.Uri.file(`${place}/shares.py`);
const notHeld = "This log is not held any more. Open it again.";

/** What a problem of a log leads to is held as long as the problem, and no longer. */
export const traceSuite: Suite = {
  "the text behind a problem of a log goes when its file is saved": async () => {
    await withProblem(async ({ text }) => {
      assert.match(text(), /ZeroDivisionError/);
      const document = await vscode.workspace.openTextDocument(program);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(program, new vscode.Position(0, 0), "# mended\n");
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await until("an end of the problem", () => problems().length === 0 || undefined);
      assert.equal(text(), notHeld);
    });
  },
  "the text behind a problem of a log goes when the next run begins": async () => {
    await withProblem(({ text, begin }) => {
      begin("another");
      assert.match(text(), /ZeroDivisionError/);
      begin("orders");
      assert.equal(problems().length, 0);
      assert.equal(text(), notHeld);
      return Promise.resolve();
    });
  },
};

interface Told {
  /** What the problem leads to, as it is now. */
  readonly text: () => string;
  readonly begin: (view: string) => void;
}

async function withProblem(look: (told: Told) => Promise<void>): Promise<void> {
  await vscode.workspace.fs.writeFile(program, Buffer.from("\n".repeat(9)));
  const errors: unknown[] = [];
  const log = {
    debug: () => undefined,
    warn: () => undefined,
    error: (error: unknown) => errors.push(error),
    show: () => undefined,
    dispose: () => undefined,
  };
  const documents = new LogDocuments();
  const all = new LogProblems(new WorkspaceFiles(Date.now), documents, log);
  try {
    all.tell({ view: "orders", label: "driver", record: traceRecord(), before: [] });
    const problem = await until("a problem", () => problems()[0]);
    const uri = problem.relatedInformation?.[0]?.location.uri;
    assert.ok(uri);
    await look({
      text: () => documents.provideTextDocumentContent(uri),
      begin: (view) => {
        all.begin(view);
      },
    });
    assert.deepEqual(errors, []);
  } finally {
    all.dispose();
    documents.dispose();
  }
}

const problems = (): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(program).filter(({ source }) => source === "Spark log");

function traceRecord(): LogRecord {
  const reader = new RecordReader();
  const lines = [
    "Traceback (most recent call last):",
    '  File "/opt/spark/work-dir/shares.py", line 7, in share',
    "    return part / whole",
    "ZeroDivisionError: division by zero",
  ].map((text) => ({ timestamp: "", text }));
  const [record] = [...reader.read(lines), ...reader.flush()];
  assert.ok(record);
  return record;
}

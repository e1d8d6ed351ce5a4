import assert from "node:assert/strict";
import * as vscode from "vscode";
import { LogDocuments } from "../../../src/editor/logs/logDocuments.ts";
import { LogProblems } from "../../../src/editor/logs/logProblems.ts";
import type { LogView, TracedView } from "../../../src/editor/logs/shownLogs.ts";
import { WorkspaceFiles } from "../../../src/editor/logs/workspaceFiles.ts";
import { RecordReader, type LogRecord } from "../../../src/spark/logs/logRecord.ts";
import type { ShownRecord } from "../../../src/spark/logs/logView.ts";
import { frameIn } from "../../../src/spark/logs/traceFrames.ts";
import { until, type Suite } from "./runSuite.ts";

const place = vscode.workspace.workspaceFolders?.[0]?.uri.path ?? "";
const program = vscode.Uri.file(`${place}/shares.py`);
const notHeld = "This log is no longer in memory. Open it again.";

/** Tests that the document behind a problem of a log exists exactly as long as the problem. */
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
  "a trace finds files whose names have other letters and signs": async () => {
    const files = new WorkspaceFiles(Date.now);
    for (const name of ["größe.py", "作业.py", "job (1).py", "[draft] {etl}.py", "a*b.py"]) {
      const file = vscode.Uri.file(`${place}/named/${name}`);
      await vscode.workspace.fs.writeFile(file, Buffer.from("\n"));
      const frame = frameIn(`  File "C:\\jobs\\named\\${name}", line 1, in <module>`);
      assert.ok(frame);
      assert.equal((await files.find(frame))?.path, file.path, name);
    }
    const similar = frameIn('  File "/opt/named/a+b.py", line 1, in <module>');
    assert.ok(similar);
    assert.equal(await files.find(similar), undefined);
  },
  "a frame past the end of the file is no problem": async () => {
    await withProblem(async ({ take }) => {
      // Line 99, not 11: an open editor may still contain the line that the first test inserted.
      take(traceRecord({ line: 99, error: "KeyError: 'total'" }));
      take(traceRecord({ line: 10, error: "KeyError: 'amount'" }));
      await until("the second problem", () => problems().length > 1 || undefined);
      assert.deepEqual(
        problems().map(({ message }) => message),
        ["ZeroDivisionError: division by zero", "KeyError: 'amount'"],
      );
    });
  },
  "the text behind a problem of a log goes when the next run begins": async () => {
    await withProblem(({ text, begin }) => {
      begin({ name: "another", place: "dev/etl" });
      begin({ name: "orders", place: "dev/staging" });
      assert.match(text(), /ZeroDivisionError/);
      begin({ name: "orders", place: "dev/etl" });
      assert.equal(problems().length, 0);
      assert.equal(text(), notHeld);
      return Promise.resolve();
    });
  },
};

interface Told {
  /** Returns the current text of the document that the problem links to. */
  readonly text: () => string;
  readonly begin: (view: TracedView) => void;
  readonly take: (record: LogRecord) => void;
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
    const take = (record: LogRecord): void => {
      const shown = { number: 1, source: "a", record, isLate: false, same: undefined };
      all.take([shown], viewOf(shown), { name: "orders", place: "dev/etl" });
    };
    take(traceRecord());
    const problem = await until("a problem", () => problems()[0]);
    const uri = problem.relatedInformation?.[0]?.location.uri;
    assert.ok(uri);
    await look({
      text: () => documents.provideTextDocumentContent(uri),
      begin: (view) => {
        all.begin(view);
      },
      take,
    });
    assert.deepEqual(errors, []);
  } finally {
    all.dispose();
    documents.dispose();
  }
}

const problems = (): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(program).filter(({ source }) => source === "Spark log");

const viewOf = (shown: ShownRecord): LogView => ({
  name: "orders",
  records: [shown],
  isClosed: false,
  labelOf: () => "driver",
  before: () => [],
  turn: () => undefined,
  openDocument: () => undefined,
  openUi: undefined,
});

function traceRecord({ line = 7, error = "ZeroDivisionError: division by zero" } = {}): LogRecord {
  const reader = new RecordReader();
  const lines = [
    "Traceback (most recent call last):",
    `  File "/opt/spark/work-dir/shares.py", line ${line}, in share`,
    "    return part / whole",
    error,
  ].map((text) => ({ timestamp: "", text }));
  const [record] = [...reader.read(lines), ...reader.flush()];
  assert.ok(record);
  return record;
}

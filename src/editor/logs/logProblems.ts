import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  l10n,
  Location,
  Position,
  Range,
  workspace,
  type TextDocument,
  type Uri,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import type { ShownRecord } from "../../spark/logs/logView.ts";
import { placeOfSql } from "../../spark/logs/sqlPlace.ts";
import { describeException } from "../../spark/diagnosis/describeLogCause.ts";
import { frameIn, traceStart, type TraceFrame } from "../../spark/logs/traceFrames.ts";
import { thrownBy, type ThrownError } from "../../spark/logs/traces.ts";
import type { Log } from "../log.ts";
import { recordsBefore, type LogView, type TracedView } from "./shownLogs.ts";
import type { LogDocuments } from "./logDocuments.ts";
import type { WorkspaceFiles } from "./workspaceFiles.ts";
import { translated } from "../ui/translated.ts";
import { languages } from "../ui/languages.ts";

/** A stack trace in a shown log. */
interface LoggedTrace {
  readonly view: TracedView;
  /** The log: `driver`, `executor 3`. */
  readonly label: string;
  readonly record: LogRecord;
  /** The preceding records of the same log. */
  readonly before: readonly LogRecord[];
}

/** The maximum number of problems for each followed application. */
const maxProblems = 200;
/** The maximum number of characters in all linked documents. Beyond it, the oldest documents are dropped. */
const maxCharacters = 32 << 20;

interface Found {
  readonly uri: Uri;
  readonly diagnostic: Diagnostic;
  /** The document linked from the problem. */
  readonly text: Uri;
}

/** Shows stack traces in followed logs as problems in workspace files. */
export class LogProblems implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #all = this.#owned.add(languages.createDiagnosticCollection("spark-log"));
  readonly #files: WorkspaceFiles;
  readonly #documents: LogDocuments;
  readonly #log: Log;
  /** Problems by name and place of the application. Both are the same for the next run, which replaces the problems. */
  readonly #byView = new Map<string, Found[]>();
  /** Sizes of the linked documents in characters, the oldest first. */
  readonly #texts = new Map<Uri, number>();
  #held = 0;
  #traces = 0;

  constructor(files: WorkspaceFiles, documents: LogDocuments, log: Log) {
    this.#files = files;
    this.#documents = documents;
    this.#log = log;
    // Saving a file clears its problems. Later stack traces can add new ones.
    this.#owned.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        for (const [view, found] of this.#byView) {
          const isOfFile = (one: Found): boolean => same(one.uri, uri);
          for (const one of found.filter(isOfFile)) this.#dropText(one.text);
          this.#byView.set(
            view,
            found.filter((one) => !isOfFile(one)),
          );
        }
        this.#all.delete(uri);
      }),
    );
  }

  /** Clears the problems of the application's earlier runs. */
  begin(view: TracedView): void {
    const key = keyOf(view);
    for (const { text } of this.#byView.get(key) ?? []) this.#dropText(text);
    this.#byView.delete(key);
    this.#show();
  }

  /** Shows the stack traces of new records as problems. */
  take(records: readonly ShownRecord[], view: LogView, traced: TracedView): void {
    for (const shown of records) {
      const { source, record, same } = shown;
      if (!record.hasTrace || same !== undefined) continue;
      const before = view.before(shown, recordsBefore);
      this.#tell({ view: traced, label: view.labelOf(source), record, before }).catch(
        this.#log.error,
      );
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #tell(trace: LoggedTrace): Promise<void> {
    const thrown = thrownBy(trace.record);
    if (thrown === undefined) return;
    const place = await this.#placeOf(trace.record);
    if (place === undefined) return;
    const range = rangeOf(place.document, place.frame, thrown);
    const { name, message: detail } = thrown;
    const whole = detail === "" ? name : `${name}: ${detail}`;
    // Put the short cause first: the Problems view truncates long lines, and Spark names the column or table at the
    // end.
    const cause = describeException(name, detail);
    const message = cause === undefined ? whole : `${translated(cause)}\n${whole}`;
    const diagnostic = new Diagnostic(range, message, DiagnosticSeverity.Error);
    diagnostic.source = l10n.t("Spark log");
    const found = this.#byView.get(keyOf(trace.view)) ?? [];
    if (found.length >= maxProblems) return;
    // Skip a known problem, because two terminals may follow the same run.
    const isKnown = found.some(
      ({ uri, diagnostic: { message: known, range: at } }) =>
        same(uri, place.uri) && known === message && at.isEqual(range),
    );
    if (isKnown) return;
    const back = this.#linkBack(trace);
    diagnostic.relatedInformation = [back];
    found.push({ uri: place.uri, diagnostic, text: back.location.uri });
    this.#byView.set(keyOf(trace.view), found);
    this.#show();
  }

  /**
   * Finds the innermost frame in a workspace file: the last frame in Python, the first frame on the JVM. Uses a match
   * by file name alone only if no frame also matches a folder. Skips a frame whose line is past the end of the file: it
   * belongs to another file or version.
   */
  async #placeOf(record: LogRecord): Promise<TracePlace | undefined> {
    const lines = [record.text, ...record.rest.map(({ text }) => text)];
    const frames = lines.flatMap((text) => frameIn(text) ?? []);
    const python = frames.filter(({ isWholePath }) => isWholePath).reverse();
    const ordered = [...python, ...frames.filter(({ isWholePath }) => !isWholePath)];
    for (const least of [2, 1]) {
      for (const frame of ordered) {
        const uri = await this.#files.find(frame, least);
        if (uri === undefined) continue;
        const document = await workspace.openTextDocument(uri);
        if (frame.line <= document.lineCount) return { uri, document, frame };
      }
    }
    return undefined;
  }

  #linkBack({ view, label, record, before }: LoggedTrace): DiagnosticRelatedInformation {
    const lines = [...before, record].flatMap((one) => [
      one.text,
      ...one.rest.map(({ text }) => text),
    ]);
    const own = lines.slice(-record.rest.length - 1);
    const at = lines.length - own.length + traceStart(own);
    this.#traces += 1;
    const uri = this.#documents.keep(`/traces/${this.#traces}/${view.name} ${label}.log`, lines);
    let size = 0;
    for (const line of lines) size += line.length;
    this.#texts.set(uri, size);
    this.#held += size;
    for (const oldest of this.#texts.keys()) {
      if (this.#held <= maxCharacters || oldest === uri) break;
      this.#dropText(oldest);
    }
    const location = new Location(uri, new Position(at, 0));
    return new DiagnosticRelatedInformation(location, l10n.t("in the log of {0}", label));
  }

  #dropText(uri: Uri): void {
    this.#held -= this.#texts.get(uri) ?? 0;
    this.#texts.delete(uri);
    this.#documents.forget(uri);
  }

  #show(): void {
    this.#all.clear();
    const byFile = new Map<string, { readonly uri: Uri; readonly list: Diagnostic[] }>();
    for (const { uri, diagnostic } of [...this.#byView.values()].flat()) {
      const file = byFile.get(uri.toString()) ?? { uri, list: [] };
      file.list.push(diagnostic);
      byFile.set(uri.toString(), file);
    }
    for (const { uri, list } of byFile.values()) this.#all.set(uri, list);
  }
}

/** A stack frame in a workspace file. */
interface TracePlace {
  readonly uri: Uri;
  readonly document: TextDocument;
  readonly frame: TraceFrame;
}

function rangeOf(document: TextDocument, frame: TraceFrame, thrown: ThrownError): Range {
  const line = frame.line - 1;
  if (thrown.sqlPosition) {
    const lines = document.getText().split(/\r?\n/).slice(line);
    const place = placeOfSql(lines, thrown.sqlPosition);
    if (place) {
      const at = new Position(line + place.line, place.column);
      return document.getWordRangeAtPosition(at) ?? new Range(at, at.translate(0, 1));
    }
  }
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(line);
  return new Range(line, firstNonWhitespaceCharacterIndex, line, range.end.character);
}

const keyOf = ({ name, place }: TracedView): string => `${place}/${name}`;

const same = (a: Uri, b: Uri): boolean => a.toString() === b.toString();

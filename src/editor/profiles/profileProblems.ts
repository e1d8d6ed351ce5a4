import { inEnglish } from "../../base/message.ts";
import { translated } from "../../editor/ui/translated.ts";
import { Diagnostic, DiagnosticSeverity, Range, Uri, workspace, type TextDocument } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Span } from "../../base/span.ts";
import type { Log } from "../log.ts";
import type * as profilesDoor from "./door.ts";
import type { FindingPlace, ProfileFinding } from "./profileFinding.ts";
import type { ProfileName } from "./profileName.ts";
import { languages } from "../ui/languages.ts";

type Door = typeof profilesDoor;

/**
 * A finding and the text that it refers to. `ProfileProblems` shows it only while the document has this text at the
 * place of the finding.
 */
interface Anchored {
  readonly uri: Uri;
  readonly finding: ProfileFinding;
  readonly find: (text: string) => Span | undefined;
  readonly about: string;
}

/**
 * Shows diagnostics of run profiles. Static findings are updated while the user types. Findings of a run or check stay
 * until the text they refer to changes, or until the next run or check.
 */
export class ProfileProblems implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(languages.createDiagnosticCollection("spark-profiles"));
  readonly #found = new Map<string, readonly Anchored[]>();
  readonly #load: () => Promise<Door>;
  readonly #log: Log;

  constructor(load: () => Promise<Door>, log: Log) {
    this.#load = load;
    this.#log = log;
  }

  /** Updates the diagnostics of a document. */
  async refresh(document: TextDocument): Promise<void> {
    const { version, uri } = document;
    if (!isTasksFile(document) && !this.#hasFound(uri)) return;
    const door = await this.#load();
    if (document.isClosed || document.version !== version || this.#owned.isDisposed) return;
    const text = document.getText();
    const toDiagnostic = (finding: ProfileFinding, { start, end }: Span): Diagnostic => {
      const range = new Range(document.positionAt(start), document.positionAt(end));
      const diagnostic = new Diagnostic(
        range,
        translated(finding.message),
        severities[finding.severity],
      );
      diagnostic.source = "Spark";
      diagnostic.code = finding.code;
      return diagnostic;
    };
    const written = isTasksFile(document) ? this.#judge(door, text) : [];
    const found = [...this.#found.values()]
      .flat()
      .filter((one) => one.uri.toString() === uri.toString())
      .flatMap(({ finding, find, about }) => {
        const span = find(text);
        return span && text.slice(span.start, span.end) === about ? [{ finding, span }] : [];
      });
    const unique = new Map(
      [...written, ...found].map(({ finding, span }) => [
        `${span.start} ${finding.code} ${inEnglish(finding.message)}`,
        toDiagnostic(finding, span),
      ]),
    );
    this.#shown.set(uri, [...unique.values()]);
  }

  /**
   * Replaces a profile's findings. Returns the place of each finding, in order; undefined for a finding without a
   * place.
   */
  async report(
    profile: ProfileName,
    findings: readonly ProfileFinding[],
  ): Promise<readonly (FindingPlace | undefined)[]> {
    const door = await this.#load();
    const tasksFile = await this.#tasksFileOf(door, profile);
    const key = `${profile.folder?.toString() ?? ""} ${profile.name}`;
    const before = this.#found.get(key) ?? [];
    const anchors: Anchored[] = [];
    const places: (FindingPlace | undefined)[] = [];
    for (const finding of findings) {
      const place = await this.#placeOf(door, finding, profile.name, tasksFile);
      const span = place?.find(place.document.getText());
      if (place === undefined || span === undefined) {
        places.push(undefined);
        continue;
      }
      const { document, find } = place;
      const range = new Range(document.positionAt(span.start), document.positionAt(span.end));
      places.push({ uri: document.uri, range });
      const about = document.getText().slice(span.start, span.end);
      anchors.push({ uri: document.uri, finding, find, about });
    }
    this.#found.set(key, anchors);
    const uris = new Map([...before, ...anchors].map(({ uri }) => [uri.toString(), uri]));
    for (const uri of uris.values()) {
      const document = await openDocument(uri);
      if (document === undefined) this.#shown.delete(uri);
      else await this.refresh(document);
    }
    return places;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #hasFound(uri: Uri): boolean {
    const isHere = (one: Anchored): boolean => one.uri.toString() === uri.toString();
    return [...this.#found.values()].some((anchors) => anchors.some(isHere));
  }

  #judge(door: Door, text: string) {
    return door.profilesIn(text).flatMap((profile) =>
      door.judgeProfile(profile).map((finding) => {
        const path = finding.origin?.kind === "member" ? finding.origin.path : [];
        return { finding, span: profile.spanOf(path, door.partOf(finding)) };
      }),
    );
  }

  async #tasksFileOf(door: Door, { name, folder }: ProfileName): Promise<TextDocument | undefined> {
    const candidates = [
      ...(folder === undefined ? [] : [Uri.joinPath(folder, ".vscode/tasks.json")]),
      ...(workspace.workspaceFile?.scheme === "file" ? [workspace.workspaceFile] : []),
    ];
    for (const uri of candidates) {
      const document = await openDocument(uri);
      const profiles = document === undefined ? [] : door.profilesIn(document.getText());
      if (profiles.some(({ label }) => label === name)) return document;
    }
    this.#log.debug(`no file with the profile "${name}" found`);
    return undefined;
  }

  async #placeOf(
    door: Door,
    finding: ProfileFinding,
    name: string,
    tasksFile: TextDocument | undefined,
  ): Promise<{ readonly document: TextDocument; readonly find: Anchored["find"] } | undefined> {
    const { origin, key } = finding;
    if (origin?.kind === "file") {
      const document = await openDocument(Uri.file(origin.path));
      const entry = (text: string): Span | undefined =>
        origin.span ??
        (key === undefined ? undefined : door.entrySpan(text, key)) ??
        firstLine(text);
      return document && { document, find: entry };
    }
    if (tasksFile === undefined) return undefined;
    const path = origin?.kind === "member" ? origin.path : door.pathOfKey(key);
    return {
      document: tasksFile,
      find: (text) =>
        door
          .profilesIn(text)
          .find(({ label }) => label === name)
          ?.spanOf(path, door.partOf(finding)),
    };
  }
}

/** True if a document can contain run profiles. */
export const isTasksFile = ({ uri }: Pick<TextDocument, "uri">): boolean =>
  uri.scheme === "file" && /(?:\/\.vscode\/tasks\.json|\.code-workspace)$/.test(uri.path);

function firstLine(text: string): Span {
  const end = text.search(/[\r\n]/);
  return { start: 0, end: end < 0 ? text.length : end };
}

async function openDocument(uri: Uri): Promise<TextDocument | undefined> {
  try {
    // Call stat first, because openTextDocument logs an error for a missing file.
    await workspace.fs.stat(uri);
    return await workspace.openTextDocument(uri);
  } catch {
    // Findings cannot point into a missing or binary file.
    return undefined;
  }
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  unknown: DiagnosticSeverity.Information,
} as const;

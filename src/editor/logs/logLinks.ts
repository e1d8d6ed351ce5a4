import {
  l10n,
  Range,
  TerminalLink,
  type Disposable,
  type Terminal,
  type TerminalLinkProvider,
} from "vscode";
import { frameIn } from "../../spark/logs/traceFrames.ts";
import type { WorkspaceFiles } from "./workspaceFiles.ts";
import type { LogView } from "./shownLogs.ts";
import { allLinesWords, openUiWords } from "./viewChoices.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";

class LogLink extends TerminalLink {
  readonly open: () => Promise<void>;

  constructor(start: number, length: number, tooltip: string, open: () => Promise<void>) {
    super(start, length, tooltip);
    this.open = open;
  }
}

/**
 * Registers the links of log terminals. A stack frame opens the workspace file, the last row of a collapsed stack trace
 * expands it, and two notes open all lines as a document and the Spark UI.
 */
export function linkLogs(
  viewOf: (terminal: Terminal) => LogView | undefined,
  files: WorkspaceFiles,
): Disposable {
  const provider: TerminalLinkProvider<LogLink> = {
    provideTerminalLinks: async ({ terminal, line }) => {
      const view = viewOf(terminal);
      if (view === undefined) return [];
      const links: LogLink[] = [];
      const folded = foldOf(line);
      if (folded) {
        const turn = (): Promise<void> => {
          view.turn(folded.number);
          return Promise.resolve();
        };
        links.push(
          new LogLink(folded.start, folded.length, l10n.t("Expand the stack trace"), turn),
        );
      }
      const words = translated(allLinesWords());
      const wordsAt = view.isClosed ? line.indexOf(words) : -1;
      if (wordsAt >= 0) {
        const open = (): Promise<void> => {
          view.openDocument();
          return Promise.resolve();
        };
        links.push(new LogLink(wordsAt, words.length, words, open));
      }
      const { openUi } = view;
      const uiWords = translated(openUiWords());
      // Match only the whole note, so that a log line with the same words stays text.
      if (openUi !== undefined && line.trim() === `-- ${uiWords} --`) {
        links.push(new LogLink(line.indexOf(uiWords), uiWords.length, uiWords, openUi));
      }
      const frame = frameIn(line);
      const uri = frame && (await files.find(frame));
      if (frame && uri) {
        const { start, end } = frame.span;
        const at = new Range(frame.line - 1, 0, frame.line - 1, 0);
        const open = async (): Promise<void> => {
          await window.showTextDocument(uri, { selection: at });
        };
        const tooltip = l10n.t("Open the file at line {0}", frame.line);
        links.push(new LogLink(start, end - start, tooltip, open));
      }
      return links;
    },
    handleTerminalLink: (link) => link.open(),
  };
  return window.registerTerminalLinkProvider(provider);
}

// Finds the row of a collapsed trace: an ellipsis, localized words, and the trace number as the last number.
function foldOf(
  line: string,
): { readonly start: number; readonly length: number; readonly number: number } | undefined {
  const mark = foldMark.exec(line);
  if (mark === null) return undefined;
  const start = mark.index + mark[0].indexOf("…");
  return { start, length: line.length - start, number: Number(mark[1]) };
}

const foldMark = /^.*?… .*#(\d+)/;

import { CodeLens, Range, Uri, workspace, type TextDocument } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { programsKey } from "../ids.ts";
import { debugging } from "../ui/debugging.ts";
import { languages } from "../ui/languages.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { commandTitle } from "./askingTitle.ts";
import { notePaths } from "./notePaths.ts";
import {
  isProgram,
  programCommands,
  programLenses,
  programLine,
  type ProgramOptions,
  type Programs,
} from "./programs.ts";
import type { TaskHost } from "./taskPorts.ts";

/** Registers the commands, CodeLenses and context key that run programs in the workspace on the cluster. */
export function registerPrograms(options: ProgramOptions, host: TaskHost): Programs & Disposable {
  const owned = new DisposableStore();
  owned.add(notePaths(programsKey, isProgram));
  owned.add(
    languages.registerCodeLensProvider(
      [
        { language: "python", scheme: "file" },
        { pattern: "**/*.{scala,java}", scheme: "file" },
      ],
      { provideCodeLenses: lensesOf },
    ),
  );
  return {
    ...programCommands(options, {
      ...host,
      activeFile: () => window.activeTextEditor?.document.uri,
      pathIn: (folder, path) => Uri.joinPath(folder, path).fsPath,
      debug: async (file, configuration) => {
        await debugging.start(file && workspace.getWorkspaceFolder(file), configuration);
      },
    }),
    dispose: () => {
      owned.dispose();
    },
  };
}

function lensesOf(document: TextDocument): CodeLens[] {
  if (!workspace.isTrusted) return [];
  const line = programLine(document);
  if (line === undefined) return [];
  const range = new Range(line, 0, line, 0);
  return programLenses(document).map(
    ({ asking, command }) =>
      new CodeLens(range, {
        title: translated(commandTitle(asking)),
        command,
        arguments: [document.uri],
      }),
  );
}

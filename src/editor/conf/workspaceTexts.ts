import { workspace, type CancellationToken, type Uri } from "vscode";
import { surfaceOfText } from "../../spark/surfaces/surfaceOfFile.ts";
import type { Surface } from "../../spark/surfaces/surfaces.ts";
import { documentTextOf } from "./confContext.ts";

interface WorkspaceText {
  readonly uri: Uri;
  readonly surface: Surface;
  readonly text: string;
}

/** Globs of files that may contain Spark properties. */
const names =
  "**/{*.conf,*.properties,*.template,*.yaml,*.yml,*.sh,*.bash,*.zsh,*.bat,*.cmd,*.ps1,*.md,*.mk,*akefile,*ockerfile*,*.py,*.scala,*.sc,*.sbt,*.java,tasks.json}";
/** Globs of files that are read last, because most of them contain no Spark properties. */
const plainNames = "**/*.{txt,ini,cfg}";
const skipped = "**/{node_modules,.git,target,build,dist,.venv,venv}/**";
const maxFiles = 3_000;
const maxTextBytes = 1_000_000;

/** Yields the workspace texts that may contain Spark properties, with the unsaved changes of open documents. */
export async function* workspaceTexts(token?: CancellationToken): AsyncIterable<WorkspaceText> {
  for (const glob of [names, plainNames]) {
    const found = await workspace.findFiles(glob, skipped, maxFiles, token);
    for (const uri of found) {
      if (token?.isCancellationRequested === true) return;
      const text = await read(uri);
      if (text === undefined || !/spark/i.test(text)) continue;
      const surface = surfaceOfText(uri.path, text);
      if (surface !== undefined) yield { uri, surface, text };
    }
  }
}

async function read(uri: Uri): Promise<string | undefined> {
  const { size } = await workspace.fs.stat(uri);
  return size > maxTextBytes ? undefined : documentTextOf(uri);
}

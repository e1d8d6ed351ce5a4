import {
  l10n,
  Location,
  Range,
  WorkspaceEdit,
  type DocumentSelector,
  type TextDocument,
  type Uri,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Span } from "../../base/span.ts";
import {
  findFile,
  rangeOf,
  documentTextOf,
  readConfDocument,
  type ConfContext,
} from "./confContext.ts";
import { positionsOf } from "./positions.ts";
import { workspaceTexts } from "./workspaceTexts.ts";
import { languages } from "../ui/languages.ts";

/** Registers Go to Definition, Find References and Rename for Spark properties. */
export function registerPlaces(context: ConfContext, documents: DocumentSelector): Disposable {
  const owned = new DisposableStore();
  owned.add(
    languages.registerDefinitionProvider(documents, {
      provideDefinition: async (document, position, token) => {
        const read = await readConfDocument(context, document);
        if (read === undefined) return undefined;
        const { help, text, surface } = read;
        const offset = document.offsetAt(position);
        const setting = help.settingAt(text, surface, offset);
        if (setting === undefined) return undefined;
        const winner = help.winnerOver(text, surface, offset);
        if (winner !== undefined) {
          return new Location(document.uri, rangeOf(document, winner.keySpan));
        }
        const found: Location[] = [];
        // Find the properties that this one overrides, in the properties files that the document names.
        for (const path of help.filesBelow(text, surface, offset)) {
          const uri = await findFile(path, document.uri);
          if (uri !== undefined) found.push(...(await placesIn(uri, setting.key)));
        }
        if (surface !== "properties") return found;
        for await (const other of workspaceTexts(token)) {
          for (const { place, files } of help.placesAbove(other.text, other.surface, setting.key)) {
            if (await names(files, other.uri, document.uri))
              found.push(locationOf(other.uri, other.text, place.keySpan));
          }
        }
        return found;
      },
    }),
  );
  const placesIn = async (uri: Uri, key: string): Promise<readonly Location[]> => {
    const help = await context.help();
    const text = await documentTextOf(uri);
    return help
      .placesOf(text, "properties", key)
      .map(({ keySpan }) => locationOf(uri, text, keySpan));
  };
  owned.add(
    languages.registerReferenceProvider(documents, {
      provideReferences: async (document, position, _context, token) => {
        const setting = await settingIn(context, document, document.offsetAt(position));
        if (setting === undefined) return [];
        const help = await context.help();
        const found: Location[] = [];
        for await (const { uri, text, surface } of workspaceTexts(token)) {
          for (const { keySpan } of help.placesOf(text, surface, setting.key))
            found.push(locationOf(uri, text, keySpan));
        }
        return found;
      },
    }),
  );
  owned.add(
    languages.registerRenameProvider(documents, {
      prepareRename: async (document, position) => {
        const setting = await settingIn(context, document, document.offsetAt(position));
        if (setting?.isWritten !== true)
          throw new Error(l10n.t("There is no Spark property here to rename."));
        return rangeOf(document, setting.keySpan);
      },
      provideRenameEdits: async (document, position, name, token) => {
        const setting = await settingIn(context, document, document.offsetAt(position));
        if (setting?.isWritten !== true) return undefined;
        if (!/^spark\.[\w.-]+$/.test(name))
          throw new Error(
            l10n.t('A Spark property name must start with "spark." and contain no spaces.'),
          );
        const help = await context.help();
        const edit = new WorkspaceEdit();
        const rename = (uri: Uri, text: string, span: Span): void => {
          edit.replace(uri, locationOf(uri, text, span).range, name);
        };
        let hasOwn = false;
        for await (const { uri, text, surface } of workspaceTexts(token)) {
          hasOwn ||= uri.toString() === document.uri.toString();
          for (const place of help.placesOf(text, surface, setting.key))
            if (place.isWritten) rename(uri, text, place.keySpan);
        }
        const read = hasOwn ? undefined : await readConfDocument(context, document);
        for (const place of read?.help.placesOf(read.text, read.surface, setting.key) ?? [])
          if (place.isWritten) rename(document.uri, document.getText(), place.keySpan);
        return edit;
      },
    }),
  );
  return owned;
}

async function settingIn(context: ConfContext, document: TextDocument, offset: number) {
  const read = await readConfDocument(context, document);
  return read?.help.settingAt(read.text, read.surface, offset);
}

async function names(files: readonly string[], from: Uri, wanted: Uri): Promise<boolean> {
  for (const path of files) {
    if ((await findFile(path, from))?.toString() === wanted.toString()) return true;
  }
  return false;
}

const locationOf = (uri: Uri, text: string, { start, end }: Span): Location => {
  const at = positionsOf(text);
  return new Location(uri, new Range(at(start), at(end)));
};

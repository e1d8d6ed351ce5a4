import { CompletionItem, CompletionItemKind, l10n, workspace, type DocumentSelector } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { NamedKind } from "../../spark/surfaces/clusterNames.ts";
import { withSignal } from "../withSignal.ts";
import { rangeOf, readConfDocument, type ConfContext } from "./confContext.ts";
import { languages } from "../ui/languages.ts";
import { textRules } from "../ui/plainText.ts";

/** Reads the names of objects in the connected cluster; undefined without a connection. */
export type NamesInCluster = (
  kind: NamedKind,
  namespace: string | undefined,
  signal: AbortSignal,
) => Promise<readonly string[] | undefined>;

/**
 * Completes values with the names of objects in the connected cluster: service accounts, secrets, persistent volume
 * claims, namespaces and priority classes.
 */
export function registerNames(
  context: ConfContext,
  documents: DocumentSelector,
  namesInCluster: NamesInCluster,
): Disposable {
  return languages.registerCompletionItemProvider(
    documents,
    {
      provideCompletionItems: async (document, position, token) => {
        if (!workspace.isTrusted) return [];
        const read = await readConfDocument(context, document);
        if (read === undefined || token.isCancellationRequested) return [];
        const { help, text, surface } = read;
        const place = help.namePlaceAt(text, surface, document.offsetAt(position));
        if (place === undefined) return [];
        const { kind, namespace, replaces, behind } = place;
        const names = await withSignal(token, (signal) => namesInCluster(kind, namespace, signal));
        // Kubernetes names have only visible characters. Skip other names, because they could insert lines into the
        // file.
        const shown = (names ?? []).filter((name) => textRules.name(name) === name);
        return shown.map((name) => {
          const item = new CompletionItem(name, CompletionItemKind.Reference);
          item.detail = detailOf(kind, namespace);
          item.insertText = name + behind;
          item.range = rangeOf(document, replaces);
          item.sortText = `0${name}`;
          return item;
        });
      },
    },
    "=",
    " ",
    ",",
  );
}

const detailOf = (kind: NamedKind, namespace: string | undefined): string =>
  namespace === undefined
    ? l10n.t("{0} in the cluster", kind)
    : l10n.t('{0} in "{1}"', kind, namespace);

import { l10n } from "vscode";
import type { Application } from "../../spark/pods/application.ts";
import type { Leftover } from "../../spark/pods/leftovers.ts";
import { distinctNames } from "./distinctNames.ts";

/** An object or an application to delete. */
export type Removal =
  | { readonly kind: "leftover"; readonly leftover: Leftover }
  | { readonly kind: "finished"; readonly application: Application };

export const nameOfLeftover = ({ kind, name }: Leftover): string => `${kind} ${name}`;

/** The names of the items, for messages. Applications with the same name also have their id. */
export function namesInOrder(picked: readonly Removal[]): readonly string[] {
  const finished = picked.flatMap((one) => (one.kind === "finished" ? [one.application] : []));
  const names = new Map(distinctNames(finished).map((name, index) => [finished[index], name]));
  return picked.map((one) =>
    one.kind === "leftover" ? nameOfLeftover(one.leftover) : (names.get(one.application) ?? ""),
  );
}

export function questionOf(
  leftovers: number,
  finished: readonly Application[],
): { readonly question: string; readonly button: string } {
  const [only, ...others] = finished;
  if (only === undefined) {
    return {
      question: l10n.t("Delete leftover resources?"),
      button: leftovers === 1 ? l10n.t("Delete") : l10n.t("Delete {0} Objects", leftovers),
    };
  }
  if (leftovers > 0) {
    return {
      question: l10n.t("Delete finished applications and leftover resources?"),
      button: l10n.t("Delete {0} Items", leftovers + finished.length),
    };
  }
  return others.length === 0
    ? { question: l10n.t('Delete "{0}"?', only.name), button: l10n.t("Delete") }
    : {
        question: l10n.t("Delete {0} finished applications?", finished.length),
        button: l10n.t("Delete {0} Applications", finished.length),
      };
}

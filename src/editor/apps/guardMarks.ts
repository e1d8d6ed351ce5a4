import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { guardOf, placeOfContext, type GuardKind } from "../../engine/contextGuard.ts";
import { contextPatterns } from "../settings.ts";

/** A watched context with its guard. */
export interface MarkedContext {
  readonly context: string;
  readonly guard: GuardKind;
}

export const guardKindOf = (context: string): GuardKind =>
  guardOf(placeOfContext(context), contextPatterns()).kind;

/** `prod (guarded)`; an empty context stays empty. */
export function markedContext({ context, guard }: MarkedContext): string {
  if (context === "") return "";
  switch (guard) {
    case "none":
      return context;
    case "typeName":
      return l10n.t("{0} (guarded)", context);
    case "readOnly":
      return l10n.t("{0} (read-only)", context);
    default:
      return assertNever(guard);
  }
}

/** The line above the rows that names the guarded contexts; empty without one. A narrow view hides the description. */
export function guardMessage(contexts: readonly MarkedContext[]): string {
  const named = (kind: GuardKind): string =>
    contexts
      .filter(({ guard }) => guard === kind)
      .map(({ context }) => context)
      .join(", ");
  const [guarded, readOnly] = [named("typeName"), named("readOnly")];
  return [
    readOnly === "" ? "" : l10n.t("Read-only: {0}", readOnly),
    guarded === "" ? "" : l10n.t("Guarded: {0}", guarded),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

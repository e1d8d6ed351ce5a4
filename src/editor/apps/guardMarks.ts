import { dotted, listed, msg, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { GuardKind } from "../../engine/contextGuard.ts";

/** A watched context with its guard. */
interface MarkedContext {
  readonly context: string;
  readonly guard: GuardKind;
}

/** Returns the context's name with its guard, such as `prod (guarded)`; undefined for an empty context. */
export function markedContext({ context, guard }: MarkedContext): Message | undefined {
  if (context === "") return undefined;
  switch (guard) {
    case "none":
      return verbatim(context);
    case "typeName":
      return msg`${context} (guarded)`;
    case "readOnly":
      return msg`${context} (read-only)`;
    default:
      return assertNever(guard);
  }
}

/**
 * Returns the line above the rows that names the guarded contexts; undefined if there are none. The description names
 * them too, but a narrow view hides it.
 */
export function guardMessage(contexts: readonly MarkedContext[]): Message | undefined {
  const named = (kind: GuardKind): Message | undefined =>
    listed(contexts.filter(({ guard }) => guard === kind).map(({ context }) => verbatim(context)));
  const [guarded, readOnly] = [named("typeName"), named("readOnly")];
  return dotted([readOnly && msg`Read-only: ${readOnly}`, guarded && msg`Guarded: ${guarded}`]);
}

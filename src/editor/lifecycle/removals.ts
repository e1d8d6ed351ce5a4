import { msg, type Message } from "../../base/message.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { Leftover } from "../../spark/pods/leftovers.ts";
import { distinctNameIn, placedNameIn } from "../apps/distinctNames.ts";

/** An object or an application to delete. */
export type CleanUpItem =
  | { readonly kind: "leftover"; readonly leftover: Leftover }
  | { readonly kind: "finished"; readonly application: Application };

/**
 * Returns a function that names a leftover object: `ConfigMap a`, or `ConfigMap dev/a` if `all` are in several
 * namespaces.
 */
export function leftoverNameIn(all: readonly Leftover[]): (leftover: Leftover) => string {
  const nameOf = placedNameIn(all);
  return (leftover) => `${leftover.kind} ${nameOf(leftover)}`;
}

/** Returns the names of the items, in their order, for messages. Equal names get their id or namespace. */
export function namesInOrder(picked: readonly CleanUpItem[]): readonly string[] {
  const finished = picked.flatMap((one) => (one.kind === "finished" ? [one.application] : []));
  const leftovers = picked.flatMap((one) => (one.kind === "leftover" ? [one.leftover] : []));
  const nameOf = distinctNameIn(finished);
  const leftoverNameOf = leftoverNameIn(leftovers);
  return picked.map((one) =>
    one.kind === "leftover" ? leftoverNameOf(one.leftover) : nameOf(one.application),
  );
}

export function cleanUpQuestion(
  leftovers: number,
  finished: readonly Application[],
): { readonly question: Message; readonly button: Message } {
  const [only, ...others] = finished;
  if (only === undefined) {
    return {
      question: msg("Delete leftover resources?"),
      button: leftovers === 1 ? msg("Delete") : msg`Delete ${leftovers} Objects`,
    };
  }
  if (leftovers > 0) {
    return {
      question: msg("Delete finished applications and leftover resources?"),
      button: msg`Delete ${leftovers + finished.length} Items`,
    };
  }
  return others.length === 0
    ? { question: msg`Delete "${only.name}"?`, button: msg("Delete") }
    : {
        question: msg`Delete ${finished.length} finished applications?`,
        button: msg`Delete ${finished.length} Applications`,
      };
}

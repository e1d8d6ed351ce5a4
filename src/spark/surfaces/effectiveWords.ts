import { msg, type Message } from "../../base/message.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import { isPlaceholder } from "../conf/values/placeholders.ts";
import { inlineCode } from "../inlineCode.ts";
import { secretRule } from "../redact.ts";
import { redactValue } from "../redactText.ts";
import { versionTraits } from "../submit/conf/versionTraits.ts";

const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);

/**
 * Returns a message if the document overrides the setting at the offset, or if that setting overrides another value of
 * its key. Empty otherwise.
 */
export function effectiveWords(
  text: string,
  { entries, elsewhere = [] }: ConfDocument,
  offset: number,
): readonly Message[] {
  const entry = entries.find(
    ({ keySpan, valueSpan }) =>
      keySpan.start <= offset && offset < Math.max(keySpan.end, valueSpan.end),
  );
  if (entry === undefined) return [];
  const winner = entries.findLast(({ key }) => key === entry.key);
  if (winner !== undefined && winner !== entry) {
    const by = winner.option ?? winner.field;
    const line = lineOf(text, winner);
    const value = valueOf(winner) ?? msg("it");
    return [
      by === undefined
        ? msg`Overridden: line ${line} sets ${value}.`
        : msg`Overridden: line ${line} sets ${value} with ${inlineCode(by)}.`,
    ];
  }
  const lost = elsewhere.findLast(({ key }) => key === entry.key);
  const isOther = lost !== undefined && lost.value !== entry.value;
  return isOther
    ? [msg`Overrides ${valueOf(lost) ?? msg("another value")}, which is set elsewhere.`]
    : [];
}

const valueOf = ({ key, value }: ConfEntry): string | undefined =>
  isPlaceholder(value) || value === "" ? undefined : inlineCode(redactValue(key, value, isSecret));

const lineOf = (text: string, { keySpan }: ConfEntry): number =>
  text.slice(0, keySpan.start).split("\n").length;

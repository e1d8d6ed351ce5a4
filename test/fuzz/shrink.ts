import type { FuzzInput } from "./input.ts";
import { targetNamed } from "./targets/targets.ts";
import type { FuzzFault } from "./worker.ts";

const maxMs = 5_000;

/**
 * Returns the shortest text found within 5 s for which the check throws the same error. Returns growing inputs, and
 * inputs that hang or take too long, unchanged.
 */
export function shrink({ target, input, message }: FuzzFault): FuzzInput {
  if (input.kind === "growth" || /^(?:no end|\d)/.test(message)) return input;
  const wanted = thrownBy(target, input.text);
  if (wanted === undefined) return input;
  const ends = performance.now() + maxMs;
  let { text } = input;
  for (
    let size = Math.ceil(text.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < text.length && performance.now() < ends;) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (thrownBy(target, shorter) === wanted) text = shorter;
      else at += size;
    }
  }
  return { kind: "text", text };
}

/** Returns the error's name and the start of its message without numbers; undefined if the check passes. */
function thrownBy(name: string, text: string): string | undefined {
  try {
    targetNamed(name).check(text);
    return undefined;
  } catch (error) {
    return error instanceof Error
      ? `${error.name} ${error.message.slice(0, 40).replace(/\d+/g, "")}`
      : "";
  }
}

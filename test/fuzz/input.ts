import { createHash } from "node:crypto";
import type { FuzzTarget } from "./target.ts";

/** A fixed text, or a text that grows to any length because `piece` and `closing` are repeated. */
export type FuzzInput =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "growth";
      readonly before: string;
      readonly piece: string;
      readonly middle: string;
      readonly closing: string;
      readonly after: string;
    };

/** Returns the first `length` characters of a text, or as many repetitions (at least one) as fit into `length`. */
export function inputOfLength(input: FuzzInput, length: number): string {
  if (input.kind === "text") return input.text.slice(0, length);
  const { before, piece, middle, closing, after } = input;
  const rest = before.length + middle.length + after.length;
  const times = Math.max(1, Math.floor((length - rest) / (piece.length + closing.length)));
  return before + piece.repeat(times) + middle + closing.repeat(times) + after;
}

/** Returns the seed file of an input; its name is a hash of its content. */
export function seedFileOf(
  { form }: FuzzTarget,
  input: FuzzInput,
): { readonly name: string; readonly content: Buffer } {
  if (input.kind === "growth") return named(".growth.json", `${JSON.stringify(input, null, 2)}\n`);
  if (form === "bytes") return named(".bin", Buffer.from(input.text, "latin1"));
  const content = Buffer.from(input.text);
  // A lone surrogate has no UTF-8 encoding, so such text is saved as JSON.
  return content.toString() === input.text
    ? named(".txt", content)
    : named(".json", JSON.stringify(input.text));
}

export function readSeedFile(name: string, content: Buffer): FuzzInput {
  if (name.endsWith(".growth.json")) return JSON.parse(content.toString()) as FuzzInput;
  if (name.endsWith(".bin")) return { kind: "text", text: content.toString("latin1") };
  if (name.endsWith(".json")) {
    return { kind: "text", text: String(JSON.parse(content.toString())) };
  }
  return { kind: "text", text: content.toString() };
}

function named(extension: string, content: string | Buffer): { name: string; content: Buffer } {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { name: `${digest}${extension}`, content: Buffer.from(content) };
}

/** What the user's settings say of contexts in which a change needs more than a click. */
export interface ContextPatterns {
  /** A change is confirmed by typing the context's name. */
  readonly guarded: readonly string[];
  /** No change is made. */
  readonly readOnly: readonly string[];
}

export type ContextGuard =
  | { readonly kind: "none" }
  | { readonly kind: "typeName"; readonly pattern: string }
  | { readonly kind: "readOnly"; readonly pattern: string };

/** The strictest guard whose pattern is found in the context's name. */
export function guardOf(context: string, { guarded, readOnly }: ContextPatterns): ContextGuard {
  const locked = readOnly.find((pattern) => isFoundIn(context, pattern));
  if (locked !== undefined) return { kind: "readOnly", pattern: locked };
  const asked = guarded.find((pattern) => isFoundIn(context, pattern));
  return asked === undefined ? { kind: "none" } : { kind: "typeName", pattern: asked };
}

// Found anywhere, whatever the case: a name that is guarded by mistake costs a few keys, one that is not
// guarded by mistake costs a production run.
function isFoundIn(context: string, pattern: string): boolean {
  if (pattern === "") return false;
  return (
    (compile(pattern) ?? compile(pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")))?.test(context) ===
    true
  );
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    // Somebody's "prod(" means the text.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One import of a module: of values or types, static or dynamic, or a re-export. */
export interface ImportLine {
  readonly specifier: string;
  /** Line number, from 1. */
  readonly line: number;
  /** `type`: erased at run time. `lazy`: `import()`, loaded when it is called. */
  readonly kind: "value" | "type" | "lazy";
}

// A comment, or a string with the text before it. Strings are matched whole, so that their contents
// are neither.
const token =
  /\/\*[^]*?\*\/|\/\/.*|(?<lead>\b(?:import|export)\s+type\s[^;"'`]*?\bfrom\s*|\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|\bimport\s+)?(?:"(?<double>(?:\\.|[^"\\\n])*)"|'(?<single>(?:\\.|[^'\\\n])*)'|`(?<tick>(?:\\.|[^`\\])*)`)/g;

/**
 * Reads the imports of a TypeScript source without any package, so that it works with any
 * toolchain.
 */
export function readImports(text: string): readonly ImportLine[] {
  return [...text.matchAll(token)].flatMap(({ 0: all, groups, index }) => {
    const lead = groups?.["lead"];
    const specifier = groups?.["double"] ?? groups?.["single"] ?? groups?.["tick"];
    if (lead === undefined || specifier === undefined) return [];
    const line = text.slice(0, index + all.length).split("\n").length;
    return [{ specifier, line, kind: kindOf(lead) }];
  });
}

function kindOf(lead: string): ImportLine["kind"] {
  if (/^(?:import|export)\s+type\s/.test(lead)) return "type";
  return /^import\s*\(/.test(lead) ? "lazy" : "value";
}

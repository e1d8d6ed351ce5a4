/** An import or re-export of a module. */
export interface ImportLine {
  readonly specifier: string;
  /** 1-based line number of the specifier. */
  readonly line: number;
  /** "type" is erased by the compiler. "lazy" is `import()`, which loads the module when it is called. */
  readonly kind: "value" | "type" | "lazy";
}

// Matches a comment, or a string with the keywords before it. Because strings are matched as a whole, comments and
// imports inside a string are ignored.
const token =
  /\/\*[^]*?\*\/|\/\/.*|(?<lead>\b(?:import|export)\s+type\s[^;"'`]*?\bfrom\s*|\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|\bimport\s+)?(?:"(?<double>(?:\\.|[^"\\\n])*)"|'(?<single>(?:\\.|[^'\\\n])*)'|`(?<tick>(?:\\.|[^`\\])*)`)/g;

/** Returns the imports of a TypeScript source, in source order. Needs no parser, so it works with any toolchain. */
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

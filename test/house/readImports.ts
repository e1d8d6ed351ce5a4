/** One import of a module: of values or types, static or dynamic, or a re-export. */
export interface ImportLine {
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
  /** `type`: gone at run time. `lazy`: `import()`, loaded when it is reached. */
  readonly kind: "value" | "type" | "lazy";
}

// A comment, or a string with what leads to it. Strings are passed over whole, so that what they hold is
// taken for neither.
const token =
  /\/\*[^]*?\*\/|\/\/.*|(?<lead>\b(?:import|export)\s+type\s[^;"'`]*?\bfrom\s*|\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|\bimport\s+)?(?:"(?<double>(?:\\.|[^"\\\n])*)"|'(?<single>(?:\\.|[^'\\\n])*)'|`(?<tick>(?:\\.|[^`\\])*)`)/g;

/** Reads what a TypeScript source imports, without any package: it shall outlive every tool. */
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

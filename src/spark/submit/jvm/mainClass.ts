export interface MainClass {
  /** Fully qualified, as `--class` needs it. */
  readonly name: string;
  /** The line of the main method or of its annotation, from 0. */
  readonly line: number;
}

export type JvmLanguage = "scala" | "java";

/** Returns the language of a source file by its name. Undefined for other files. */
export const jvmLanguageOf = (path: string): JvmLanguage | undefined =>
  /\.(scala|java)$/.exec(path)?.[1] as JvmLanguage | undefined;

// The maximum number of characters to search. A main method is near the start of its file.
const maxLength = 1_000_000;
const maxParents = 2_000;

/**
 * Finds the main class of a Scala or Java file. Java: the class of the first `main` method. Scala: the object of the
 * first `main` method, else the first `App` object, else the first `@main` method. Undefined if there is none.
 */
export function mainClassIn(text: string, language: JvmLanguage): MainClass | undefined {
  const code = withoutTexts(text.slice(0, maxLength));
  return language === "scala" ? scalaMain(code) : javaMain(code);
}

const usesSpark =
  /\borg\s*\.\s*apache\s*\.\s*spark\b|\bSparkSession\s*\.\s*builder\b|\bSparkContext\s*\(/;

/** Like `mainClassIn`, for files that use Spark. Undefined for other files. */
export const sparkMainIn = (text: string, language: JvmLanguage): MainClass | undefined =>
  usesSpark.test(text.slice(0, maxLength)) ? mainClassIn(text, language) : undefined;

function scalaMain(code: string): MainClass | undefined {
  // Chained clauses, `package a` and then `package b`, are the package `a.b`.
  const packages = [...code.matchAll(/^[ \t]*package[ \t]+(?!object\b)([\w.]+)/gm)].map(
    ([, name = ""]) => name,
  );
  const objects = [...code.matchAll(/\bobject[ \t]+(\w+)/g)];
  const app = objects.find(({ 0: { length }, index }) => extendsApp(code, index + length));
  const method = /\bdef[ \t]+main[ \t]*\([ \t]*\w+[ \t]*:[ \t]*Array[ \t]*\[/.exec(code);
  const annotated = /@main[ \t]+def[ \t]+(\w+)/.exec(code);
  const owner = method && enclosing(code, objects, method.index);
  const found: { readonly name: string | undefined; readonly at: number } | null | undefined =
    (owner && { name: owner[1], at: method.index }) ??
    (app && { name: app[1], at: app.index }) ??
    (annotated && { name: annotated[1], at: annotated.index });
  return found
    ? { name: [...packages, found.name].join("."), line: lineAt(code, found.at) }
    : undefined;
}

/** True if an object's parents include `App`. Reads up to the object's body or the end of the line. */
function extendsApp(code: string, from: number): boolean {
  const rest = code.slice(from, from + maxParents);
  const [parents = ""] = rest.split(/[{\n]/, 1);
  const at = parents.indexOf("extends");
  return at >= 0 && /\bApp\b/.test(parents.slice(at));
}

function javaMain(code: string): MainClass | undefined {
  const [, ownPackage] = /^[ \t]*package[ \t]+([\w.]+)[ \t]*;/m.exec(code) ?? [];
  const method = /\bstatic[ \t]+(?:final[ \t]+)?void[ \t]+main[ \t]*\(/.exec(code);
  if (method === null) return undefined;
  const classes = [...code.matchAll(/\b(?:class|interface|enum|record)[ \t]+(\w+)/g)];
  const owner = enclosing(code, classes, method.index);
  if (owner === undefined) return undefined;
  const name = [...(ownPackage === undefined ? [] : [ownPackage]), owner[1]].join(".");
  return { name, line: lineAt(code, method.index) };
}

/** Returns the last of the outermost types that begin before an offset. It normally contains the offset. */
function enclosing(
  code: string,
  types: readonly RegExpExecArray[],
  offset: number,
): RegExpExecArray | undefined {
  let depth = 0;
  let at = 0;
  let best: { readonly type: RegExpExecArray; readonly depth: number } | undefined;
  for (const type of types) {
    if (type.index > offset) break;
    for (; at < type.index; at += 1) {
      if (code[at] === "{") depth += 1;
      else if (code[at] === "}") depth -= 1;
    }
    if (best === undefined || depth <= best.depth) best = { type, depth };
  }
  return best?.type;
}

const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length - 1;

/** Replaces comments and literals by spaces, so that offsets and lines stay. */
function withoutTexts(text: string): string {
  // Each alternative also matches an unclosed literal or comment, so the scan never restarts inside one and takes
  // linear time.
  const token =
    /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"""[^]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*\\?(?:"|$|(?=\n))|'(?:[^'\\\n]|\\.)'/g;
  return text.replace(token, (found) => found.replace(/[^\n]/g, " "));
}

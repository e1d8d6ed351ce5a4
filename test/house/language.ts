// Extracts comments, test names and user-visible strings from source files, and finds those that break the language
// rules.
import ts from "typescript";
import type { Source } from "./sources.ts";

export interface Sentence {
  /** Path and line, as `path:line`. */
  readonly place: string;
  readonly text: string;
}

/** Forbidden words, each with the term to use instead. */
const glossary: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\bclose look\b/i, "status poller"],
  [/\bstretch(?:es)?\b/i, "chunk"],
  [/\bbreach(?:es|ed)?\b/i, "violation"],
  [/\bsurroundings\b/i, "dependencies, options or environment"],
  [/\b(?:goes|go|going|went) on\b/i, "continue, is active or in use"],
  [/\bunwell\b/i, "failing or unhealthy"],
  [/\banew\b/i, "again, or a precise verb such as relist"],
  [/\brehears(?:al|e|als|ed|es|ing)\b/i, "simulation"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:has|have|had|are|is) gone\b/i, "was deleted, ended or does not exist"],
  [/\blet(?:s|ting)? go of\b/i, "release"],
  [/\b(?:whoever|somebody|nobody|whatever)\b/i, "the caller, the user or a passive sentence"],
  [/\bby itself\b/i, "automatically"],
  [/\bcomes? to (?:an end|nothing|so)\b/i, "ends"],
  [/\bis to be had\b/i, "is available"],
  [/\ball the same\b/i, "anyway, or nothing"],
];

const openings =
  /^(?:What|Who|Whom|Whose|Whoever|Whatever|That which|Those that|Of (?!course)\w+)\b/;
const maxWords = 45;

/** Returns the reasons why a text must be rewritten; empty if it follows the rules. */
export function languageFaults(text: string): readonly string[] {
  const faults = glossary.flatMap(([wrong, right]) => {
    const found = wrong.exec(text);
    return found === null ? [] : [`"${found[0]}": write ${right}`];
  });
  for (const sentence of text.split(/(?<=[.!?:;])\s+(?=[A-Z"'`])/)) {
    const opening = openings.exec(sentence);
    if (opening !== null && !sentence.trimEnd().endsWith("?")) {
      faults.push(`begins with "${opening[0]}": name the thing first`);
    }
    const words = sentence.split(/\s+/).length;
    if (words > maxWords) faults.push(`${words} words in one sentence`);
  }
  return faults;
}

// Cached, because parsing takes most of the time of these checks.
const parsed = new WeakMap<Source, ts.SourceFile>();

export function parsedSource(source: Source): ts.SourceFile {
  const file =
    parsed.get(source) ??
    ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, false);
  parsed.set(source, file);
  return file;
}

/** Returns the comments of a file, without their markers. Line comments on consecutive lines are one comment. */
export function commentsOf(source: Source): readonly Sentence[] {
  const { path, text } = source;
  const file = parsedSource(source);
  const comments: { readonly place: string; readonly lines: string[] }[] = [];
  let last = -2;
  for (const range of commentRangesOf(file, text)) {
    const line = file.getLineAndCharacterOfPosition(range.pos).line;
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const beginning = text.slice(text.lastIndexOf("\n", range.pos - 1) + 1, range.pos);
    const isAlone = beginning.trim() === "";
    const lines = text.slice(range.pos, range.end).split("\n").map(bareLine);
    if (isLine && isAlone && line === last + 1) comments.at(-1)?.lines.push(...lines);
    else comments.push({ place: `${path}:${line + 1}`, lines });
    last = isLine && isAlone ? line : -2;
  }
  return comments
    .map(({ place, lines }) => ({ place, text: lines.join(" ").trim() }))
    .filter((comment) => comment.text !== "");
}

const bareLine = (line: string): string =>
  line
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?/, "")
    .replace(/\*\/\s*$/, "")
    .trim();

/** Returns the ranges of all comments, in source order. */
function commentRangesOf(file: ts.SourceFile, text: string): readonly ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>();
  const take = (found: readonly ts.CommentRange[] | undefined): void => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    take(ts.getLeadingCommentRanges(text, node.getFullStart()));
    take(ts.getTrailingCommentRanges(text, node.end));
    ts.forEachChild(node, visit, (nodes) => {
      // Comments between the last element and the closing bracket belong to no node.
      take(ts.getLeadingCommentRanges(text, nodes.end));
      take(ts.getTrailingCommentRanges(text, nodes.end));
      for (const each of nodes) {
        visit(each);
        // A comment on a union member precedes its `|`, so it follows the end of the previous member.
        take(ts.getLeadingCommentRanges(text, each.end));
      }
    });
  };
  visit(file);
  return [...ranges.values()].sort((a, b) => a.pos - b.pos);
}

/** Returns the names of tests and groups: string literals passed to `test`, `describe` or `it`. */
export function testNamesOf(source: Source): readonly Sentence[] {
  const { path } = source;
  const names: Sentence[] = [];
  const file = parsedSource(source);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [name] = node.arguments;
      const isTest = /^(?:test|describe|it)$/.test(node.expression.text);
      if (isTest && name !== undefined && ts.isStringLiteralLike(name)) {
        names.push({ place: placeOf(path, file, name.getStart(file)), text: name.text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Returns the user-visible strings: the arguments of `l10n.t` and `msg`. */
export function shownTextsOf(source: Source): readonly Sentence[] {
  const { path } = source;
  const texts: Sentence[] = [];
  const file = parsedSource(source);
  const visit = (node: ts.Node): void => {
    const text = shownText(node, file);
    if (text !== undefined) texts.push({ place: placeOf(path, file, node.getStart(file)), text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

function shownText(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText(file) === "msg" ? node.template.getText(file).slice(1, -1) : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const isShown = ["l10n.t", "msg"].includes(node.expression.getText(file));
  const [text] = node.arguments;
  return isShown && text !== undefined && ts.isStringLiteralLike(text) ? text.text : undefined;
}

/**
 * Returns strings of several words outside `msg` and `l10n.t`, which cannot be translated. Skips the messages of errors
 * and the operands of `===`.
 */
export function unshownTextsOf(source: Source): readonly Sentence[] {
  const { path } = source;
  const texts: Sentence[] = [];
  const file = parsedSource(source);
  const visit = (node: ts.Node): void => {
    if (shownText(node, file) !== undefined || ts.isLiteralTypeNode(node)) {
      // The placeholders of a message may contain untranslated strings.
      ts.forEachChild(node, (child) => {
        if (ts.isTemplateExpression(child)) {
          for (const { expression } of child.templateSpans) visit(expression);
        }
      });
      return;
    }
    if (ts.isImportDeclaration(node) || isThrownOrCompared(node, file)) return;
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node
            .getText(file)
            .slice(1, -1)
            .replaceAll(/\$\{[^}]*\}/g, "{}")
        : "";
    const isOption = /^\s*--\w/.test(text);
    if (!isOption && /[A-Za-z]{2,}[,;:]? (?:[A-Za-z]{2,}|\{\})|\{\} [a-z]{2,}/.test(text)) {
      texts.push({ place: placeOf(path, file, node.getStart(file)), text });
    }
    if (ts.isCallExpression(node) && searching.includes(node.expression.getText(file))) {
      for (const [index, argument] of node.arguments.entries()) if (index !== 1) visit(argument);
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

// Functions whose string arguments are only compared, or never translated.
const comparing: readonly string[] = ["includesAny", "eventWith", "verbatim"];
// Functions whose second argument is a string to find in the messages of a cluster.
const searching: readonly string[] = ["refused", "evicted", "pullFailure"];

// Properties whose strings are only compared, or are examples of conf for a rule.
const notShown: readonly string[] = ["needs", "hit", "miss"];

function isThrownOrCompared(node: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText(file));
  if (ts.isPropertyAssignment(node)) return notShown.includes(node.name.getText(file));
  if (ts.isCallExpression(node)) return comparing.includes(node.expression.getText(file));
  return (
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken
  );
}

/** Returns variables, parameters and fields named with a superlative instead of `max…`, `min…` or `default…`. */
export function superlativesOf(source: Source): readonly Sentence[] {
  const { path } = source;
  const found: Sentence[] = [];
  const file = parsedSource(source);
  const visit = (node: ts.Node): void => {
    const isNamed =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isPropertySignature(node) ||
      ts.isPropertyDeclaration(node);
    if (isNamed && !ts.isObjectBindingPattern(node.name) && !ts.isArrayBindingPattern(node.name)) {
      const name = node.name.getText(file).replace(/^#/, "");
      if (/^(?:most|longest|shortest|fewest|usual)(?:[A-Z]|$)/.test(name)) {
        found.push({ place: placeOf(path, file, node.getStart(file)), text: name });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function placeOf(path: string, file: ts.SourceFile, offset: number): string {
  return `${path}:${file.getLineAndCharacterOfPosition(offset).line + 1}`;
}

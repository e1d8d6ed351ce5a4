// Collects the texts of `l10n.t` and `msg` and the descriptions of conf keys into media/l10n/bundle.l10n.json.
// Translators copy this file for their language. `node src/build/l10n/extractTexts.ts` writes the file. With `--check`
// it only fails if the file is not current.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { readDescriptions } from "../descriptions.ts";
import { templateOf } from "../../base/message.ts";

export const bundlePath = "media/l10n/bundle.l10n.json";

/** Returns the text of each `l10n.t(…)`, `msg(…)` and msg`…` in a source file. Throws if a text is not constant. */
export function textsIn(path: string, source: string): readonly string[] {
  if (indirect.includes(path)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isTextCall(node) || isMessageTag(node)) {
      const text = isMessageTag(node) ? taggedText(node.template) : constantText(node.arguments[0]);
      if (text === undefined) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        throw new Error(`${path}:${line + 1}: the text must be constant, without {0}`);
      }
      texts.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

// Files that only forward templates, which are extracted where they are written.
const indirect: readonly string[] = ["editor/ui/translated.ts"];

const isTextCall = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ["l10n.t", "msg"].includes(node.expression.getText());

const isMessageTag = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === "msg";

/** Returns the value of a string literal, or of literals joined by `+`; undefined for other expressions. */
function constantText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
    return undefined;
  }
  const [left, right] = [constantText(node.left), constantText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/**
 * Returns `exit code {0}` for msg`exit code ${code}`: the template that `base/message.ts` looks up. Undefined if the
 * literal contains a placeholder such as {0}.
 */
function taggedText(template: ts.TemplateLiteral): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const parts = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  return parts.some((part) => /\{\d+\}/.test(part)) ? undefined : templateOf(parts);
}

/**
 * Returns the JSON bundle of the texts in all sources below `root`/src and of the conf descriptions, sorted. Each text
 * is its own key.
 */
export async function bundleText(root: string): Promise<string> {
  const paths = await readdir(join(root, "src"), { recursive: true });
  const sources = paths.filter((path) => path.endsWith(".ts"));
  const texts = await Promise.all(
    sources.map(async (path) => textsIn(path, await readFile(join(root, "src", path), "utf8"))),
  );
  const descriptions = readDescriptions().map(({ text }) => text);
  const sorted = [...new Set([...texts.flat(), ...descriptions])].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map((text) => [text, text])), undefined, 2)}\n`;
}

/**
 * Returns a pseudo-translation that marks every text and keeps the placeholders. It reveals text that bypasses
 * `l10n.t`.
 */
export const pseudoTranslation = (
  bundle: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(bundle).map((text) => [text, `⟦${text}⟧`]));

if (import.meta.main) {
  const root = join(import.meta.dirname, "../../..");
  const bundle = await bundleText(root);
  const path = join(root, bundlePath);
  if (!process.argv.includes("--check")) await writeFile(path, bundle);
  else if ((await readFile(path, "utf8")) !== bundle) {
    console.error(`${bundlePath} is not current: run node src/build/l10n/extractTexts.ts`);
    process.exitCode = 1;
  }
}

// Collects the texts that `l10n.t` shows into media/l10n/bundle.l10n.json, which translators copy for their language:
// `node src/build/l10n/extractTexts.ts` writes it, with `--check` it only fails if the file is not current.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

export const bundlePath = "media/l10n/bundle.l10n.json";

/** The first arguments of all `l10n.t(…)` calls in a source. Throws if one is no string literal. */
export function textsOf(path: string, source: string): readonly string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === "l10n.t") {
      const [text] = node.arguments;
      if (text === undefined || !ts.isStringLiteralLike(text)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        throw new Error(`${path}:${line + 1}: l10n.t needs a string literal`);
      }
      texts.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/** The bundle of all sources below `root`/src, sorted. A text is its own key. */
export async function bundleText(root: string): Promise<string> {
  const paths = await readdir(join(root, "src"), { recursive: true });
  const sources = paths.filter((path) => path.endsWith(".ts"));
  const texts = await Promise.all(
    sources.map(async (path) => textsOf(path, await readFile(join(root, "src", path), "utf8"))),
  );
  const sorted = [...new Set(texts.flat())].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map((text) => [text, text])), undefined, 2)}\n`;
}

/** A translation that marks every text and keeps its placeholders, to find texts that bypass `l10n.t`. */
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

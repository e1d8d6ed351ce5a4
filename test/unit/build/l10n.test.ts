import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  bundlePath,
  bundleText,
  pseudoTranslation,
  textsIn,
} from "../../../src/build/l10n/extractTexts.ts";

const root = join(import.meta.dirname, "../../..");

describe("texts to translate", () => {
  test("are extracted once per call, in all forms of quotes", () => {
    const source = "l10n.t('a {0}', x); f(l10n.t(\"b\")); l10n.t(`c`); other.t('d');";
    assert.deepEqual(textsIn("a.ts", source), ["a {0}", "b", "c"]);
  });

  test("are extracted from messages as templates with numbered values", () => {
    const source = 'msg("a"); msg("b " + "c"); msg`d ${x} e ${msg`f ${y}`}`; other`g ${z}`;';
    assert.deepEqual(textsIn("a.ts", source), ["a", "b c", "d {0} e {1}", "f {0}"]);
  });

  test("must be constant", () => {
    assert.throws(() => textsIn("a.ts", "\nmsg(words)"), /a\.ts:2/);
    assert.throws(() => textsIn("a.ts", "msg`a {0} ${b}`"), /a\.ts:1/);
    assert.throws(() => textsIn("a.ts", "\nl10n.t(words)"), /a\.ts:2/);
    assert.throws(() => textsIn("a.ts", "l10n.t(`a ${b}`)"), /a\.ts:1/);
  });

  test("are all in the bundle, and no others", async () => {
    const bundle = await bundleText(root);
    const written = await readFile(join(root, bundlePath), "utf8");
    assert.equal(written, bundle, "run node src/build/l10n/extractTexts.ts");
  });

  test("have the folder of the bundle in package.json", async () => {
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as object;
    assert.ok("l10n" in manifest);
    assert.equal(join(String(manifest.l10n), "bundle.l10n.json"), bundlePath);
  });
});

describe("a translation", () => {
  test("replaces the texts of messages and keeps their arguments", async () => {
    const bundle = JSON.parse(await readFile(join(root, bundlePath), "utf8")) as Record<
      string,
      string
    >;
    const translation = pseudoTranslation(bundle);
    const asked: string[] = [];
    Object.assign(globalThis, {
      pseudoT: (text: string, ...values: readonly unknown[]): string => {
        asked.push(text);
        return (translation[text] ?? text).replace(/\{(\d+)\}/g, (_, at: string) =>
          String(values[Number(at)]),
        );
      },
    });
    const stub = "data:text/javascript,export const l10n = { t: globalThis.pseudoT };";
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === "vscode" ? { url: stub, shortCircuit: true } : next(specifier, context),
    });
    const { identityWords } = await import("../../../src/editor/submit/identityWords.ts");
    const { translated } = await import("../../../src/editor/ui/translated.ts");
    assert.equal(
      translated(identityWords({ kind: "foreign", context: "dev", ownServer: "https://dev" })),
      '⟦using the credentials of context "dev"⟧',
    );
    assert.equal(translated(identityWords({ kind: "none" })), "⟦using no credentials⟧");
    const { conversionText } = await import("../../../src/editor/submit/conversionText.ts");
    const profile = { application: "a.py", image: "spark:4.3.0" };
    const { text } = conversionText(
      { form: { kind: "profile", profile }, losses: [], findings: [], files: [] },
      "x",
      [],
      { translated },
    );
    assert.match(text, /^\/\/ ⟦⟦Run profile⟧, converted from x\.⟧/);
    assert.deepEqual(
      asked.filter((one) => !(one in translation)),
      [],
    );
  });
});

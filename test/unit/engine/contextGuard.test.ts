import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  guardOf,
  parseGuards,
  placeOfContext,
  unclearEntries,
} from "../../../src/engine/contextGuard.ts";

const kindOf = (context: string, guarded: unknown, readOnly: unknown = []): string =>
  guardOf(placeOfContext(context), {
    guarded: parseGuards(guarded),
    readOnly: parseGuards(readOnly),
  }).kind;

const isGuarded = (context: string, entry: unknown): boolean =>
  kindOf(context, [entry]) === "typeName";

const problemOf = (entry: unknown): string | undefined => parseGuards([entry])[0]?.problem?.kind;

describe("entries of guardedContexts and readOnlyContexts", () => {
  test("without special characters match anywhere in the name, ignoring case", () => {
    for (const context of ["prod", "prod-eu", "team@Production", "gke_x_europe_PROD"]) {
      assert.ok(isGuarded(context, "prod"), context);
      assert.ok(isGuarded(context, " PROD "), context);
    }
    assert.ok(!isGuarded("dev", "prod"));
    assert.ok(isGuarded("arn:aws:eks:eu-west-1:123:cluster/a.b", "cluster/a.b"));
  });

  test("with special characters are globs or regular expressions", () => {
    const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ["*prod*", ["prod", "x-prod-eu", "PRODUCTION"], ["dev"]],
      ["*-prod", ["eu-prod"], ["dev", "prod-eu"]],
      ["prod-*", ["prod-eu"], ["dev"]],
      ["acme-*-eu", ["acme-prod-eu", "ACME-x-EU"], ["other-prod-eu"]],
      ["prod-?", ["prod-1"], ["dev"]],
      ["eks-[ab]*", ["eks-a1", "eks-b"], ["gke-c"]],
      ["eks-[!ab]", ["eks-c"], []],
      ["{prod,live}-eu", ["prod-eu", "live-eu"], ["dev-eu"]],
      ["*.example.com", ["api.example.com"], ["example.org"]],
      ["(?i)prod", ["PROD", "prod"], ["dev"]],
      ["(?i)PROD$", ["eu-prod"], ["prod-eu"]],
      [String.raw`prod\-eu`, ["prod-eu"], ["prod_eu"]],
      ["^prod$", ["prod"], ["prod-eu"]],
      ["prod|live", ["live", "my-prod"], ["dev"]],
      ["(?<!non)prod", ["prod"], ["nonprod"]],
      ["prod.*eu", ["prod-x-eu"], ["dev-eu"]],
      ["prod+", ["prodd"], ["pro"]],
      ["prod{1,2}", ["prodd"], ["dev"]],
    ];
    for (const [entry, guarded, others] of rows) {
      assert.equal(problemOf(entry), undefined, entry);
      for (const context of guarded) assert.ok(isGuarded(context, entry), `${entry}: ${context}`);
      for (const context of others) assert.ok(!isGuarded(context, entry), `${entry}: ${context}`);
    }
  });

  test("that are invalid guard every context, with the reason", () => {
    const rows: readonly (readonly [unknown, string])[] = [
      ["prod(", "syntax"],
      ["*prod(a|b)", "syntax"],
      ["prod[", "syntax"],
      ["(?!dev)", "syntax"],
      [String.raw`(a)\1`, "syntax"],
      ["a++", "syntax"],
      ["(?:prod{300}){300}$", "syntax"],
      ["", "empty"],
      ["  ", "empty"],
      ["x".repeat(201), "tooLong"],
      [42, "noText"],
      [null, "noText"],
      [["prod"], "noText"],
      [{ prod: true }, "noText"],
    ];
    for (const [entry, problem] of rows) {
      assert.equal(problemOf(entry), problem, JSON.stringify(entry));
      assert.ok(isGuarded("dev", entry), JSON.stringify(entry));
      assert.equal(kindOf("dev", [], ["audit", entry]), "readOnly", JSON.stringify(entry));
    }
  });

  test("that would silently match other names guard every context", () => {
    const rows: readonly (readonly [string, string])[] = [
      ["/prod/", "quoted"],
      ["/prod/i", "quoted"],
      ['"prod"', "quoted"],
      ["'prod'", "quoted"],
      ["`prod`", "quoted"],
      ['"prod', "quoted"],
      ["{prod, staging}", "severalNames"],
      ["(prod staging)", "severalNames"],
      ["prod,staging", "severalNames"],
      ["prod;staging", "severalNames"],
      ["prod staging", "severalNames"],
      ["prod-{eu,us},staging", "severalNames"],
      ["prod\u00a0staging", "severalNames"],
      ["{prod", "braces"],
      ["prod}", "braces"],
      ["prod-{eu,us", "braces"],
      ["{}", "braces"],
      ["prod{ }", "braces"],
      ["prod{,}", "braces"],
      ["prod\u200b", "invisible"],
      ["pr\u00adod", "invisible"],
      ["\u2060prod", "invisible"],
      ["prod\ufe0f", "invisible"],
      ["prod\tstaging", "invisible"],
      ["!dev", "negated"],
    ];
    for (const [entry, problem] of rows) {
      assert.equal(problemOf(entry), problem, JSON.stringify(entry));
      assert.ok(isGuarded("dev", entry), JSON.stringify(entry));
      assert.equal(kindOf("dev", [], ["audit", entry]), "readOnly", JSON.stringify(entry));
    }
  });

  test("may have commas, spaces and slashes that belong to the pattern", () => {
    const rows: readonly (readonly [string, string])[] = [
      ["prod[ ,;]eu", "prod eu"],
      [String.raw`my\ prod`, "my prod"],
      ["/cluster/prod", "arn:aws:eks:eu-west-1:123:/cluster/prod"],
      ["p{2,}rod", "pprod"],
    ];
    for (const [entry, context] of rows) {
      assert.equal(problemOf(entry), undefined, entry);
      assert.ok(isGuarded(context, entry), entry);
      assert.ok(!isGuarded("dev", entry), entry);
    }
  });

  test("find a name in any Unicode normalization", () => {
    for (const form of ["NFC", "NFD"] as const) {
      const other = form === "NFC" ? "NFD" : "NFC";
      assert.ok(isGuarded(`team-${"größe".normalize(form)}`, "größe".normalize(other)), form);
      assert.ok(isGuarded("größe".normalize(form), "gr?ße".normalize(other)), form);
    }
  });

  test("of a setting that is not a list guard every context", () => {
    for (const value of ["prod", null, 1, true, { 0: "prod" }]) {
      assert.equal(kindOf("dev", value), "typeName", JSON.stringify(value));
      assert.equal(kindOf("dev", [], value), "readOnly", JSON.stringify(value));
    }
    assert.equal(kindOf("dev", []), "none");
  });

  test("that backtrack for minutes in other engines take no time", () => {
    const start = process.cpuUsage().user;
    const name = `${"a".repeat(400)}!`;
    for (const entry of ["(a+)+$", "(a|a)*b", "a*a*a*a*a*a*a*a*b", "(?<!(?:a|aa)+)b"])
      assert.ok(!isGuarded(name, entry), entry);
    assert.ok(process.cpuUsage().user - start < 5_000_000);
  });

  test("that are invalid are identified by their numbers", () => {
    const guarded = parseGuards(["prod", "prod(", "live", ""]);
    const { guarded: unclear, readOnly } = unclearEntries({ guarded, readOnly: [] });
    assert.deepEqual(
      unclear.map(({ number }) => number),
      [2, 4],
    );
    assert.deepEqual(readOnly, []);
  });
});

describe("the guard of a place", () => {
  test("is read-only if both settings match", () => {
    assert.equal(kindOf("prod", ["prod"], ["prod"]), "readOnly");
    assert.equal(kindOf("prod-eu", ["prod"], ["eu$"]), "readOnly");
    assert.equal(kindOf("prod-us", ["prod"], ["eu$"]), "typeName");
  });

  test("is the strictest of the contexts that share a server", () => {
    const patterns = { guarded: parseGuards(["prod"]), readOnly: parseGuards(["audit"]) };
    const guardOfAll = (...contexts: readonly string[]): string =>
      guardOf({ name: "dev", contexts, server: "known" }, patterns).kind;
    assert.equal(guardOfAll("dev"), "none");
    assert.equal(guardOfAll("dev", "prod"), "typeName");
    assert.equal(guardOfAll("dev", "prod", "audit"), "readOnly");
  });

  test("is the strictest of all entries for a server that no context has", () => {
    const guardOfUnknown = (guarded: unknown, readOnly: unknown): string =>
      guardOf(
        { name: "https://10.0.0.1", contexts: [], server: "unknown" },
        { guarded: parseGuards(guarded), readOnly: parseGuards(readOnly) },
      ).kind;
    assert.equal(guardOfUnknown(["prod"], ["audit"]), "readOnly");
    assert.equal(guardOfUnknown(["prod"], []), "typeName");
    assert.equal(guardOfUnknown([], []), "none");
  });
});

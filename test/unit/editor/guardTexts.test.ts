import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  guardWords,
  nameFault,
  namePrompt,
  placeOf,
  problemWords,
  refusalWords,
  type GuardedConnection,
} from "../../../src/editor/guardTexts.ts";
import { guardOf, parseGuards } from "../../../src/engine/contextGuard.ts";

const entryOf = (value: unknown) => parseGuards(value)[0] ?? assert.fail();
const known = { name: "prod", contexts: ["prod"], server: "known" } as const;
const unknown = { name: "https://10.0.0.1", contexts: [], server: "unknown" } as const;

describe("guarded place of a connection", () => {
  const access = (fields: object): GuardedConnection =>
    ({ context: "https://s", identity: { kind: "none" }, serverContexts: [], ...fields }) as never;

  test("is its context", () => {
    assert.deepEqual(placeOf({ context: "prod" }), known);
  });

  test("includes all contexts of its server and the context that owns the credentials", () => {
    const identity = { kind: "foreign", context: "qa", ownServer: "https://qa" };
    assert.deepEqual(placeOf(access({ serverContexts: ["prod", "live"], identity })), {
      name: "https://s",
      contexts: ["prod", "live", "qa"],
      server: "known",
    });
  });

  test("is unknown if no context has its server", () => {
    assert.deepEqual(placeOf(access({})), { name: "https://s", contexts: [], server: "unknown" });
  });
});

test("a refusal names the context, the setting and its entry", () => {
  assert.equal(
    inEnglish(refusalWords(known, entryOf(["prod*"]))),
    'The context "prod" is read-only because of the entry "prod*" of your setting "sparkK8s.readOnlyContexts".',
  );
  assert.equal(
    inEnglish(refusalWords(unknown, entryOf(["prod*"]))),
    'No context in the kubeconfig uses the server "https://10.0.0.1", so all guards apply: entry "prod*" of your setting "sparkK8s.readOnlyContexts".',
  );
  assert.equal(
    inEnglish(refusalWords(known, entryOf([""]))),
    'Entry 1 of "sparkK8s.readOnlyContexts" is empty: every context is guarded.',
  );
});

test("each invalid entry says why it guards every context", () => {
  const rows: readonly (readonly [unknown, RegExp])[] = [
    ["prod", /^"sparkK8s\.guardedContexts" is not a list: /],
    [[7], /^Entry 1 of "sparkK8s\.guardedContexts" is not a string: /],
    [[" "], /^Entry 1 .* is empty: /],
    [["p".repeat(201)], / is too long: /],
    [['"prod"'], / is enclosed in quotes or slashes: .* Remove them\.$/],
    [["!prod"], / begins with "!", and no entry makes an exception: /],
    [["prod, qa"], / contains a space, comma or semicolon: /],
    [["prod{"], / has an empty or unbalanced brace: /],
    [["prod\u200b"], / contains an invisible character: .* Type the entry again\.$/],
    [["(prod"], / is not a valid pattern: every context is guarded\. \S/],
  ];
  for (const [value, expected] of rows) {
    assert.match(inEnglish(problemWords("guardedContexts", entryOf(value))), expected);
  }
  assert.match(
    inEnglish(problemWords("guardedContexts", parseGuards(["ok", " "])[1] ?? assert.fail())),
    /^Entry 2 /,
  );
  assert.throws(() => problemWords("guardedContexts", entryOf(["prod"])), /has no problem/);
});

test("a row shows the guard and the entry that causes it", () => {
  const row = (guarded: readonly string[], readOnly: readonly string[]): readonly unknown[] => {
    const patterns = { guarded: parseGuards(guarded), readOnly: parseGuards(readOnly) };
    const { guard, cause } = guardWords(guardOf(known, patterns));
    return [inEnglish(guard), inEnglish(cause)];
  };
  assert.deepEqual(row([], []), ["not guarded", undefined]);
  assert.deepEqual(row(["qa", "prod"], []), [
    "changes are confirmed by typing the name",
    'Entry 2 of "sparkK8s.guardedContexts": prod',
  ]);
  assert.deepEqual(row(["prod"], ["prod"]), [
    "read-only",
    'Entry 1 of "sparkK8s.readOnlyContexts": prod',
  ]);
  assert.deepEqual(row([" "], []), [
    "changes are confirmed by typing the name",
    'Entry 1 of "sparkK8s.guardedContexts" is empty: every context is guarded.',
  ]);
});

test("a change of a guarded context needs its name", () => {
  assert.equal(
    inEnglish(namePrompt(known)),
    '"prod" is a guarded context. Type its name to continue.',
  );
  assert.equal(
    inEnglish(namePrompt(unknown)),
    'No context in the kubeconfig uses the server "https://10.0.0.1", so all guards apply to it. Type it to continue.',
  );
  assert.equal(nameFault(known, "prod"), undefined);
  assert.equal(
    inEnglish(nameFault(known, "pro")),
    'Type "prod" to continue, or press Escape to cancel',
  );
});

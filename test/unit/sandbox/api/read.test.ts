import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { textAt } from "../../../../src/base/json.ts";
import { inVersion, listBody, listObjects, versionOf } from "../../../../src/sandbox/api/read.ts";
import type { KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { kindNamed, refusalOf, refusalText, startApi, targetOf, thing } from "./apiRig.ts";

/** Starts an API with ConfigMaps of these names in the namespace `jobs`, and one ConfigMap in another namespace. */
function listing(...names: readonly string[]) {
  const api = startApi();
  const { objects, context } = api;
  const kind = kindNamed(api.kinds, "ConfigMap");
  const add = (name: string, namespace = "jobs"): KubeObject =>
    objects.create("configmaps", {
      ...{ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } },
      metadata: { name, namespace, labels: { name } },
    }) ?? assert.fail(name);
  add("else", "a-other");
  names.forEach((name) => add(name));
  const list = (query = "", name = "", namespace = "jobs") =>
    listObjects(context, targetOf(kind, name, "", namespace), new URLSearchParams(query));
  const namesOf = (query = "", name = "", namespace = "jobs"): string =>
    list(query, name, namespace)
      .items.map(({ metadata }) => metadata.name)
      .join(" ");
  return { ...api, kind, add, list, namesOf, now: () => objects.resourceVersion };
}

describe("a list", () => {
  test("has the objects of the path in the order of their names", () => {
    const { namesOf, list, now } = listing("c", "a", "b");
    assert.equal(namesOf(), "a b c");
    assert.equal(namesOf("", "", ""), "else a b c");
    assert.equal(namesOf("", "b"), "b");
    assert.equal(namesOf("", "none"), "");
    assert.equal(namesOf("", "", "none"), "");
    assert.deepEqual(list().metadata, { resourceVersion: String(now()) });
  });

  test("has only selected objects", () => {
    const { namesOf } = listing("a", "b", "c");
    assert.equal(namesOf("labelSelector=name!%3Db"), "a c");
    assert.equal(namesOf("fieldSelector=metadata.name%3Db"), "b");
    assert.equal(namesOf("labelSelector=name%3Da&fieldSelector=metadata.name%3Db"), "");
    assert.equal(namesOf("labelSelector=&fieldSelector="), "a b c");
  });

  test("has at most `limit` objects, and a token for the next page", () => {
    const { list, namesOf, now } = listing("e", "d", "c", "b", "a");
    const seen: string[] = [];
    const remaining: unknown[] = [];
    let next = "";
    do {
      const { items, metadata } = list(`limit=2&continue=${next}`);
      seen.push(items.map((one) => one.metadata.name).join(" "));
      remaining.push(metadata["remainingItemCount"]);
      assert.equal(metadata["resourceVersion"], String(now()));
      next = textAt(metadata, "continue") ?? "";
    } while (next !== "");
    assert.deepEqual(seen, ["a b", "c d", "e"]);
    assert.deepEqual(remaining, [3, 1, undefined]);
    for (const limit of ["5", "6", "0", "-1", ""]) {
      assert.equal(namesOf(`limit=${limit}`), "a b c d e");
      assert.equal("continue" in list(`limit=${limit}`).metadata, false);
    }
  });

  test("does not count the remaining objects if there is a selector", () => {
    const { list } = listing("a", "b", "c");
    for (const selector of ["labelSelector=name", "fieldSelector=metadata.name!%3Dx"]) {
      const { metadata } = list(`limit=1&${selector}`);
      assert.equal(typeof metadata["continue"], "string");
      assert.equal("remainingItemCount" in metadata, false);
    }
  });

  test("has later pages as of the first page", () => {
    const { list, namesOf, add, objects, now } = listing("a", "b", "c", "d");
    const version = now();
    const { metadata } = list("limit=2");
    add("cc");
    objects.drop({ resource: "configmaps", namespace: "jobs", name: "d" });
    const query = `continue=${textAt(metadata, "continue") ?? ""}`;
    assert.equal(namesOf(query), "c d");
    assert.equal(list(query).metadata["resourceVersion"], String(version));
    assert.equal(namesOf(`${query}&resourceVersion=0`), "c d");
    assert.equal(namesOf(), "a b c cc");
  });

  test("continues after the last object even if that was deleted", () => {
    const { list, namesOf, objects } = listing("a", "b", "c");
    const { metadata } = list("limit=2");
    objects.drop({ resource: "configmaps", namespace: "jobs", name: "b" });
    assert.equal(namesOf(`continue=${textAt(metadata, "continue") ?? ""}`), "c");
  });

  test("has the objects in the requested version", () => {
    const { objects, context } = startApi();
    const kind = thing("v2");
    objects.create("things.example.com", {
      ...{ apiVersion: "example.com/v1", kind: "Thing" },
      metadata: { name: "one", namespace: "jobs" },
    });
    const { items } = listObjects(context, targetOf(kind, ""), new URLSearchParams());
    assert.deepEqual(
      items.map(({ apiVersion }) => apiVersion),
      ["example.com/v2"],
    );
  });
});

describe("the resource version of a list", () => {
  const wrong = '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: ';

  test("without a match is a minimum; with a limit it is exact", () => {
    const { namesOf, add, now } = listing("a");
    const past = now();
    add("b");
    assert.equal(namesOf(`resourceVersion=${past}`), "a b");
    assert.equal(namesOf(`resourceVersion=${past}&limit=5`), "a");
    assert.equal(namesOf("resourceVersion=0&limit=5"), "a b");
    assert.equal(namesOf("resourceVersion=1&limit=5"), "");
    assert.equal(namesOf("resourceVersion=0"), "a b");
    assert.equal(namesOf(`resourceVersion=${now()}&limit=5`), "a b");
  });

  test("is exact or a minimum by the match", () => {
    const { namesOf, list, add, now } = listing("a");
    const past = now();
    add("b");
    const exact = `resourceVersion=${past}&resourceVersionMatch=Exact`;
    assert.equal(namesOf(exact), "a");
    assert.equal(list(exact).metadata["resourceVersion"], String(past));
    const minimum = `resourceVersion=${past}&resourceVersionMatch=NotOlderThan`;
    assert.equal(namesOf(minimum), "a b");
    assert.equal(namesOf(`${minimum}&limit=5`), "a b");
    assert.equal(list(minimum).metadata["resourceVersion"], String(now()));
    assert.equal(namesOf("resourceVersion=0&resourceVersionMatch=NotOlderThan"), "a b");
  });

  for (const [query, message] of [
    [
      "resourceVersionMatch=Exact",
      "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
    ],
    [
      "resourceVersion=1&resourceVersionMatch=Newest",
      'Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      "resourceVersion=0&resourceVersionMatch=Exact",
      'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
  ] as const) {
    test(`is refused for ${query}, but not for a watch`, () => {
      const { list, namesOf } = listing("a");
      const refusal = refusalOf(() => list(query));
      assert.equal(`${refusal.code} ${refusal.message}`, `${wrong}${message}`);
      const reason = message.startsWith("Unsupported") ? "NotSupported" : "Forbidden";
      assert.deepEqual(refusal.details?.["causes"], [
        { reason: `FieldValue${reason}`, message, field: "resourceVersionMatch" },
      ]);
      assert.match(
        refusalText(() => list(`${query}&watch=false`)),
        /^422 /,
      );
      if (!query.includes("Exact")) assert.equal(namesOf(`${query}&watch=true`), "a");
    });
  }

  test("must be a number", () => {
    const { list } = listing();
    for (const text of ["x", "1x", "-1", "1.5"]) {
      assert.equal(
        refusalText(() => list(`resourceVersion=${text}`)),
        `400 invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
      );
    }
    assert.equal(versionOf("12"), 12);
    assert.equal(versionOf(""), undefined);
    assert.equal(versionOf("a1"), undefined);
  });

  test("must not be in the future", () => {
    const { list, now } = listing("a");
    const refusal = refusalOf(() => list(`resourceVersion=${now() + 1}`));
    assert.deepEqual(refusal.status, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `Too large resource version: ${now() + 1}, current: ${now()}`,
      reason: "Timeout",
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
  });

  test("must not be compacted", () => {
    const { list, add, history, now } = listing("a", "b");
    const past = now();
    const { metadata } = list("limit=1");
    add("c");
    history.compact();
    add("d");
    assert.equal(
      refusalText(() => list(`resourceVersion=${past}&resourceVersionMatch=Exact`)),
      "410 The resourceVersion for the provided list is too old.",
    );
    assert.equal(
      refusalText(() => list(`continue=${textAt(metadata, "continue") ?? ""}`)),
      "410 The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
    );
  });

  test("is not allowed with a continue token", () => {
    const { list } = listing("a", "b");
    const { metadata } = list("limit=1");
    assert.equal(
      refusalText(() => list(`continue=${textAt(metadata, "continue") ?? ""}&resourceVersion=1`)),
      "400 specifying resource version is not allowed when using continue",
    );
  });
});

test("a limit must be a whole number", () => {
  const { list } = listing();
  for (const text of ["x", "1.5", "1x", "x1"]) {
    assert.equal(
      refusalText(() => list(`limit=${text}`)),
      `400 strconv.ParseInt: parsing "${text}": invalid syntax`,
    );
  }
});

test("a continue token must be one of the server", () => {
  const { list } = listing();
  const encoded = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const token of [
    "x",
    encoded(null),
    encoded(1),
    encoded({ after: "a" }),
    encoded({ resourceVersion: 1 }),
  ]) {
    assert.equal(
      refusalText(() => list(`continue=${token}`)),
      "400 invalid continue token: continue key is not valid",
    );
  }
});

test("only objects of another version are copied", () => {
  const object = {
    ...{ apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "one" } },
  };
  assert.equal(inVersion(thing("v1"), object), object);
  const { apiVersion, ...rest } = inVersion(thing("v2"), object);
  assert.equal(apiVersion, "example.com/v2");
  assert.deepEqual(rest, { kind: "Thing", metadata: { name: "one" } });
  const { kinds } = startApi();
  const builtIn = { apiVersion: "other", kind: "ConfigMap", metadata: { name: "one" } };
  assert.equal(inVersion(kindNamed(kinds, "ConfigMap"), builtIn), builtIn);
});

test("the items of a list have a kind only if it is custom", () => {
  const { kind, list } = listing("a");
  const [item] = list().items;
  assert.ok(item);
  const { metadata } = item;
  assert.deepEqual(listBody(kind, { items: [item], metadata: { resourceVersion: "5" } }), {
    kind: "ConfigMapList",
    apiVersion: "v1",
    metadata: { resourceVersion: "5" },
    items: [{ metadata, data: { a: "1" } }],
  });
  const custom = { apiVersion: "example.com/v1", kind: "Thing", metadata };
  assert.deepEqual(listBody(thing("v1"), { items: [custom], metadata: {} }), {
    kind: "ThingList",
    apiVersion: "example.com/v1",
    metadata: {},
    items: [custom],
  });
});

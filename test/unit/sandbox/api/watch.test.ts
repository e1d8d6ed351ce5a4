import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { fieldAt, textAt } from "../../../../src/base/json.ts";
import { isTrue, watch, type WatchEvent } from "../../../../src/sandbox/api/watch.ts";
import type { KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { kindNamed, refusalText, startApi, targetOf, thing } from "./apiRig.ts";

function watching(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const api = startApi();
  const { objects, context } = api;
  const add = (name: string, labels = {}, resource = "configmaps"): number => {
    objects.create(resource, {
      ...{ apiVersion: "v1", kind: "ConfigMap" },
      metadata: { name, namespace: "jobs", labels },
    });
    return objects.resourceVersion;
  };
  const key = (name: string) => ({ resource: "configmaps", namespace: "jobs", name });
  const label = (name: string, labels: object): void => {
    objects.update(key(name), (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...labels } },
    }));
  };
  const open = (query: string, kind = kindNamed(api.kinds, "ConfigMap")) => {
    const events: WatchEvent[] = [];
    let ends = 0;
    const subscription = watch(context, targetOf(kind, ""), new URLSearchParams(query), {
      send: (event) => void events.push(event),
      end: () => void (ends += 1),
    });
    t.after(() => {
      subscription.dispose();
    });
    /** Returns the events since the last call: type, name, resource version. */
    const next = (): readonly string[] =>
      events.splice(0).map(({ type, object }) => {
        const metadata = fieldAt(object, "metadata");
        return [type, textAt(metadata, "name"), textAt(metadata, "resourceVersion")]
          .filter((part) => part !== undefined)
          .join(" ");
      });
    return { events, next, subscription, ends: () => ends };
  };
  const tick = (ms: number): void => {
    t.mock.timers.tick(ms);
  };
  const drop = (name: string): void => {
    objects.drop(key(name));
  };
  return { ...api, add, label, drop, open, tick, now: () => objects.resourceVersion };
}

describe("a watch", () => {
  for (const query of ["", "resourceVersion=0", "resourceVersion="]) {
    test(`with the query "${query}" sends the objects in the order of their names, then changes`, (t) => {
      const { add, open, label, drop, now } = watching(t);
      const [c, a, b] = [add("c"), add("a"), add("b")];
      const { next } = open(query);
      assert.deepEqual(next(), [`ADDED a ${a}`, `ADDED b ${b}`, `ADDED c ${c}`]);
      const d = add("d");
      label("a", { x: "1" });
      drop("b");
      assert.deepEqual(next(), [`ADDED d ${d}`, `MODIFIED a ${d + 1}`, `DELETED b ${now()}`]);
    });
  }

  test("resumes after a resource version", (t) => {
    const { add, open, drop, now } = watching(t);
    add("a");
    const start = now();
    const b = add("b");
    drop("a");
    const { next } = open(`resourceVersion=${start}`);
    assert.deepEqual(next(), [`ADDED b ${b}`, `DELETED a ${now()}`]);
    const c = add("c");
    assert.deepEqual(next(), [`ADDED c ${c}`]);
  });

  test("sends no objects if it resumes at the present", (t) => {
    const { add, open, now } = watching(t);
    add("a");
    assert.deepEqual(open(`resourceVersion=${now()}`).next(), []);
  });

  test("ignores objects of other resources", (t) => {
    const { add, open } = watching(t);
    const { next } = open("");
    add("a", {}, "secrets");
    assert.deepEqual(next(), []);
  });

  test("sends objects as added or deleted when they start or stop matching the selector", (t) => {
    const { add, open, label, drop, now } = watching(t);
    add("a", { x: "1" });
    add("b");
    const watched = open("labelSelector=x%3D1");
    assert.equal(watched.next().length, 1);
    label("b", { x: "1" });
    assert.deepEqual(watched.next(), [`ADDED b ${now()}`]);
    label("b", { x: "1", y: "1" });
    assert.deepEqual(watched.next(), [`MODIFIED b ${now()}`]);
    label("b", {});
    const [event] = watched.events;
    assert.deepEqual(fieldAt(fieldAt(event?.object, "metadata"), "labels"), { x: "1", y: "1" });
    assert.deepEqual(watched.next(), [`DELETED b ${now()}`]);
    label("b", { y: "1" });
    drop("b");
    assert.deepEqual(watched.next(), []);
    drop("a");
    assert.deepEqual(watched.next(), [`DELETED a ${now()}`]);
  });

  test("sends objects in the requested version", (t) => {
    const { objects, open } = watching(t);
    const { events } = open("", thing("v2"));
    objects.create("things.example.com", {
      ...{ apiVersion: "example.com/v1", kind: "Thing" },
      metadata: { name: "one", namespace: "jobs" },
    });
    assert.deepEqual(
      events.map(({ object }) => (object as KubeObject).apiVersion),
      ["example.com/v2"],
    );
  });

  test("ends with an error event if its resource version was compacted", (t) => {
    const { add, open, history, tick } = watching(t);
    const past = add("a");
    add("b");
    history.compact();
    const { events, ends, next } = open(`resourceVersion=${past - 1}`);
    const [event] = events;
    assert.equal(event?.type, "ERROR");
    assert.equal(event.object["code"], 410);
    assert.equal(next().length, 1);
    assert.equal(ends(), 1);
    add("c");
    tick(3_600_000);
    assert.deepEqual(next(), []);
    assert.equal(ends(), 1);
  });

  test("must have a number as resource version", (t) => {
    const { open } = watching(t);
    assert.equal(
      refusalText(() => open("resourceVersion=x")),
      '500 resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    );
  });

  for (const [query, seconds] of [
    ["", 1800],
    ["timeoutSeconds=5", 5],
  ] as const) {
    test(`with the query "${query}" ends after ${seconds} s`, (t) => {
      const { add, open, tick } = watching(t);
      const { ends, next } = open(query);
      tick(seconds * 1000 - 1);
      assert.equal(ends(), 0);
      tick(1);
      assert.equal(ends(), 1);
      add("a");
      assert.deepEqual(next(), []);
    });
  }

  test("sends nothing after it is disposed", (t) => {
    const { add, open, tick } = watching(t);
    const { ends, next, subscription } = open("allowWatchBookmarks=true");
    subscription.dispose();
    add("a");
    tick(3_600_000);
    assert.deepEqual(next(), []);
    assert.equal(ends(), 0);
  });
});

describe("bookmarks of a watch", () => {
  test("are sent each minute if the client allows them", (t) => {
    const { add, open, tick, now } = watching(t);
    const { next, events } = open("allowWatchBookmarks=true");
    tick(59_999);
    assert.deepEqual(next(), []);
    tick(1);
    assert.deepEqual(events, [
      {
        type: "BOOKMARK",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: { resourceVersion: String(now()) },
        },
      },
    ]);
    add("a", {}, "secrets");
    next();
    tick(60_000);
    assert.deepEqual(next(), [`BOOKMARK ${now()}`]);
  });

  test("are not sent otherwise", (t) => {
    const { open, tick } = watching(t);
    const watches = ["", "allowWatchBookmarks=false"].map((query) => open(query));
    tick(600_000);
    assert.deepEqual(
      watches.flatMap(({ next }) => next()),
      [],
    );
  });

  const initial = "resourceVersionMatch=NotOlderThan&sendInitialEvents";
  test("mark the end of the initial events", (t) => {
    const { add, open, now } = watching(t);
    const a = add("a");
    const { events, next } = open(`${initial}=true&allowWatchBookmarks=1`);
    assert.deepEqual(events[1]?.object["metadata"], {
      resourceVersion: String(now()),
      annotations: { "k8s.io/initial-events-end": "true" },
    });
    assert.deepEqual(next(), [`ADDED a ${a}`, `BOOKMARK ${now()}`]);
    const past = open(`${initial}=1&resourceVersion=${now()}`);
    assert.deepEqual(past.next(), [`ADDED a ${a}`]);
  });

  test("do not mark an end without initial events", (t) => {
    const { add, open } = watching(t);
    const a = add("a");
    const none = open(`${initial}=false&allowWatchBookmarks=true`);
    assert.deepEqual(none.next(), []);
    const b = add("b");
    assert.deepEqual(none.next(), [`ADDED b ${b}`]);
    const zero = open(`${initial}=false&resourceVersion=0`);
    assert.deepEqual(zero.next(), []);
    const plain = open("allowWatchBookmarks=true");
    assert.deepEqual(plain.next(), [`ADDED a ${a}`, `ADDED b ${b}`]);
  });
});

test("initial events and the match of the resource version need each other", (t) => {
  const { open } = watching(t);
  const wrong = '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: ';
  assert.equal(
    refusalText(() => open("resourceVersionMatch=NotOlderThan")),
    `${wrong}resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
  );
  assert.equal(
    refusalText(() => open("sendInitialEvents=true")),
    `${wrong}sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
  );
});

test("a flag of a query is set by true and 1", () => {
  const values = ["true", "1", "false", "0", "", "yes", null];
  assert.deepEqual(values.map(isTrue), [true, true, false, false, false, false, false]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import { inPlaces, readEvents, type EventSubject } from "../../../src/editor/describe/eventsOf.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";
import { fakeCluster } from "../engine/fakeCluster.ts";

const about = (context: string, namespace: string, name: string): EventSubject => ({
  ...{ name, context, namespace, key: `${namespace}/${name}`, path: `/${name}` },
  selector: () => () => true,
});

test("the events of a namespace are listed once for all rows that are in it", () => {
  const executors = Array.from({ length: 500 }, (_, at) => about("dev", "jobs", `exec-${at}`));
  const others = [
    about("prod", "jobs", "a"),
    about("dev", "night", "b"),
    about("dev", "jobs", "c"),
  ];
  const places = inPlaces([...executors, ...others]);
  assert.deepEqual(
    places.map((there) => [there[0].context, there[0].namespace, there.length]),
    [
      ["dev", "jobs", 501],
      ["prod", "jobs", 1],
      ["dev", "night", 1],
    ],
  );
});

test("skips events without an object", async () => {
  const event = (name: string, fields: object): Manifest => ({
    ...{ apiVersion: "v1", kind: "Event", metadata: { name } },
    ...fields,
  });
  const involvedObject = { kind: "Pod", name: "pi", uid: "u" };
  const manifests = [event("a", { involvedObject, reason: "Killing" }), event("b", {})];
  const read = await readEvents(fakeCluster({ manifests }), "jobs", new AbortController().signal);
  assert.deepEqual(read.ok && ok(read.value.map(({ uid }) => uid)), ok(["u"]));
});

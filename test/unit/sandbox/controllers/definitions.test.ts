import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { ApiContext } from "../../../../src/sandbox/api/context.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { serveDefinitions } from "../../../../src/sandbox/controllers/definitions.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { fieldAt, itemsOf, textAt } from "../../../../src/base/json.ts";

const definitions = "customresourcedefinitions.apiextensions.k8s.io";
const resource = "things.example.org";
const key = { resource: definitions, namespace: "", name: resource };
const version = { name: "v1", served: true, storage: true };

function start(t: TestContext, spec: JsonMembers = {}) {
  const rethrow = (error: unknown): void => {
    throw error;
  };
  const objects = new Objects(() => 0, rethrow);
  const kinds = new Kinds(rethrow);
  const context = { objects, kinds, clock: { now: () => 0 } } as unknown as ApiContext;
  const served = serveDefinitions(context);
  t.after(() => {
    served.dispose();
  });
  objects.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: resource },
    spec: {
      group: "example.org",
      names: { kind: "Thing", plural: "things" },
      scope: "Namespaced",
      versions: [version],
      ...spec,
    },
  });
  return { objects, kinds };
}

describe("a CustomResourceDefinition", () => {
  test("is established, with its finalizer, names and stored version", (t) => {
    const { objects } = start(t);
    const object = objects.get(key);
    assert.deepEqual(object?.metadata.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
    const status = object["status"];
    assert.deepEqual(
      itemsOf(fieldAt(status, "conditions")).map(
        (one) => `${textAt(one, "type")} ${textAt(one, "status")} ${textAt(one, "reason")}`,
      ),
      ["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"],
    );
    assert.deepEqual(fieldAt(status, "storedVersions"), ["v1"]);
    assert.deepEqual(fieldAt(status, "acceptedNames"), { kind: "Thing", plural: "things" });
  });

  test("serves a kind with defaults for each served version", (t) => {
    const versions = [
      { ...version, storage: false },
      { name: "v2", served: true, storage: true, subresources: { status: {} } },
      { name: "v3", served: false },
    ];
    const { kinds } = start(t, { versions });
    const found = kinds.find("example.org", "v1", "things");
    assert.ok(found);
    assert.deepEqual(
      [found.kind, found.singular, found.shortNames, found.categories, found.namespaced],
      ["Thing", "thing", [], [], true],
    );
    assert.deepEqual(found.verbs.toSorted(), [
      ...["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    ]);
    assert.deepEqual(
      found.columns.map(({ name }) => name),
      ["Name", "Age"],
    );
    assert.deepEqual([found.resource, found.subresources], [resource, []]);
    assert.deepEqual(found.custom, {
      listKind: "ThingList",
      columnPaths: [".metadata.creationTimestamp"],
      hasStatus: false,
      storageVersion: "v2",
    });
    const second = kinds.find("example.org", "v2", "things");
    assert.equal(second?.custom?.hasStatus, true);
    assert.deepEqual(
      second.subresources.map(({ name, verbs }) => [name, verbs]),
      [["status", ["get", "patch", "update"]]],
    );
    assert.equal(kinds.find("example.org", "v3", "things"), undefined);
  });

  test("serves a kind with the names, columns and schema of its version", (t) => {
    const names = {
      ...{ kind: "Thing", plural: "things", singular: "one", listKind: "Things" },
      ...{ shortNames: ["th"], categories: ["all"] },
    };
    const additionalPrinterColumns = [
      { name: "State", type: "string", jsonPath: ".status.state" },
      { name: "Size", type: "integer", format: "int32", priority: 1, jsonPath: ".spec.size" },
    ];
    const openAPIV3Schema = { type: "object" };
    const { kinds } = start(t, {
      ...{ names, scope: "Cluster" },
      versions: [{ ...version, additionalPrinterColumns, schema: { openAPIV3Schema } }],
    });
    const found = kinds.find("example.org", "v1", "things");
    assert.deepEqual(
      [found?.singular, found?.shortNames, found?.categories, found?.namespaced],
      ["one", ["th"], ["all"], false],
    );
    assert.deepEqual(found?.columns.slice(1), [
      { name: "State", type: "string", format: "", priority: 0 },
      { name: "Size", type: "integer", format: "int32", priority: 1 },
    ]);
    assert.deepEqual(found.custom?.columnPaths, [".status.state", ".spec.size"]);
    assert.equal(found.custom.listKind, "Things");
    assert.deepEqual(found.schema, openAPIV3Schema);
  });

  test("serves its changed versions, and keeps its conditions", (t) => {
    const { objects, kinds } = start(t);
    const before = objects.get(key)?.["status"];
    objects.update(key, (present) => ({
      ...present,
      spec: { ...(present["spec"] as object), versions: [{ ...version, name: "v9" }] },
    }));
    assert.equal(kinds.find("example.org", "v1", "things"), undefined);
    assert.ok(kinds.find("example.org", "v9", "things"));
    assert.deepEqual(objects.get(key)?.["status"], before);
  });

  test("is deleted with its objects, but not before their finalizers are removed", (t) => {
    const { objects, kinds } = start(t);
    const create = (name: string, finalizers: readonly string[]) =>
      objects.create(resource, {
        ...{ apiVersion: "example.org/v1", kind: "Thing" },
        metadata: { name, namespace: "etl", finalizers },
      });
    create("plain", []);
    create("held", ["example.org/wait"]);
    objects.remove(key);
    const held = { resource, namespace: "etl", name: "held" };
    assert.ok(objects.get(key));
    assert.deepEqual(
      objects.list(resource).map(({ metadata }) => metadata.name),
      ["held"],
    );
    assert.ok(kinds.find("example.org", "v1", "things"));
    objects.update(held, (present) => ({
      ...present,
      metadata: { ...present.metadata, finalizers: [] },
    }));
    objects.update(key, (present) => ({ ...present, touched: true }));
    assert.equal(objects.get(key), undefined);
    assert.equal(kinds.find("example.org", "v1", "things"), undefined);
  });
});

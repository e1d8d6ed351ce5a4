import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldAt, itemsOf, textAt } from "../../../../src/base/json.ts";
import {
  aggregated,
  coreVersions,
  groupList,
  oneGroup,
  openApi,
  openApiIndex,
  openApiV2,
  resourceList,
} from "../../../../src/sandbox/api/discovery.ts";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";

const kinds = new Kinds((error) => {
  throw error;
});
const named = (list: unknown, name: string, field = "name"): unknown =>
  itemsOf(list).find((one) => textAt(one, field) === name);

describe("the discovery documents", () => {
  test("have the core version with the address of the server", () => {
    const versions = coreVersions("127.0.0.1:1");
    assert.deepEqual(fieldAt(versions, "versions"), ["v1"]);
    const [range] = itemsOf(fieldAt(versions, "serverAddressByClientCIDRs"));
    assert.deepEqual(range, { clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:1" });
  });

  test("have each group with its versions, except the core group", () => {
    const groups = fieldAt(groupList(kinds), "groups");
    const policy = {
      name: "policy",
      versions: [{ groupVersion: "policy/v1", version: "v1" }],
      preferredVersion: { groupVersion: "policy/v1", version: "v1" },
    };
    assert.deepEqual(named(groups, "policy"), policy);
    assert.equal(named(groups, ""), undefined);
    assert.deepEqual(oneGroup(kinds, "policy"), { kind: "APIGroup", apiVersion: "v1", ...policy });
    assert.equal(oneGroup(kinds, ""), undefined);
    assert.equal(oneGroup(kinds, "none.example.org"), undefined);
  });

  test("have the resources of a version in alphabetical order, with subresources", () => {
    const core = resourceList(kinds, "", "v1");
    assert.equal(textAt(core, "apiVersion"), undefined);
    assert.equal(textAt(core, "groupVersion"), "v1");
    const resources = fieldAt(core, "resources");
    const names = itemsOf(resources).map((one) => textAt(one, "name") ?? "");
    assert.deepEqual(names, names.toSorted());
    // Names must be unique, and the resource of each subresource must be listed.
    assert.equal(new Set(names).size, names.length);
    const owners = names.filter((name) => name.includes("/")).map((name) => name.split("/")[0]);
    assert.deepEqual(
      owners.filter((owner) => !names.includes(owner ?? "")),
      [],
    );
    const pods = named(resources, "pods");
    assert.deepEqual(fieldAt(pods, "shortNames"), ["po"]);
    assert.deepEqual(fieldAt(pods, "categories"), ["all"]);
    assert.equal(textAt(pods, "singularName"), "pod");
    assert.equal(fieldAt(pods, "namespaced"), true);
    const eviction = named(resources, "pods/eviction");
    assert.deepEqual(
      ["group", "version", "kind", "singularName"].map((field) => textAt(eviction, field)),
      ["policy", "v1", "Eviction", ""],
    );
    assert.equal("group" in (named(resources, "pods/log") as object), false);
    assert.equal("shortNames" in (named(resources, "secrets") as object), false);
    const policy = resourceList(kinds, "policy", "v1");
    assert.deepEqual(
      [textAt(policy, "apiVersion"), textAt(policy, "groupVersion")],
      ["v1", "policy/v1"],
    );
    assert.equal(resourceList(kinds, "policy", "v9"), undefined);
  });

  test("have the same in the aggregated form", () => {
    const items = itemsOf(fieldAt(aggregated(kinds, "api"), "items"));
    assert.deepEqual(
      items.map((one) => fieldAt(one, "metadata")),
      [{}],
    );
    const [version] = itemsOf(fieldAt(items[0], "versions"));
    assert.equal(textAt(version, "version"), "v1");
    const pods = named(fieldAt(version, "resources"), "pods", "resource");
    assert.deepEqual(fieldAt(pods, "responseKind"), { group: "", version: "v1", kind: "Pod" });
    assert.deepEqual(
      ["scope", "singularResource"].map((field) => textAt(pods, field)),
      ["Namespaced", "pod"],
    );
    assert.deepEqual([fieldAt(pods, "shortNames"), fieldAt(pods, "categories")], [["po"], ["all"]]);
    const eviction = named(fieldAt(pods, "subresources"), "eviction", "subresource");
    const kind = { group: "policy", version: "v1", kind: "Eviction" };
    assert.deepEqual(fieldAt(eviction, "responseKind"), kind);
    const nodes = named(fieldAt(version, "resources"), "nodes", "resource");
    assert.equal(textAt(nodes, "scope"), "Cluster");
    const groups = itemsOf(fieldAt(aggregated(kinds, "apis"), "items"));
    const groupNames = groups.map((one) => textAt(fieldAt(one, "metadata"), "name"));
    assert.ok(groupNames.includes("policy") && !groupNames.includes(undefined));
  });

  test("have an OpenAPI document for each version", () => {
    const paths = fieldAt(openApiIndex(kinds), "paths");
    assert.deepEqual(fieldAt(paths, "api/v1"), { serverRelativeURL: "/openapi/v3/api/v1" });
    assert.deepEqual(fieldAt(paths, "apis/policy/v1"), {
      serverRelativeURL: "/openapi/v3/apis/policy/v1",
    });
    assert.equal(openApi(kinds, "apis/none/v1"), undefined);
    const document = openApi(kinds, "api/v1");
    const operations = fieldAt(document, "paths");
    const all = fieldAt(operations, "/api/v1/namespaces/{namespace}/pods");
    assert.deepEqual(Object.keys(all as object), ["get", "post"]);
    const one = fieldAt(operations, "/api/v1/namespaces/{namespace}/pods/{name}");
    assert.deepEqual(Object.keys(one as object), ["get", "put", "patch", "delete"]);
    assert.ok(fieldAt(operations, "/api/v1/nodes/{name}"));
    const parameters = (operation: unknown) =>
      itemsOf(fieldAt(operation, "parameters")).map((each) => textAt(each, "name"));
    assert.deepEqual(parameters(fieldAt(all, "get")), []);
    assert.deepEqual(parameters(fieldAt(one, "patch")), [
      "dryRun",
      "fieldManager",
      "fieldValidation",
    ]);
    const mark = { group: "", version: "v1", kind: "Pod" };
    assert.deepEqual(fieldAt(fieldAt(one, "get"), "x-kubernetes-group-version-kind"), mark);
  });

  test("have all types that their types refer to", () => {
    for (const [document, schemas, prefix] of [
      [
        openApi(kinds, "api/v1"),
        fieldAt(fieldAt(openApi(kinds, "api/v1"), "components"), "schemas"),
        "#/components/schemas/",
      ],
      [openApiV2(kinds), fieldAt(openApiV2(kinds), "definitions"), "#/definitions/"],
    ] as const) {
      const types = new Set(Object.keys(schemas as object));
      assert.ok(types.size > 20);
      const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
      for (const [, reference = ""] of references) {
        assert.ok(reference.startsWith(prefix), reference);
        assert.ok(types.has(reference.slice(prefix.length)), reference);
      }
    }
    const marks = Object.values(fieldAt(openApiV2(kinds), "definitions") as object).flatMap(
      (type) => itemsOf(fieldAt(type, "x-kubernetes-group-version-kind")),
    );
    assert.ok(named(marks, "Pod", "kind") && named(marks, "PodDisruptionBudget", "kind"));
  });
});

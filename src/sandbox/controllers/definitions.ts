import type { Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";
import { storedResourceOf, type Kind, type Subresource } from "../api/kinds.ts";
import { timestamp } from "../clock.ts";
import { leaveOut, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";

const resource = "customresourcedefinitions.apiextensions.k8s.io";
const finalizer = "customresourcecleanup.apiextensions.k8s.io";
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/**
 * Serves the kinds of each CustomResourceDefinition until it is deleted. A deletion first deletes all objects of the
 * definition.
 */
export function serveDefinitions(context: ApiContext): Disposable {
  const { objects, kinds, clock } = context;
  return objects.onDidChange((change) => {
    if (change.resource !== resource) return;
    const { object, kind } = change;
    const key = { resource, namespace: "", name: object.metadata.name };
    if (kind === "deleted") {
      kinds.replaceCustom(object.metadata.name, []);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) {
      for (const { metadata } of objects.list(object.metadata.name)) {
        objects.remove({
          resource: object.metadata.name,
          namespace: metadata.namespace ?? "",
          name: metadata.name,
        });
      }
      if (objects.list(object.metadata.name).length > 0) return;
      objects.update(key, (present) => {
        return { ...present, metadata: leaveOut(present.metadata, "finalizers") };
      });
      return;
    }
    kinds.replaceCustom(object.metadata.name, kindsOf(object));
    objects.update(key, (present) =>
      asObject(present["status"])?.["conditions"] === undefined
        ? established(present, timestamp(clock.now()))
        : present,
    );
  });
}

function established(definition: KubeObject, lastTransitionTime: string): KubeObject {
  const spec = asObject(definition["spec"]) ?? {};
  const condition = (type: string, reason: string, message: string): JsonMembers => ({
    type,
    status: "True",
    lastTransitionTime,
    reason,
    message,
  });
  return {
    ...definition,
    metadata: {
      ...definition.metadata,
      finalizers: [...new Set([...(definition.metadata.finalizers ?? []), finalizer])],
    },
    status: {
      conditions: [
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
      ],
      acceptedNames: spec["names"],
      storedVersions: [storageVersionOf(spec)],
    },
  };
}

const storageVersionOf = (spec: JsonMembers): string =>
  plainTextOf(items(spec["versions"]).find(({ storage }) => storage === true)?.["name"] ?? "");

/** Returns a kind for each served version. */
function kindsOf(definition: KubeObject): readonly Kind[] {
  const spec = asObject(definition["spec"]) ?? {};
  const names = asObject(spec["names"]) ?? {};
  const group = plainTextOf(spec["group"]);
  const kind = plainTextOf(names["kind"]);
  const plural = plainTextOf(names["plural"]);
  const texts = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.map(String) : [];
  return items(spec["versions"])
    .filter(({ served }) => served === true)
    .map((version) => {
      const subresources = asObject(version["subresources"]) ?? {};
      const hasStatus = subresources["status"] !== undefined;
      const columns = items(version["additionalPrinterColumns"]);
      const status: Subresource = {
        name: "status",
        kind,
        group: undefined,
        version: undefined,
        verbs: ["get", "patch", "update"],
      };
      return {
        group,
        version: plainTextOf(version["name"]),
        kind,
        plural,
        singular: plainTextOf(names["singular"] ?? kind.toLowerCase()),
        shortNames: texts(names["shortNames"]),
        categories: texts(names["categories"]),
        namespaced: spec["scope"] === "Namespaced",
        verbs,
        subresources: hasStatus ? [status] : [],
        schema: asObject(asObject(version["schema"])?.["openAPIV3Schema"]) ?? {},
        columns: [
          { name: "Name", type: "string", format: "name", priority: 0 },
          ...(columns.length === 0
            ? [{ name: "Age", type: "date", format: "", priority: 0 }]
            : columns.map((column) => ({
                name: plainTextOf(column["name"]),
                type: plainTextOf(column["type"]),
                format: plainTextOf(column["format"] ?? ""),
                priority: Number(column["priority"] ?? 0),
              }))),
        ],
        resource: storedResourceOf({ plural, group }),
        custom: {
          listKind: plainTextOf(names["listKind"] ?? `${kind}List`),
          columnPaths:
            columns.length === 0
              ? [".metadata.creationTimestamp"]
              : columns.map((column) => plainTextOf(column["jsonPath"])),
          hasStatus,
          storageVersion: storageVersionOf(spec),
        },
      };
    });
}

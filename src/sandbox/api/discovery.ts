import type { JsonMembers } from "../kubeObject.ts";
import { kubernetesVersion, resolve, schemas, type OpenApiSchema } from "../schema/schema.ts";
import { apiVersionOf, listKindOf, type Kind, type Kinds } from "./kinds.ts";

export function versionBody(platform: string): JsonMembers {
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)/.exec(kubernetesVersion) ?? [];
  return {
    major,
    minor,
    gitVersion: `${kubernetesVersion}+sandbox`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform,
  };
}

export const coreVersions = (address: string): JsonMembers => ({
  kind: "APIVersions",
  versions: ["v1"],
  serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
});

interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

const groupsOf = (kinds: Kinds): readonly Group[] => {
  const groups = new Map<string, Set<string>>();
  for (const { group, version } of kinds.all()) {
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions] }));
};

const groupBody = ({ name, versions }: Group): JsonMembers => {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, ...(all[0] === undefined ? {} : { preferredVersion: all[0] }) };
};

export const groupList = (kinds: Kinds): JsonMembers => ({
  kind: "APIGroupList",
  apiVersion: "v1",
  groups: groupsOf(kinds)
    .filter(({ name }) => name !== "")
    .map(groupBody),
});

export function oneGroup(kinds: Kinds, name: string): JsonMembers | undefined {
  const group = groupsOf(kinds).find((one) => one.name === name && name !== "");
  return group === undefined
    ? undefined
    : { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

/** Returns the body of `/api/v1` and `/apis/GROUP/VERSION`; undefined if the group version has no kinds. */
export function resourceList(
  kinds: Kinds,
  group: string,
  version: string,
): JsonMembers | undefined {
  const own = kinds.all().filter((kind) => kind.group === group && kind.version === version);
  const [first] = own;
  if (first === undefined) return undefined;
  const resources = own
    .flatMap((kind) => [
      {
        name: kind.plural,
        singularName: kind.singular,
        namespaced: kind.namespaced,
        kind: kind.kind,
        verbs: kind.verbs,
        ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      ...kind.subresources.map((sub) => ({
        name: `${kind.plural}/${sub.name}`,
        singularName: "",
        namespaced: kind.namespaced,
        ...(sub.group === undefined ? {} : { group: sub.group }),
        ...(sub.version === undefined ? {} : { version: sub.version }),
        kind: sub.kind,
        verbs: sub.verbs,
      })),
    ])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: apiVersionOf(first),
    resources,
  };
}

/** Returns the aggregated discovery document of `/api` or `/apis`, which clients request since Kubernetes 1.26. */
export const aggregated = (kinds: Kinds, root: "api" | "apis"): JsonMembers => ({
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: groupsOf(kinds)
    .filter(({ name }) => (name === "") === (root === "api"))
    .map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map((version) => ({
        version,
        resources: kinds
          .all()
          .filter((kind) => kind.group === name && kind.version === version)
          .map(aggregatedResource),
        freshness: "Current",
      })),
    })),
});

const aggregatedResource = (kind: Kind): JsonMembers => ({
  resource: kind.plural,
  responseKind: { group: kind.group, version: kind.version, kind: kind.kind },
  scope: kind.namespaced ? "Namespaced" : "Cluster",
  singularResource: kind.singular,
  verbs: kind.verbs,
  ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
  ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
  ...(kind.subresources.length > 0
    ? {
        subresources: kind.subresources.map((sub) => ({
          subresource: sub.name,
          responseKind: {
            group: sub.group ?? kind.group,
            version: sub.version ?? kind.version,
            kind: sub.kind,
          },
          verbs: sub.verbs,
        })),
      }
    : {}),
});

const placeOf = (group: string, version: string): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;

/** Returns the body of `/openapi/v3`: the path of each group version's document. */
export const openApiIndex = (kinds: Kinds): JsonMembers => ({
  paths: Object.fromEntries(
    groupsOf(kinds).flatMap(({ name, versions }) =>
      versions.map((version) => {
        const place = placeOf(name, version);
        return [place, { serverRelativeURL: `/openapi/v3/${place}` }];
      }),
    ),
  ),
});

/** Returns the OpenAPI v3 document of one group version, without descriptions; undefined if `place` has no kinds. */
export function openApi(kinds: Kinds, place: string): JsonMembers | undefined {
  const own = kinds.all().filter(({ group, version }) => placeOf(group, version) === place);
  if (own.length === 0) return undefined;
  const types = new Map<string, JsonMembers>();
  const paths: Record<string, JsonMembers> = {};
  for (const kind of own) {
    const name = typeName(kind);
    take(kind.schema, name, types, kind);
    const root = kind.namespaced ? `/${place}/namespaces/{namespace}/` : `/${place}/`;
    paths[`${root}${kind.plural}`] = operations(kind, name, ["get", "post"]);
    paths[`${root}${kind.plural}/{name}`] = operations(kind, name, [
      "get",
      "put",
      "patch",
      "delete",
    ]);
  }
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: kubernetesVersion },
    paths,
    components: { schemas: Object.fromEntries(types) },
  };
}

const typeName = ({ group, version, kind, schema, custom }: Kind): string =>
  custom === undefined
    ? (Object.entries(schemas).find(([, one]) => one === schema)?.[0] ?? `${version}.${kind}`)
    : `${group.split(".").toReversed().join(".")}.${version}.${kind}`;

function take(
  schema: OpenApiSchema,
  name: string,
  types: Map<string, JsonMembers>,
  kind?: Kind,
): void {
  if (types.has(name)) return;
  types.set(name, {});
  const json = withPointers(schema, types) as JsonMembers;
  types.set(name, {
    ...json,
    ...(kind === undefined
      ? {}
      : {
          "x-kubernetes-group-version-kind": [
            { group: kind.group, kind: kind.kind, version: kind.version },
          ],
        }),
  });
}

function withPointers(value: unknown, types: Map<string, JsonMembers>): unknown {
  if (Array.isArray(value)) return value.map((item) => withPointers(item, types));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== "$ref" || typeof inner !== "string") return [key, withPointers(inner, types)];
      take(resolve({ $ref: inner }), inner, types);
      return [key, `#/components/schemas/${inner}`];
    }),
  );
}

const options = ["dryRun", "fieldManager", "fieldValidation"];

function operations(kind: Kind, name: string, verbs: readonly string[]): JsonMembers {
  const mark = { group: kind.group, version: kind.version, kind: kind.kind };
  const body = { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
  return Object.fromEntries(
    verbs.map((verb) => [
      verb,
      {
        operationId: `${verb}${listKindOf(kind)}`,
        parameters: ["post", "put", "patch"].includes(verb)
          ? options.map((option) => ({ name: option, in: "query", schema: { type: "string" } }))
          : [],
        responses: { "200": { description: "OK", content: body } },
        "x-kubernetes-group-version-kind": mark,
      },
    ]),
  );
}

/** Returns the body of `/openapi/v2`, for older clients. */
export function openApiV2(kinds: Kinds): JsonMembers {
  const documents = groupsOf(kinds).flatMap(({ name, versions }) =>
    versions.map((version) => openApi(kinds, placeOf(name, version)) ?? {}),
  );
  const parts = (name: string): JsonMembers =>
    Object.assign(
      {},
      ...documents.map((one) =>
        name === "paths" ? one["paths"] : (one["components"] as JsonMembers)["schemas"],
      ),
    ) as JsonMembers;
  const definitions = JSON.parse(
    JSON.stringify(parts("schemas")).replaceAll("#/components/schemas/", "#/definitions/"),
  ) as JsonMembers;
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: kubernetesVersion },
    paths: {},
    definitions,
  };
}

// Generates `src/sandbox/schema/kinds.json` from the discovery and OpenAPI documents of a real API server. Start
// `kubectl proxy`, then run `node src/build/sandboxKinds.ts http://127.0.0.1:8001`. The table has only facts (names,
// types, defaults, enumerations, list keys), no descriptions.
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

type Json = Readonly<Record<string, unknown>>;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const server = process.argv[2] ?? "http://127.0.0.1:8001";

/** The resources that the sandbox serves, by API group. */
const served: Readonly<Record<string, string>> = {
  "": "bindings configmaps events limitranges namespaces namespaces/finalize namespaces/status nodes nodes/status persistentvolumeclaims persistentvolumeclaims/status persistentvolumes persistentvolumes/status pods pods/binding pods/eviction pods/exec pods/log pods/proxy pods/status resourcequotas resourcequotas/status secrets serviceaccounts serviceaccounts/token services services/status",
  "apiextensions.k8s.io": "customresourcedefinitions customresourcedefinitions/status",
  "authentication.k8s.io": "selfsubjectreviews tokenreviews",
  "authorization.k8s.io":
    "localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
  "coordination.k8s.io": "leases",
  "networking.k8s.io": "ingresses ingresses/status networkpolicies",
  policy: "poddisruptionbudgets poddisruptionbudgets/status",
  "rbac.authorization.k8s.io": "clusterrolebindings clusterroles rolebindings roles",
  "scheduling.k8s.io": "priorityclasses",
  "storage.k8s.io": "storageclasses",
};

type Schemas = Map<string, unknown>;

const schemas: Schemas = new Map();
const kinds = await readKinds(schemas);
const version = String((await ask("/version", "application/json"))["gitVersion"]);
const sorted = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
const path = join(root, "src/sandbox/schema/kinds.json");
writeFileSync(path, `${JSON.stringify({ version, kinds, schemas: sorted })}\n`);
console.log(`${kinds.length} kinds, ${schemas.size} types of ${version}`);

/** Reads the served kinds, and adds the types of their fields to `schemas`. */
async function readKinds(schemas: Schemas): Promise<readonly Json[]> {
  const kinds: Json[] = [];
  for (const [group, names] of Object.entries(served)) {
    kinds.push(...(await readGroup(group, new Set(names.split(" ")), schemas)));
  }
  return kinds;
}

async function readGroup(
  group: string,
  wanted: Set<string>,
  schemas: Schemas,
): Promise<readonly Json[]> {
  const kinds: Json[] = [];
  const place = group === "" ? "api/v1" : `apis/${group}/v1`;
  const openApi = await ask(`/openapi/v3/${place}`, "application/json");
  const all = at(openApi, "components", "schemas");
  const { resources } = await ask(`/${place}`, "application/json");
  for (const resource of resources as readonly Json[]) {
    const name = String(resource["name"]);
    if (!wanted.delete(name)) continue;
    const kind = String(resource["kind"]);
    const own = { group: resource["group"] ?? group, version: resource["version"] ?? "v1", kind };
    const schema = schemaOf(all, own);
    if (schema !== undefined) addType(all, schema, schemas);
    const rest = leaveOut(resource, "storageVersionHash");
    const columns =
      name.includes("/") || !(resource["verbs"] as string[]).includes("list")
        ? undefined
        : await columnsOf(`/${place}/${name}`);
    const serving = { group, version: "v1" };
    kinds.push({ ...rest, serving, schema, columns });
  }
  if (wanted.size > 0) throw new Error(`not served: ${[...wanted].join(", ")}`);
  for (const extra of ["DeleteOptions", "Status"]) {
    const name = schemaOf(all, { group: "", version: "v1", kind: extra });
    if (name !== undefined) addType(all, name, schemas);
  }
  return kinds;
}

function schemaOf(all: Json, own: Json): string | undefined {
  return Object.keys(all).find((name) => {
    const marks = at(all, name)["x-kubernetes-group-version-kind"] as readonly Json[] | undefined;
    return marks?.some(
      (mark) =>
        mark["group"] === own["group"] &&
        mark["version"] === own["version"] &&
        mark["kind"] === own["kind"],
    );
  });
}

/** Adds a type to `schemas`, and recursively the types of its fields. */
function addType(all: Json, name: string, schemas: Schemas): void {
  if (schemas.has(name)) return;
  schemas.set(name, undefined);
  const refer = (referred: string): void => {
    addType(all, referred, schemas);
  };
  schemas.set(name, plain(at(all, name), refer));
}

function plain(value: unknown, refer: (name: string) => void, isFields = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, refer));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (!isFields && (key === "description" || key === "x-kubernetes-group-version-kind"))
      return [];
    if (key === "$ref" && typeof inner === "string") {
      const name = inner.replace("#/components/schemas/", "");
      refer(name);
      return [["$ref", name]];
    }
    return [[key, plain(inner, refer, !isFields && key === "properties")]];
  });
  const object = Object.fromEntries(entries);
  // OpenAPI writes a reference with a default as an `allOf` of one item.
  const allOf = object["allOf"];
  if (!isFields && Array.isArray(allOf) && allOf.length === 1) {
    return { ...leaveOut(object, "allOf"), ...(allOf[0] as Json) };
  }
  return object;
}

async function columnsOf(path: string): Promise<unknown> {
  const table = await ask(`${path}?limit=1`, "application/json;as=Table;v=v1;g=meta.k8s.io");
  return (table["columnDefinitions"] as readonly Json[]).map((column) =>
    leaveOut(column, "description"),
  );
}

async function ask(path: string, accept: string): Promise<Json> {
  const response = await fetch(`${server}${path}`, { headers: { accept } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Json;
}

function at(json: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((value, key) => value[key] as Json, json);
}

function leaveOut(json: Json, without: string): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== without));
}

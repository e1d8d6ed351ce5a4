// Makes `src/sandbox/schema/kinds.json` from what a real API server says of itself: `kubectl proxy`, then
// `node src/build/sandboxKinds.ts http://127.0.0.1:8001`. Only facts go into the table: names, types,
// defaults, choices, keys of lists; no sentence of Kubernetes'.
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

type Json = Readonly<Record<string, unknown>>;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const server = process.argv[2] ?? "http://127.0.0.1:8001";

/** What the sandbox serves, group by group. */
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

const kinds: Json[] = [];
const schemas = new Map<string, unknown>();
let version = "";

for (const [group, names] of Object.entries(served)) {
  const place = group === "" ? "api/v1" : `apis/${group}/v1`;
  const wanted = new Set(names.split(" "));
  const openApi = await ask(`/openapi/v3/${place}`, "application/json");
  const all = at(openApi, "components", "schemas");
  const { resources } = await ask(`/${place}`, "application/json");
  for (const resource of resources as readonly Json[]) {
    const name = String(resource["name"]);
    if (!wanted.delete(name)) continue;
    const kind = String(resource["kind"]);
    const own = { group: resource["group"] ?? group, version: resource["version"] ?? "v1", kind };
    const schema = schemaOf(all, own);
    if (schema !== undefined) take(all, schema);
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
    if (name !== undefined) take(all, name);
  }
}
const told = await ask("/version", "application/json");
version = String(told["gitVersion"]);
const sorted = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
const path = join(root, "src/sandbox/schema/kinds.json");
writeFileSync(path, `${JSON.stringify({ version, kinds, schemas: sorted })}\n`);
console.log(`${kinds.length} kinds, ${schemas.size} types of ${version}`);

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

/** Keeps a type and all that it is made of. */
function take(all: Json, name: string): void {
  if (schemas.has(name)) return;
  schemas.set(name, undefined);
  schemas.set(name, plain(all, at(all, name)));
}

function plain(all: Json, value: unknown, isFields = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(all, item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (!isFields && (key === "description" || key === "x-kubernetes-group-version-kind"))
      return [];
    if (key === "$ref" && typeof inner === "string") {
      const name = inner.replace("#/components/schemas/", "");
      take(all, name);
      return [["$ref", name]];
    }
    return [[key, plain(all, inner, !isFields && key === "properties")]];
  });
  const object = Object.fromEntries(entries);
  // A reference beside a default is written as a list of one.
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

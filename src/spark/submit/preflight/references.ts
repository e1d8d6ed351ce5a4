import { isJsonObject, listAt, objectAt, textAt, type JsonObject } from "../../../base/json.ts";
import { containersOf, manifestObject } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { planPods, type PlanPod } from "./planPods.ts";

/** An object that must exist before the pods start. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind:
    "Secret" | "ConfigMap" | "PersistentVolumeClaim" | "PriorityClass" | "ServiceAccount";
  readonly name: string;
  readonly user: PlanPod["user"];
  /** Keys that the object must have. */
  readonly items: readonly string[];
  /** True if all references are `imagePullSecrets`. Pods can start without these. */
  readonly isPullSecret: boolean;
}

type Found = Pick<Reference, "kind" | "name"> & { readonly item?: string; readonly pulls?: true };

/**
 * Returns the distinct objects that the pods of a plan refer to. Omits optional ones, and objects that the plan or the
 * driver creates.
 */
export function references(plan: SubmissionPlan): readonly Reference[] {
  const made = new Set(
    plan.writes.map(({ manifest }) => `${manifest.kind}/${manifest.metadata.name}`),
  );
  const byName = new Map<string, Reference>();
  for (const { user, manifest } of planPods(plan)) {
    for (const { kind, name, item, pulls } of referencesOf(manifestObject(manifest, "spec"), [
      ...containersOf(manifest),
      ...containersOf(manifest, "initContainers"),
    ])) {
      const id = `${kind}/${name}`;
      // An ellipsis replaces the generated part of a name. The driver creates objects with such names itself.
      if (made.has(id) || name === "" || name.includes("…") || isMadeByDriver(name)) continue;
      const known = byName.get(id);
      byName.set(id, {
        apiVersion: kind === "PriorityClass" ? "scheduling.k8s.io/v1" : "v1",
        kind,
        name,
        user: known?.user ?? user,
        items: [...new Set([...(known?.items ?? []), ...(item === undefined ? [] : [item])])],
        isPullSecret: (known?.isPullSecret ?? true) && pulls === true,
      });
    }
  }
  return [...byName.values()];
}

const isMadeByDriver = (name: string): boolean => /-exec-\d+-pvc-\d+$/.test(name);

function referencesOf(spec: JsonObject, containers: readonly JsonObject[]): readonly Found[] {
  const account = textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount");
  const priority = textAt(spec, "priorityClassName");
  return [
    ...(account === undefined ? [] : [{ kind: "ServiceAccount", name: account } as const]),
    ...(priority === undefined ? [] : [{ kind: "PriorityClass", name: priority } as const]),
    ...objectsAt(spec, "imagePullSecrets").map(
      (secret) => ({ kind: "Secret", name: textAt(secret, "name") ?? "", pulls: true }) as const,
    ),
    ...objectsAt(spec, "volumes").flatMap(ofVolume),
    ...containers.flatMap(ofContainer),
  ];
}

function ofVolume(volume: JsonObject): readonly Found[] {
  const sources = [volume, ...objectsAt(objectAt(volume, "projected"), "sources")];
  const claim = textAt(objectAt(volume, "persistentVolumeClaim"), "claimName");
  return [
    ...(claim === undefined ? [] : [{ kind: "PersistentVolumeClaim", name: claim } as const]),
    ...sources.flatMap((source) => [
      ...named("Secret", objectAt(source, "secret")),
      ...named("ConfigMap", objectAt(source, "configMap")),
    ]),
  ];
}

function ofContainer(container: JsonObject): readonly Found[] {
  return [
    ...objectsAt(container, "env").flatMap((variable) => {
      const from = objectAt(variable, "valueFrom");
      return [
        ...named("Secret", objectAt(from, "secretKeyRef")),
        ...named("ConfigMap", objectAt(from, "configMapKeyRef")),
      ];
    }),
    ...objectsAt(container, "envFrom").flatMap((source) => [
      ...named("Secret", objectAt(source, "secretRef")),
      ...named("ConfigMap", objectAt(source, "configMapRef")),
    ]),
  ];
}

function named(kind: "Secret" | "ConfigMap", reference: JsonObject): readonly Found[] {
  const name = textAt(reference, "secretName") ?? textAt(reference, "name");
  const item = textAt(reference, "key");
  if (name === undefined || reference["optional"] === true) return [];
  return [{ kind, name, ...(item === undefined ? {} : { item }) }];
}

const objectsAt = (parent: JsonObject, key: string): readonly JsonObject[] =>
  listAt(parent, key).filter((item) => isJsonObject(item));

import { assertNever } from "../../../base/assertNever.ts";
import { valueOf } from "../conf/conf.ts";
import { parseJavaBoolean } from "../conf/sparkValues.ts";
import type { PlannedWrite, SubmissionPlan } from "../plan/submissionPlan.ts";
import { parseVolumes } from "../driver/volumes.ts";
import { minorOf } from "../conf/sparkVersion.ts";
import { versionTraits } from "../conf/versionTraits.ts";

/** A permission: one verb on one resource in the namespace of the application. */
export interface NeededRight {
  /** The API group. Empty for the core API. */
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** `cleanUp`: without this permission the application works, but objects remain. */
  readonly purpose: "work" | "cleanUp";
}

const plurals: Readonly<Record<string, readonly [group: string, resource: string]>> = {
  Pod: ["", "pods"],
  Service: ["", "services"],
  ConfigMap: ["", "configmaps"],
  Secret: ["", "secrets"],
  PersistentVolumeClaim: ["", "persistentvolumeclaims"],
  NetworkPolicy: ["networking.k8s.io", "networkpolicies"],
  PodGroup: ["scheduling.volcano.sh", "podgroups"],
};

/** Returns the permissions that the submitter needs to write the plan's objects, to follow the driver, and to undo. */
export function submitterRights(plan: SubmissionPlan): readonly NeededRight[] {
  const follows = plan.follow.kind === "untilEnd" ? ["get", "watch"] : [];
  return unique([
    ...plan.writes.flatMap(({ manifest, verb, role }) => {
      const [group, resource] = plurals[manifest.kind] ?? ["", ""];
      const undoes = role === "preResource" || role === "driverPod" ? ["delete"] : [];
      return resource === ""
        ? []
        : [...verbsOf(verb), ...undoes].map((each) => right(group, resource, each));
    }),
    ...follows.map((verb) => right("", "pods", verb)),
  ]);
}

const right = (
  group: string,
  resource: string,
  verb: string,
  purpose: NeededRight["purpose"] = "work",
): NeededRight => ({ group, resource, verb, purpose });

const of = (
  resource: string,
  verbs: readonly string[],
  purpose: NeededRight["purpose"] = "work",
  group = "",
): readonly NeededRight[] => verbs.map((verb) => right(group, resource, verb, purpose));

const podRights = of("pods", ["create", "get", "list", "watch", "delete", "patch"]);
const mapRights = of("configmaps", ["create"]);

/** The permissions that a driver needs with the default conf, without those for its clean-up. */
export const defaultDriverRights: readonly NeededRight[] = [...podRights, ...mapRights];

/** Returns the permissions that the driver's service account needs. */
export function driverRights(plan: SubmissionPlan): readonly NeededRight[] {
  const { conf } = plan;
  const isOff = (key: string): boolean => parseJavaBoolean(valueOf(conf, key) ?? "") === false;
  const isOn = (key: string): boolean => parseJavaBoolean(valueOf(conf, key) ?? "") === true;
  const hasMap = !isOn("spark.kubernetes.executor.disableConfigMap");
  const allocator = valueOf(conf, "spark.kubernetes.allocation.pods.allocator");
  const sets = allocator === "statefulset" || allocator === "deployment" ? [`${allocator}s`] : [];
  return [
    ...podRights,
    ...of("pods", ["deletecollection"], "cleanUp"),
    ...(isOff("spark.kubernetes.driver.service.deleteOnTermination")
      ? []
      : of("services", ["get", "list", "delete"], "cleanUp")),
    ...(hasMap
      ? [...mapRights, ...of("configmaps", ["list", "delete", "deletecollection"], "cleanUp")]
      : []),
    ...(usesClaims(plan)
      ? [
          ...of("persistentvolumeclaims", ["create", "get", "list", "delete"]),
          ...of("persistentvolumeclaims", ["deletecollection"], "cleanUp"),
        ]
      : []),
    ...sets.flatMap((resource) =>
      of(resource, ["create", "get", "list", "patch", "update", "delete"], "work", "apps"),
    ),
  ];
}

/** Returns the verbs for a write. Server-side apply needs `create` and `patch` if the object does not exist. */
function verbsOf(verb: PlannedWrite["verb"]): readonly string[] {
  switch (verb.kind) {
    case "apply":
      return ["create", "patch"];
    case "create":
    case "createOrReplace":
    case "createUnlessThere":
      return ["create"];
    default:
      return assertNever(verb);
  }
}

function usesClaims({ conf, sparkVersion }: SubmissionPlan): boolean {
  const traits = versionTraits[minorOf(sparkVersion) ?? "4.3"];
  return parseVolumes(conf, "executor", traits).value.some(
    ({ source }) =>
      source.type === "persistentVolumeClaim" &&
      source.storageClass !== undefined &&
      source.sizeLimit !== undefined,
  );
}

const unique = (rights: readonly NeededRight[]): readonly NeededRight[] => [
  ...new Map(rights.map((each) => [`${each.verb} ${each.resource}.${each.group}`, each])).values(),
];

/** Formats permissions for messages: `services (create, patch), pods (get)`. */
export function describeRights(rights: readonly NeededRight[]): string {
  return [...byResource(rights)]
    .map(([, each]) => `${each[0]?.resource ?? ""} (${each.map(({ verb }) => verb).join(", ")})`)
    .join(", ");
}

export function byResource(
  rights: readonly NeededRight[],
): ReadonlyMap<string, readonly NeededRight[]> {
  const groups = new Map<string, NeededRight[]>();
  for (const each of rights) {
    const id = `${each.group}/${each.resource}`;
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  return groups;
}

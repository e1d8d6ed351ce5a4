import { appSelectorLabel, executorRole, isDriverRole, roleLabel } from "../labels.ts";
import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";

export interface Leftover {
  readonly apiVersion: string;
  readonly kind: LeftoverKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The application id that the object contains. Undefined if it contains none. */
  readonly applicationId: string | undefined;
  /** The reason why the object may still be in use. Undefined if there is none. */
  readonly doubt: LeftoverDoubt | undefined;
}

type LeftoverDoubt =
  /** An external driver, which is invisible, may use the object. */
  | "driverOutside"
  /** The object has no owner, as during a submission. */
  | "unowned";

/** Facts about applications from other sources than the listed objects. */
export interface KnownApplications {
  /** Ids of active applications. */
  readonly needed: ReadonlySet<string>;
  /** Uids of deleted driver pods by application id. */
  readonly lostDrivers: ReadonlyMap<string, string>;
}

export type LeftoverKind = (typeof leftoverKinds)[number]["kind"];

/** In the order of deletion: objects that others depend on come last. */
export const leftoverKinds = [
  { apiVersion: "apps/v1", kind: "StatefulSet" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
  { apiVersion: "v1", kind: "ConfigMap" },
] as const;

export interface ListedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly body: unknown;
}

/**
 * Returns the leftover objects among `listed`, which contains all pods of the namespace. An object belongs to Spark if
 * it has an application id or a name that only Spark generates. Such an object is a leftover if its application has
 * ended or none of its owner pods exists. An object with a running owner pod is never a leftover. An executor without
 * its driver pod is a leftover too. `ids`: returns only objects of these applications; includes executors without an
 * owner, which may belong to an external driver.
 */
export function findLeftovers(
  listed: readonly ListedObject[],
  { needed, lostDrivers }: KnownApplications,
  ids: ReadonlySet<string> | undefined,
): readonly Leftover[] {
  const objects = new Objects(listed, lostDrivers);
  const found = leftoverKinds.flatMap(({ apiVersion, kind }) =>
    listed
      .filter((object) => object.kind === kind)
      .flatMap((object): readonly Leftover[] => {
        const { namespace, name, uid, body } = object;
        // A driver pod is never a leftover: it keeps its log, so only a user deletes it.
        if (kind === "Pod" && labelOf(body, roleLabel) !== executorRole) return [];
        const leftover = { apiVersion, kind, namespace, name, uid };
        if (isUnownedDriverMap(object)) {
          const applicationId = idInDriverMap(body);
          const isFree =
            applicationId === undefined ||
            (!needed.has(applicationId) && !objects.hasDriver(applicationId));
          return isFree && !objects.isMounted(object)
            ? [{ ...leftover, applicationId, doubt: "unowned" }]
            : [];
        }
        const id = applicationIdIn(body);
        const isLeft =
          id === undefined
            ? isNamedBySpark(kind, name) && objects.isForsaken(object)
            : (kind === "Pod" && objects.isOfGoneDriver(object)) ||
              (!needed.has(id) && !objects.isActive(id) && !objects.isHeld(object));
        if (isLeft) {
          const isDoubtful = id !== undefined && objects.mayBeFromOutside(object, id);
          const doubt = isDoubtful ? "driverOutside" : undefined;
          return [{ ...leftover, applicationId: id, doubt }];
        }
        const isLoose =
          id !== undefined &&
          ids?.has(id) === true &&
          !needed.has(id) &&
          objects.isLooseExecutor(object, id);
        return isLoose ? [{ ...leftover, applicationId: id, doubt: "driverOutside" }] : [];
      }),
  );
  return ids === undefined
    ? found
    : found.filter(({ applicationId }) => applicationId !== undefined && ids.has(applicationId));
}

/** The ownership graph of the objects in a namespace. */
class Objects {
  readonly #byUid: ReadonlyMap<string, ListedObject>;
  /** StatefulSets and Deployments by application id. */
  readonly #setsOf = new Map<string, ListedObject>();
  /** Application ids that have a driver pod, whether it has ended or not. */
  readonly #driven = new Set<string>();
  /** Application ids whose driver runs or may run. */
  readonly #goingOn = new Set<string>();
  /** Application ids with running executors that have no owner, possibly of an external driver. */
  readonly #loose = new Set<string>();
  /** Names of mounted ConfigMaps. */
  readonly #mounted: ReadonlySet<string>;
  readonly #lostDrivers: ReadonlyMap<string, string>;

  constructor(listed: readonly ListedObject[], lostDrivers: ReadonlyMap<string, string>) {
    this.#lostDrivers = lostDrivers;
    this.#mounted = new Set(listed.flatMap(mapsMountedBy));
    this.#byUid = new Map(listed.map((object) => [object.uid, object]));
    for (const object of listed) {
      const id = applicationIdIn(object.body);
      if (id !== undefined && isSet(object)) this.#setsOf.set(id, object);
    }
    for (const object of listed) {
      const id = object.kind === "Pod" ? applicationIdIn(object.body) : undefined;
      if (id === undefined) continue;
      const role = labelOf(object.body, roleLabel);
      const isDriver = isDriverRole(role);
      if (isDriver) this.#driven.add(id);
      if (hasEnded(object)) continue;
      const isUnowned = ownersOf(object.body).length === 0;
      if (isUnowned && role === executorRole) this.#loose.add(id);
      else if (isUnowned || isDriver || this.#mayHaveDriver(object, id)) this.#goingOn.add(id);
    }
  }

  isActive(id: string): boolean {
    return this.hasDriver(id) || (this.#loose.has(id) && !this.#hasLostDriver(id));
  }

  hasDriver(id: string): boolean {
    return this.#goingOn.has(id);
  }

  /** True if the executor has no owner and no active driver pod can have created it. */
  isLooseExecutor({ kind, body }: ListedObject, id: string): boolean {
    return kind === "Pod" && ownersOf(body).length === 0 && !this.hasDriver(id);
  }

  isMounted({ name }: ListedObject): boolean {
    return this.#mounted.has(name);
  }

  /** True if the application's known driver pod was deleted and no other driver pod exists. */
  #hasLostDriver(id: string): boolean {
    const uid = this.#lostDrivers.get(id);
    return uid !== undefined && !this.#byUid.has(uid) && !this.#driven.has(id);
  }

  /** True if a live pod owns the object, directly or through another object such as a StatefulSet. */
  isHeld(object: ListedObject): boolean {
    return this.#owners(object).some((owner) =>
      owner.kind === "Pod" ? !hasEnded(owner) : this.#owners(owner).some((one) => !hasEnded(one)),
    );
  }

  /** True if the object has owners and none of them exists. */
  isForsaken(object: ListedObject): boolean {
    return ownersOf(object.body).length > 0 && this.#owners(object).length === 0;
  }

  /**
   * True if all owners are pods and none of them exists. A missing pod has been deleted, because the list of pods is
   * consistent.
   */
  isOfGoneDriver(object: ListedObject): boolean {
    return this.isForsaken(object) && ownersOf(object.body).every(({ kind }) => kind === "Pod");
  }

  /**
   * True if an external driver may use the object. Such drivers are invisible and set no owner. False for Services and
   * NetworkPolicies, because only spark-submit creates them.
   */
  mayBeFromOutside({ kind, body }: ListedObject, id: string): boolean {
    const isOfInside = kind === "Pod" || kind === "Service" || kind === "NetworkPolicy";
    const wasInside = this.#driven.has(id) || this.#hasLostDriver(id);
    return !isOfInside && ownersOf(body).length === 0 && !wasInside;
  }

  // True if an active driver may own the executor. A Deployment owns its pods through a ReplicaSet, which is not
  // listed.
  #mayHaveDriver(executor: ListedObject, id: string): boolean {
    const owners = ownersOf(executor.body);
    if (this.isHeld(executor)) return true;
    if (owners.every(({ kind }) => kind === "Pod")) return false;
    const set = this.#setsOf.get(id);
    return set === undefined || ownersOf(set.body).length === 0 || this.isHeld(set);
  }

  #owners({ body }: ListedObject): readonly ListedObject[] {
    return ownersOf(body).flatMap(({ uid }) => this.#byUid.get(uid) ?? []);
  }
}

const isSet = ({ kind }: ListedObject): boolean => kind === "StatefulSet" || kind === "Deployment";

const hasEnded = ({ body }: ListedObject): boolean => {
  const phase = textOf(fieldsOf(fieldsOf(body)["status"])["phase"]);
  return phase === "Succeeded" || phase === "Failed";
};

// Returns the id in the labels of the object, or in those of its pod template.
function applicationIdIn(body: unknown): string | undefined {
  const spec = fieldsOf(fieldsOf(body)["spec"]);
  const template = fieldsOf(spec["template"]);
  return labelOf(body, appSelectorLabel) ?? labelOf(template, appSelectorLabel);
}

const labelOf = (object: unknown, label: string): string | undefined =>
  textOf(fieldsOf(fieldsOf(fieldsOf(object)["metadata"])["labels"])[label]);

const ownersOf = (body: unknown): readonly { readonly kind: string; readonly uid: string }[] =>
  itemsOf(fieldsOf(fieldsOf(body)["metadata"])["ownerReferences"]).flatMap((owner) => {
    const { kind, uid } = fieldsOf(owner);
    const owned = textOf(uid);
    return owned === undefined ? [] : [{ kind: textOf(kind) ?? "", uid: owned }];
  });

const isNamedBySpark = (kind: string, name: string): boolean =>
  kind === "ConfigMap" && /^spark-(?:drv|exec)-[0-9a-f]+-conf-map$/.test(name);

// The driver's ConfigMap has no owner before the driver pod exists, or if the pod was deleted without its dependents.
const isUnownedDriverMap = ({ kind, name, body }: ListedObject): boolean =>
  kind === "ConfigMap" &&
  /^spark-drv-[0-9a-f]+-conf-map$/.test(name) &&
  applicationIdIn(body) === undefined &&
  ownersOf(body).length === 0;

// The driver's ConfigMap has no label, but contains the driver's conf.
const idInDriverMap = (body: unknown): string | undefined =>
  /^spark\.app\.id=(\S+)$/m.exec(
    textOf(fieldsOf(fieldsOf(body)["data"])["spark.properties"]) ?? "",
  )?.[1];

function mapsMountedBy({ kind, body }: ListedObject): readonly string[] {
  if (kind !== "Pod") return [];
  return itemsOf(fieldsOf(fieldsOf(body)["spec"])["volumes"]).flatMap((volume) => {
    const { configMap, projected } = fieldsOf(volume);
    const sources = itemsOf(fieldsOf(projected)["sources"]).map(
      (one) => fieldsOf(one)["configMap"],
    );
    return [configMap, ...sources].flatMap((map) => textOf(fieldsOf(map)["name"]) ?? []);
  });
}

import { appSelectorLabel, executorRole, isDriverRole, roleLabel } from "../labels.ts";
import { fieldsOf, itemsOf, textOf } from "./fields.ts";

/** An object that an application has left behind. */
export interface Leftover {
  readonly apiVersion: string;
  readonly kind: LeftoverKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Whose it is, where the object says so. */
  readonly applicationId: string | undefined;
  /** Who may still need it, as far as can be seen; undefined: nobody. */
  readonly doubt: LeftoverDoubt | undefined;
}

export type LeftoverDoubt =
  /** A driver outside of the cluster, which is not seen, may use it, or run in it if it is an executor. */
  | "driverOutside"
  /** Nobody owns it, as nobody does between a submission's first step and its last. */
  | "unowned";

/** What is known of applications, whatever the objects tell. */
export interface KnownApplications {
  /** Ids of those that go on. */
  readonly needed: ReadonlySet<string>;
  /** Uids of the drivers' pods that were seen and then seen to go, by the ids of their applications. */
  readonly lostDrivers: ReadonlyMap<string, string>;
}

export type LeftoverKind = (typeof leftoverKinds)[number]["kind"];

/** In the order in which they go: what others hang on comes last. */
export const leftoverKinds = [
  { apiVersion: "apps/v1", kind: "StatefulSet" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
  { apiVersion: "v1", kind: "ConfigMap" },
] as const;

/** An object as a list gives it. */
export interface ListedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly body: unknown;
}

/**
 * What of the listed objects nobody needs any more; `listed` holds all pods of the namespace, Spark's or not. An object
 * counts as Spark's if it bears an application's id, or a name that Spark alone gives; it is left behind if that
 * application is over, or if no pod that owns it is there, and never while a pod that owns it runs; an executor whose
 * driver's pod is gone, whatever its application. `ids`: of these applications only, and then also executors that
 * nobody owns, which may have been left by a driver's pod that went without them or be those of a driver outside.
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
        // A driver's pod holds its log, and goes only when that is asked for.
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
              (!needed.has(id) && !objects.goesOn(id) && !objects.isHeld(object));
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

/** Who belongs to whom among the objects of a namespace. */
class Objects {
  readonly #byUid: ReadonlyMap<string, ListedObject>;
  /** What makes executors, by the application's id. */
  readonly #setsOf = new Map<string, ListedObject>();
  /** Of applications with a driver's pod, whether or not it has ended. */
  readonly #driven = new Set<string>();
  /** Of applications with a driver that goes on, as their pods tell. */
  readonly #goingOn = new Set<string>();
  /** Of applications with executors that go on and that nobody owns: a driver outside may have made them. */
  readonly #loose = new Set<string>();
  /** Names of the config maps that pods mount. */
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

  goesOn(id: string): boolean {
    return this.hasDriver(id) || (this.#loose.has(id) && !this.#hasLostDriver(id));
  }

  hasDriver(id: string): boolean {
    return this.#goingOn.has(id);
  }

  /** Nobody owns it, and no driver in the cluster goes on that could have made it. */
  isLooseExecutor({ kind, body }: ListedObject, id: string): boolean {
    return kind === "Pod" && ownersOf(body).length === 0 && !this.hasDriver(id);
  }

  isMounted({ name }: ListedObject): boolean {
    return this.#mounted.has(name);
  }

  /** Whether its driver was seen in a pod, and neither this pod is there any more nor another driver's. */
  #hasLostDriver(id: string): boolean {
    const uid = this.#lostDrivers.get(id);
    return uid !== undefined && !this.#byUid.has(uid) && !this.#driven.has(id);
  }

  /** Whether a pod that runs, or is about to, owns it, be it through a set. */
  isHeld(object: ListedObject): boolean {
    return this.#owners(object).some((owner) =>
      owner.kind === "Pod" ? !hasEnded(owner) : this.#owners(owner).some((one) => !hasEnded(one)),
    );
  }

  /** Whether it has owners and none of them is there. */
  isForsaken(object: ListedObject): boolean {
    return ownersOf(object.body).length > 0 && this.#owners(object).length === 0;
  }

  /** Whether pods own it and none of them is there: the list of pods is of one moment. */
  isOfGoneDriver(object: ListedObject): boolean {
    return this.isForsaken(object) && ownersOf(object.body).every(({ kind }) => kind === "Pod");
  }

  /** A driver outside of the cluster is not seen, and what it makes belongs to nobody. Some things only others make. */
  mayBeFromOutside({ kind, body }: ListedObject, id: string): boolean {
    const isOfInside = kind === "Pod" || kind === "Service" || kind === "NetworkPolicy";
    const wasInside = this.#driven.has(id) || this.#hasLostDriver(id);
    return !isOfInside && ownersOf(body).length === 0 && !wasInside;
  }

  // A Deployment owns its pods through what is not listed.
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

// A pod's own id counts; what controls it, such as a set, carries it in the template of its pods.
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

// A driver's own map loses its owner where the driver's pod is deleted alone, and has none before there is one.
const isUnownedDriverMap = ({ kind, name, body }: ListedObject): boolean =>
  kind === "ConfigMap" &&
  /^spark-drv-[0-9a-f]+-conf-map$/.test(name) &&
  applicationIdIn(body) === undefined &&
  ownersOf(body).length === 0;

// It bears no label, but holds the conf with which the driver was started.
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

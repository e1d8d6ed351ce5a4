// Decodes the fields of a pod spec that the scheduler and the node use.
import { fieldsOf, itemsOf, numberOf, textOf, type Fields } from "../../../base/json.ts";
import type { KubeObject } from "../../kubeObject.ts";

export interface SandboxPodSpec {
  readonly containers: readonly ContainerSpec[];
  /** The init containers in start order; those with `restartPolicy: Always` are sidecars. */
  readonly initContainers: readonly ContainerSpec[];
  readonly volumes: readonly VolumeSpec[];
  readonly restartPolicy: "Always" | "OnFailure" | "Never";
  readonly nodeName: string | undefined;
  readonly schedulerName: string;
  readonly serviceAccountName: string;
  readonly graceSeconds: number;
  readonly deadlineSeconds: number | undefined;
  readonly priority: number;
  readonly mayPreempt: boolean;
  readonly isGated: boolean;
  readonly hostname: string | undefined;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly affinity: Fields;
  readonly overhead: Readonly<Record<string, string>>;
}

export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly pullPolicy: "Always" | "IfNotPresent" | "Never";
  /** Undefined to run the image's entry point. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[];
  /** True if the first process keeps its standard input open, for `attach`. */
  readonly stdin: boolean;
  /** True if the first process has a TTY. */
  readonly tty: boolean;
  readonly workingDirectory: string | undefined;
  readonly env: readonly EnvEntry[];
  readonly envFrom: readonly EnvSource[];
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
  readonly mounts: readonly MountSpec[];
  readonly preStop: Fields | undefined;
  readonly isSidecar: boolean;
  readonly terminationMessagePath: string;
  /** True for `terminationMessagePolicy: FallbackToLogsOnError`. */
  readonly logTellsEnd: boolean;
  readonly probes: Readonly<Record<ProbeKind, Fields | undefined>>;
}

export type ProbeKind = "startup" | "readiness" | "liveness";

interface EnvEntry {
  readonly name: string;
  readonly value: string;
  readonly from: Fields | undefined;
}

interface EnvSource {
  readonly prefix: string;
  readonly kind: "configMap" | "secret";
  readonly name: string;
  readonly optional: boolean;
}

export interface MountSpec {
  readonly volume: string;
  readonly path: string;
  readonly subPath: string;
  /** Like `subPath`, which is ignored if this is set, but with references such as `$(NAME)`. */
  readonly subPathExpr: string;
  readonly readOnly: boolean;
}

export interface VolumeSpec {
  readonly name: string;
  /** The volume without its name, such as `{ configMap: { … } }`. */
  readonly source: Fields;
}

export function decodePodSpec(pod: KubeObject): SandboxPodSpec {
  const spec = fieldsOf(pod["spec"]);
  return {
    containers: itemsOf(spec["containers"]).map((one) => decodeContainer(fieldsOf(one))),
    initContainers: itemsOf(spec["initContainers"]).map((one) => decodeContainer(fieldsOf(one))),
    volumes: itemsOf(spec["volumes"]).map((one) => decodeVolume(fieldsOf(one))),
    restartPolicy: oneOf(spec["restartPolicy"], ["OnFailure", "Never"]) ?? "Always",
    nodeName: textOf(spec["nodeName"]),
    schedulerName: textOf(spec["schedulerName"]) ?? "default-scheduler",
    serviceAccountName: textOf(spec["serviceAccountName"]) ?? "default",
    graceSeconds: numberOf(spec["terminationGracePeriodSeconds"]) ?? 30,
    deadlineSeconds: numberOf(spec["activeDeadlineSeconds"]),
    priority: numberOf(spec["priority"]) ?? 0,
    mayPreempt: spec["preemptionPolicy"] !== "Never",
    isGated: itemsOf(spec["schedulingGates"]).length > 0,
    hostname: textOf(spec["hostname"]),
    nodeSelector: textsOf(spec["nodeSelector"]),
    affinity: fieldsOf(spec["affinity"]),
    overhead: textsOf(spec["overhead"]),
  };
}

function decodeContainer(container: Fields): ContainerSpec {
  const image = textOf(container["image"]) ?? "";
  const command = itemsOf(container["command"]);
  return {
    name: textOf(container["name"]) ?? "",
    image,
    pullPolicy:
      oneOf(container["imagePullPolicy"], ["Always", "IfNotPresent", "Never"]) ?? "IfNotPresent",
    command: command.length === 0 ? undefined : command.map(String),
    args: itemsOf(container["args"]).map(String),
    stdin: container["stdin"] === true,
    tty: container["tty"] === true,
    workingDirectory: textOf(container["workingDir"]),
    env: itemsOf(container["env"]).map((one) => decodeEnv(fieldsOf(one))),
    envFrom: itemsOf(container["envFrom"]).flatMap((one) => decodeEnvSource(fieldsOf(one))),
    ...decodeResources(fieldsOf(container["resources"])),
    mounts: itemsOf(container["volumeMounts"]).map((one) => decodeMount(fieldsOf(one))),
    preStop: present(fieldsOf(container["lifecycle"])["preStop"]),
    isSidecar: container["restartPolicy"] === "Always",
    terminationMessagePath: textOf(container["terminationMessagePath"]) ?? "/dev/termination-log",
    logTellsEnd: container["terminationMessagePolicy"] === "FallbackToLogsOnError",
    probes: {
      startup: present(container["startupProbe"]),
      readiness: present(container["readinessProbe"]),
      liveness: present(container["livenessProbe"]),
    },
  };
}

/** Memoizes a decoder by object identity, because stored pods share equal parts of their specs (`api/interner.ts`). */
function once<T extends object>(decode: (fields: Fields) => T): (fields: Fields) => T {
  const known = new WeakMap<Fields, T>();
  return (fields) => {
    const decoded = known.get(fields) ?? decode(fields);
    known.set(fields, decoded);
    return decoded;
  };
}

const decodeVolume = once(({ name, ...source }: Fields): VolumeSpec => ({
  name: textOf(name) ?? "",
  source,
}));

const decodeResources = once(
  ({ requests, limits }: Fields): Pick<ContainerSpec, "requests" | "limits"> => ({
    requests: { ...textsOf(limits), ...textsOf(requests) },
    limits: textsOf(limits),
  }),
);

const decodeEnv = once((entry): EnvEntry => ({
  name: textOf(entry["name"]) ?? "",
  value: textOf(entry["value"]) ?? "",
  from: present(entry["valueFrom"]),
}));

function decodeEnvSource(source: Fields): readonly EnvSource[] {
  const prefix = textOf(source["prefix"]) ?? "";
  return (["configMap", "secret"] as const).flatMap((kind) => {
    const reference = present(source[`${kind}Ref`]);
    if (reference === undefined) return [];
    const name = textOf(reference["name"]) ?? "";
    return [{ prefix, kind, name, optional: reference["optional"] === true }];
  });
}

const decodeMount = once((mount): MountSpec => ({
  volume: textOf(mount["name"]) ?? "",
  path: textOf(mount["mountPath"]) ?? "",
  subPath: textOf(mount["subPath"]) ?? "",
  subPathExpr: textOf(mount["subPathExpr"]) ?? "",
  readOnly: mount["readOnly"] === true,
}));

const present = (value: unknown): Fields | undefined =>
  value === undefined || value === null ? undefined : fieldsOf(value);

function oneOf<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}

/** Decodes a map of strings. Converts numbers, because the values may be quantities; skips other values. */
const decodeTexts = once((fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      typeof text === "string" || typeof text === "number" ? [[name, String(text)]] : [],
    ),
  ),
);

const textsOf = (value: unknown): Readonly<Record<string, string>> => decodeTexts(fieldsOf(value));

import type { PlannedCode } from "../code/plannedCode.ts";
import type { ConfAccess } from "../conf/access.ts";
import type { ResolvedConf } from "../conf/conf.ts";
import type { PlannedDebug } from "../debug/plannedDebug.ts";
import type { DriverContext, DriverSpec, DriverIdentity, Upload } from "../driver/driverSpec.ts";
import { append, editObject, textAt } from "../../../base/json.ts";
import type { Manifest, ObjectMetadata } from "./manifest.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";
import type { ShellKind } from "../shell/shellKind.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** All effects of a submission. The preview shows the plan, and the undo of a failed submission uses it. */
export interface SubmissionPlan {
  readonly sparkVersion: string;
  readonly identity: DriverIdentity;
  /** The final conf of the application with the origin of each entry. */
  readonly conf: ResolvedConf;
  readonly access: ConfAccess;
  /** Files to upload before the first write; they are not deleted if the submission fails. */
  readonly uploads: readonly Upload[];
  /** The objects to write, in this order. Exactly one has the role `driverPod`. */
  readonly writes: readonly PlannedWrite[];
  readonly retry: WriteRetries;
  readonly follow: PlannedFollow;
  /** Local files that are sent to the driver. Undefined: none are sent, as with spark-submit. */
  readonly code: PlannedCode | undefined;
  /** The additions of a debugged run; undefined: the run is not debugged. */
  readonly debug: PlannedDebug | undefined;
  /** The shell that the driver pod runs in place of an application. Undefined: it runs the application. */
  readonly shell: ShellKind | undefined;
  readonly warnings: readonly SubmissionFinding[];
}

export interface PlannedWrite {
  readonly role: "preResource" | "driverPod" | "ownedPreResource" | "owned";
  readonly verb: WriteVerb;
  /** The object without owner references. The pod's reference is added after the pod is created. */
  readonly manifest: Manifest;
  /** True if the content type of the request names the charset, as up to Spark 3.5. */
  readonly namesCharset: boolean;
}

/**
 * `create`: fails if the name exists. `createOrReplace`: replaces this application's own object.
 * `createUnlessThere`: keeps an existing object. `apply`: server-side apply.
 */
type WriteVerb =
  | { readonly kind: "create" | "createOrReplace" | "createUnlessThere" }
  | { readonly kind: "apply"; readonly fieldManager: string; readonly force: boolean };

export interface WriteRetries {
  /** The maximum number of retries of a request after a 5xx response or a lost connection. */
  readonly maxRetries: number;
}

/**
 * `untilEnd`: after all objects are created, the submission waits until the application ends. `none`: it does not wait.
 */
export type PlannedFollow =
  { readonly kind: "none" } | { readonly kind: "untilEnd"; readonly reportIntervalMs: number };

const maxRetries = 3;
// The field manager of Spark's client library, so that later submissions by spark-submit do not conflict.
const fieldManager = "fabric8";

export function makePlan(
  spec: DriverSpec,
  context: DriverContext,
  rest: Pick<SubmissionPlan, "access" | "follow" | "code" | "debug" | "warnings">,
): SubmissionPlan {
  const { traits, identity, application } = context;
  const { namesCharset } = traits;
  const apply = { kind: "apply", fieldManager, force: true } as const;
  const ownedVerb: WriteVerb =
    traits.ownedObjects === "apply" ? apply : { kind: "createOrReplace" };
  const preResources = spec.preResources.map((manifest) => ({
    verb: apply,
    manifest,
    namesCharset,
  }));
  return {
    sparkVersion: context.sparkVersion,
    identity,
    conf: application.conf,
    uploads: spec.uploads,
    writes: [
      ...preResources.map((write) => ({ ...write, role: "preResource" as const })),
      {
        role: "driverPod",
        verb: { kind: "create" },
        manifest: driverPod(spec, traits),
        namesCharset,
      },
      ...preResources.map((write) => ({ ...write, role: "ownedPreResource" as const })),
      ...ordered(spec, context).map(({ manifest, isNamedByUser }) => ({
        role: "owned" as const,
        verb: isNamedByUser ? ({ kind: "createUnlessThere" } as const) : ownedVerb,
        manifest,
        namesCharset,
      })),
    ],
    retry: { maxRetries },
    shell: context.parts.shell,
    ...rest,
  };
}

// Appends Spark's container, which is always the last one.
function driverPod(spec: DriverSpec, { keepsTemplateVersion }: VersionTraits): Manifest {
  const { metadata, ...rest } = editObject(spec.pod, "spec", (own) =>
    append(own, "containers", [spec.container]),
  );
  return {
    ...rest,
    apiVersion: (keepsTemplateVersion && textAt(rest, "apiVersion")) || "v1",
    kind: textAt(rest, "kind") ?? "Pod",
    metadata: podMetadata(metadata),
  };
}

function podMetadata(metadata: unknown): ObjectMetadata {
  return { name: "", ...(typeof metadata === "object" ? metadata : {}) };
}

const kindOrder = ["Secret", "Service", "PersistentVolumeClaim", "ConfigMap"];

// Spark 3.3 sorts by kind, then by name; later versions keep the order of the steps.
function ordered(spec: DriverSpec, { traits }: DriverContext): DriverSpec["resources"] {
  if (traits.ownedOrder === "byStep") return spec.resources;
  return spec.resources.toSorted(({ manifest: a }, { manifest: b }) => {
    const byKind = kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind);
    if (byKind !== 0) return byKind;
    return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0;
  });
}

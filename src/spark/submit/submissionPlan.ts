import type { Access } from "./access.ts";
import type { ResolvedConf } from "./conf.ts";
import type { DriverContext, DriverSpec, Identity, Upload } from "./driverSpec.ts";
import { append, editObject, textAt } from "./json.ts";
import type { Manifest, ObjectMetadata } from "./manifest.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";
import type { VersionTraits } from "./versionTraits.ts";

/**
 * All that a submission will do, as a value: it can be shown before it is done, and undone from what it
 * says.
 */
export interface SubmissionPlan {
  readonly sparkVersion: string;
  readonly identity: Identity;
  /** What the application will run with, each setting with where it came from. */
  readonly conf: ResolvedConf;
  readonly access: Access;
  /** Files to copy before the first write; they stay where they are when the submission fails. */
  readonly uploads: readonly Upload[];
  /** In the order of writing. Exactly one is of the role `driverPod`. */
  readonly writes: readonly PlannedWrite[];
  readonly retry: RetryPolicy;
  readonly follow: Follow;
  readonly warnings: readonly SubmissionFinding[];
}

export interface PlannedWrite {
  readonly role: "preResource" | "driverPod" | "ownedPreResource" | "owned";
  readonly verb: WriteVerb;
  /** Without owner references; an owned object gets the pod's when that is known. */
  readonly manifest: Manifest;
  /** Spark up to 3.5 names the character set in the content type. */
  readonly namesCharset: boolean;
}

/**
 * `create`: fails if the name is taken. `createOrReplace`: replaces an object of the name if it is this
 * application's own. `createUnlessThere`: leaves an object of the name as it is. `apply`: server-side apply.
 */
export type WriteVerb =
  | { readonly kind: "create" | "createOrReplace" | "createUnlessThere" }
  | { readonly kind: "apply"; readonly fieldManager: string; readonly force: boolean };

export interface RetryPolicy {
  /** How often a request is sent again after an answer of 500 and above, or none at all. */
  readonly maxRetries: number;
}

/** What happens after all is created. */
export type Follow =
  { readonly kind: "none" } | { readonly kind: "untilEnd"; readonly reportIntervalMs: number };

const maxRetries = 3;
// Spark writes in the name of its client library; the same name keeps a later submission by either free
// of conflicts with this one.
const fieldManager = "fabric8";

export function makePlan(
  spec: DriverSpec,
  context: DriverContext,
  rest: Pick<SubmissionPlan, "access" | "follow" | "warnings">,
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
    ...rest,
  };
}

// The Spark container is the last one.
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

// Spark 3.3 sorts by kind, then by name; later ones keep the order of the steps.
function ordered(spec: DriverSpec, { traits }: DriverContext): DriverSpec["resources"] {
  if (traits.ownedOrder === "byStep") return spec.resources;
  return spec.resources.toSorted(({ manifest: a }, { manifest: b }) => {
    const byKind = kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind);
    if (byKind !== 0) return byKind;
    return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0;
  });
}

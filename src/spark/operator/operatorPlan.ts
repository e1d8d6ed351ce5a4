// Plans the API requests for operator actions, without sending them.
import { err, ok, type Result } from "../../base/result.ts";
import { assertNever } from "../../base/assertNever.ts";
import { isJsonObject, objectAt, type Json, type JsonObject } from "../../base/json.ts";
import type { Manifest } from "../submit/plan/manifest.ts";
import type { DecodedManifest } from "./decodeManifests.ts";
import { applicationOf, kubeflowVersion, type OperatorManifest } from "./operatorManifest.ts";

/** One request. Requests are sent in order, each after the previous one has succeeded. */
export type OperatorRequest =
  | { readonly verb: "create"; readonly manifest: Manifest }
  /** A JSON merge patch. */
  | { readonly verb: "patch"; readonly object: ObjectName; readonly patch: JsonObject }
  /** A deletion that ends when the owned objects are deleted and the name is free again. */
  | {
      readonly verb: "delete";
      readonly object: ObjectName;
      /** Deletes only the object with this uid. Undefined deletes any object with the name. */
      readonly uid?: string;
      readonly propagationPolicy: "Foreground";
    };

export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined if the object is in the default namespace of the context. */
  readonly namespace: string | undefined;
}

export type OperatorAction =
  | { readonly kind: "submit" | "suspend" | "resume" }
  /** `suffix`: appended to the name of a ScheduledSparkApplication, for a run outside its schedule. */
  | { readonly kind: "resubmit"; readonly suffix: string };

export type OperatorRefusal =
  /** The API has no field to suspend an application. */
  | {
      readonly kind: "notInApi";
      readonly action: "suspend" | "resume";
      readonly apiVersion: string;
    }
  | { readonly kind: "unnamed" };

/**
 * Returns the requests for an action, without reading the object first. The spec is sent as written, so that the API
 * server reports its errors.
 */
export function planOperatorAction(
  { manifest, source }: Pick<DecodedManifest, "manifest" | "source">,
  action: OperatorAction,
): Result<readonly OperatorRequest[], OperatorRefusal> {
  const { apiVersion, metadata } = manifest;
  const { name, namespace } = metadata;
  if (name === undefined || name === "") return err({ kind: "unnamed" });
  const object = { apiVersion, kind: manifest.kind, name, namespace };
  const spec = objectAt(source, "spec");
  switch (action.kind) {
    case "submit":
      return ok([{ verb: "create", manifest: sendable(manifest, name, spec) }]);
    case "resubmit":
      if (manifest.kind === "ScheduledSparkApplication") {
        const run = `${name}-${action.suffix}`;
        const own = { name: run, ...(namespace === undefined ? {} : { namespace }) };
        const template = sendable(applicationOf(own, {}), run, objectAt(spec, "template"));
        return ok([{ verb: "create", manifest: template }]);
      }
      // The operator runs the same spec again only for a new object.
      return ok([
        { verb: "delete", object, propagationPolicy: "Foreground" },
        { verb: "create", manifest: sendable(manifest, name, spec) },
      ]);
    case "suspend":
    case "resume":
      if (apiVersion !== kubeflowVersion) {
        return err({ kind: "notInApi", action: action.kind, apiVersion });
      }
      return ok([
        { verb: "patch", object, patch: { spec: { suspend: action.kind === "suspend" } } },
      ]);
    default:
      return assertNever(action);
  }
}

/** An operator's custom resource, as read from the API server. */
interface HeldObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly body: unknown;
}

interface PlannedRestart {
  readonly requests: readonly OperatorRequest[];
  /** The object to create again, with its owner references. It is lost if the creation fails. */
  readonly manifest: Manifest;
}

/** Returns the requests that delete a custom resource and create it again. */
export function planRestart(stored: HeldObject): PlannedRestart {
  const { apiVersion, kind, name, namespace, uid, body } = stored;
  const held: JsonObject = isJsonObject(body as Json) ? (body as JsonObject) : {};
  const object = { apiVersion, kind, name, namespace };
  const metadata = { ...(objectAt(held, "metadata") as Manifest["metadata"]), name, namespace };
  // Removes `suspend: true`, because the new object would never run.
  const spec = Object.entries(objectAt(held, "spec")).filter(
    ([field, value]) => field !== "suspend" || value !== true,
  );
  const bare = sendable({ apiVersion, kind, metadata }, name, Object.fromEntries(spec));
  const { ownerReferences } = metadata;
  const owners = ownerReferences === undefined ? {} : { ownerReferences };
  const manifest = { ...bare, metadata: { ...bare.metadata, ...owners } };
  return {
    requests: [
      { verb: "delete", object, uid, propagationPolicy: "Foreground" },
      { verb: "create", manifest },
    ],
    manifest,
  };
}

/** Returns the object to create, without the fields that the API server sets. */
function sendable(
  manifest: Pick<OperatorManifest | Manifest, "apiVersion" | "kind" | "metadata">,
  name: string,
  spec: JsonObject,
): Manifest {
  const { namespace, labels, annotations } = manifest.metadata;
  const own = Object.entries(annotations ?? {}).filter(
    ([annotation]) => annotation !== "kubectl.kubernetes.io/last-applied-configuration",
  );
  return {
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(own.length === 0 ? {} : { annotations: Object.fromEntries(own) }),
    },
    spec,
  };
}

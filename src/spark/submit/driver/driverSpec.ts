import type { SubmittedApplication } from "./submittedApplication.ts";
import type { Manifest } from "../plan/manifest.ts";
import type { PodSpec } from "./podSpec.ts";
import type { SubmissionEnvironment, SubmissionParts } from "../conf/environment.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** The result of the feature steps so far: the driver's pod and its other objects. */
export interface DriverSpec extends PodSpec {
  /** Properties that override the conf in the driver; later steps override earlier ones. */
  readonly systemProperties: ReadonlyMap<string, string>;
  /** Objects to create before the pod. */
  readonly preResources: readonly Manifest[];
  /** Objects that the driver pod owns through an owner reference. */
  readonly resources: readonly DriverOwnedObject[];
  readonly uploads: readonly Upload[];
}

export interface DriverOwnedObject {
  readonly manifest: Manifest;
  /** True if the user chose the name, so that another owner's object may already have it. */
  readonly isNamedByUser: boolean;
}

/** A local file and its upload target. Uploads precede all writes to the cluster. */
export interface Upload {
  readonly path: string;
  readonly target: string;
}

/** The immutable input of all feature steps. */
export interface DriverContext {
  readonly application: SubmittedApplication;
  readonly identity: DriverIdentity;
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly submissionEnvironment: SubmissionEnvironment;
  readonly parts: SubmissionParts;
}

/** The names and ids of one submission, generated once before the steps run. */
export interface DriverIdentity {
  readonly applicationId: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly driverPodName: string;
  readonly serviceName: string;
  readonly configMapName: string;
  readonly localDirectory: string;
  /** One id per file that may need an upload, in upload order. */
  readonly uploadIds: readonly string[];
}

export type FeatureStep = (spec: DriverSpec, context: DriverContext) => DriverSpec;

export function addProperties(
  spec: DriverSpec,
  properties: Readonly<Record<string, string>>,
): DriverSpec {
  return {
    ...spec,
    systemProperties: new Map([...spec.systemProperties, ...Object.entries(properties)]),
  };
}

export function addResource(spec: DriverSpec, manifest: Manifest): DriverSpec {
  return { ...spec, resources: [...spec.resources, { manifest, isNamedByUser: false }] };
}

import type { Application } from "./application.ts";
import type { Manifest } from "./manifest.ts";
import type { PodSpec } from "./podSpec.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** What the feature steps have made so far: the driver's pod and all that goes with it. */
export interface DriverSpec extends PodSpec {
  /** Settings for the driver that overlay the conf; a later step's overlay an earlier one's. */
  readonly systemProperties: ReadonlyMap<string, string>;
  /** Objects that must be there before the pod. */
  readonly preResources: readonly Manifest[];
  /** Objects that the pod will own. */
  readonly resources: readonly OwnedObject[];
  readonly uploads: readonly Upload[];
}

export interface OwnedObject {
  readonly manifest: Manifest;
  /** The user chose the name, so an object of that name may be there, and be somebody's. */
  readonly isNamedByUser: boolean;
}

/** A file of this machine and where it goes before anything is created. */
export interface Upload {
  readonly path: string;
  readonly target: string;
}

/** What the steps read; the same for all of them. */
export interface DriverContext {
  readonly application: Application;
  readonly identity: Identity;
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly surroundings: Surroundings;
}

/** The names of one submission, drawn once before the steps. */
export interface Identity {
  readonly applicationId: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly driverPodName: string;
  readonly serviceName: string;
  readonly configMapName: string;
  readonly localDirectory: string;
  /** One for each file that could need an upload, in the order of uploading. */
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

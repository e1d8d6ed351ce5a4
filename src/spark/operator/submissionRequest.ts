import type { JsonObject } from "../submit/manifest.ts";
import type { Role } from "./kubeflowFields.ts";

/**
 * All that a spark-submit command line can say: what the forms of a submission are translated to and
 * from, so that each form needs two translations and no more.
 */
export interface SubmissionRequest {
  /** The Spark that is meant, where something says it. */
  readonly sparkVersion: string | undefined;
  /** The main application resource. */
  readonly resource: string | undefined;
  readonly mainClass: string | undefined;
  readonly arguments: readonly string[];
  readonly proxyUser: string | undefined;
  /** What `--conf` says, and what an option says that has a key. */
  readonly conf: ReadonlyMap<string, string>;
  readonly propertiesFile: string | undefined;
  readonly extraPropertiesFiles: readonly string[];
  readonly loadsDefaults: boolean;
  /** Options that change nothing about the application on Kubernetes. */
  readonly idle: readonly IdleOption[];
  /** Pod templates, of which a command line can only name files. */
  readonly templates: Readonly<Partial<Record<Role, JsonObject>>>;
}

export interface IdleOption {
  readonly name: string;
  readonly value: string;
}

/** What a translation came to. */
export interface Translated<T> {
  readonly value: T;
  readonly losses: readonly Loss[];
}

/** Something that the other form says differently, or not at all. */
export interface Loss {
  /**
   * `dropped`: the result does not say it. `changed`: the result says something else. `byHand`: the result
   * says it, and it works only when somebody has done what the reason tells.
   */
  readonly kind: "dropped" | "changed" | "byHand";
  /** As the source has it: a conf key, an option, a field. */
  readonly entry: string;
  readonly reason: string;
}

export const appNameKey = "spark.app.name";
export const namespaceKey = "spark.kubernetes.namespace";
export const deployModeKey = "spark.submit.deployMode";
export const masterKey = "spark.master";
export const imageKey = "spark.kubernetes.container.image";

/** What Spark names an application that has no name. */
export function nameOfRequest({ conf, mainClass, resource = "" }: SubmissionRequest): string {
  return conf.get(appNameKey) ?? mainClass ?? resource.slice(resource.lastIndexOf("/") + 1);
}

export const templateFileKey = (role: Role): string => `spark.kubernetes.${role}.podTemplateFile`;

export const templateContainerKey = (role: Role): string =>
  `spark.kubernetes.${role}.podTemplateContainerName`;

export const idleLosses = ({ idle }: SubmissionRequest): readonly Loss[] =>
  idle.map(({ name }) => ({
    kind: "dropped",
    entry: name,
    reason: "It changes nothing about an application on Kubernetes.",
  }));

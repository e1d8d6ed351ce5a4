import { msg, type Message } from "../../base/message.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Role } from "./kubeflowFields.ts";

/**
 * The content of a spark-submit command line. All conversions use this common form, so each format needs only two
 * converters.
 */
export interface SubmissionRequest {
  /** The Spark version, if the source has one. */
  readonly sparkVersion: string | undefined;
  /** The main application resource. */
  readonly resource: string | undefined;
  readonly mainClass: string | undefined;
  readonly arguments: readonly string[];
  readonly proxyUser: string | undefined;
  /** Entries of `--conf`, and of options that have a conf key. */
  readonly conf: ReadonlyMap<string, string>;
  readonly propertiesFile: string | undefined;
  readonly extraPropertiesFiles: readonly string[];
  readonly loadsDefaults: boolean;
  /** Options without an effect on Kubernetes. */
  readonly idle: readonly IgnoredOption[];
  /** Inline pod templates by role. A command line can only refer to template files, by conf keys. */
  readonly templates: Readonly<Partial<Record<Role, JsonObject>>>;
}

export interface IgnoredOption {
  readonly name: string;
  readonly value: string;
}

/** The result of a conversion. */
export interface Translated<T> {
  readonly value: T;
  readonly losses: readonly ConversionLoss[];
}

/** A part of the source that the result lacks or changes. */
export interface ConversionLoss {
  /**
   * `dropped`: the result lacks the entry. `changed`: the entry is different in the result. `byHand`: the result has
   * the entry, but the user must do what the reason says.
   */
  readonly kind: "dropped" | "changed" | "byHand";
  /** The name in the source: a conf key, an option or a field. */
  readonly entry: string | Message;
  readonly reason: Message;
}

export const appNameKey = "spark.app.name";
export const namespaceKey = "spark.kubernetes.namespace";
export const deployModeKey = "spark.submit.deployMode";
export const masterKey = "spark.master";

/** Returns the application's name, or Spark's default: the main class, else the file name of the main resource. */
export function nameOfRequest({ conf, mainClass, resource = "" }: SubmissionRequest): string {
  return conf.get(appNameKey) ?? mainClass ?? resource.slice(resource.lastIndexOf("/") + 1);
}

export const templateFileKey = (role: Role): string => `spark.kubernetes.${role}.podTemplateFile`;

export const templateContainerKey = (role: Role): string =>
  `spark.kubernetes.${role}.podTemplateContainerName`;

export const idleLosses = ({ idle }: SubmissionRequest): readonly ConversionLoss[] =>
  idle.map(({ name }) => ({
    kind: "dropped",
    entry: name,
    reason: msg("It has no effect on Kubernetes."),
  }));

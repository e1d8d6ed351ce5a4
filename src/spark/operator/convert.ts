import { msg } from "../../base/message.ts";
import type { SubmissionFinding } from "../submit/plan/submissionFinding.ts";
import type { TokenInput } from "../submit/plan/submissionInput.ts";
import { profileIn, type RunProfile } from "../submit/profile/runProfile.ts";
import { assertNever } from "../../base/assertNever.ts";
import { apacheOfRequest, requestOfApache } from "./apacheRequest.ts";
import { inlineFiles, type ReadFile } from "./inlineFiles.ts";
import { fieldRoles } from "./kubeflowFields.ts";
import { kubeflowOfRequest } from "./kubeflowOfRequest.ts";
import { lineOfRequest, requestOfLine, withMaster, type ReadLine } from "./lineRequest.ts";
import type {
  ApacheApplication,
  KubeflowApplication,
  ScheduledApplication,
} from "./operatorManifest.ts";
import { templateAsPod } from "./podTemplates.ts";
import { printYaml } from "../printYaml.ts";
import { profileOfRequest, requestOfProfile } from "./profileRequest.ts";
import { requestOfKubeflow, requestOfScheduled } from "./requestOfKubeflow.ts";
import {
  templateFileKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/** A submission in one of the formats that users store. */
export type SubmissionForm =
  | { readonly kind: "line"; readonly line: TokenInput }
  | { readonly kind: "kubeflow"; readonly manifest: KubeflowApplication }
  | { readonly kind: "apache"; readonly manifest: ApacheApplication }
  | { readonly kind: "profile"; readonly profile: RunProfile };

/** A source of a conversion. A schedule cannot be a target; it is read as the application that it starts. */
export type SourceForm =
  SubmissionForm | { readonly kind: "scheduled"; readonly manifest: ScheduledApplication };

export interface ConversionPlace {
  /** The Spark version for a source without one. */
  readonly sparkVersion: string;
  /** The API server that becomes the master of a command line. If undefined, the command line may have no master. */
  readonly master: string | undefined;
  /** The current kubeconfig context, which a profile without a context uses. */
  readonly context: string | undefined;
  readonly readFile: ReadFile;
}

export interface Conversion {
  readonly form: SubmissionForm;
  /** Parts of the source that the result lacks or changes. */
  readonly losses: readonly ConversionLoss[];
  /** Files that the result refers to, to be written next to it. */
  readonly files: readonly GeneratedFile[];
  /** Findings of spark-submit's parser, if the source is a command line or a profile. */
  readonly findings: readonly SubmissionFinding[];
}

export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/** Converts a submission from one format to another, through a `SubmissionRequest`. */
export function convert(
  source: SourceForm,
  target: SubmissionForm["kind"],
  place: ConversionPlace,
): Conversion {
  if (source.kind === target) {
    return { form: source, losses: [], files: [], findings: [] };
  }
  const { value, losses, findings } = readForm(source, place);
  const written = writeForm(value, target, place);
  return { ...written, losses: [...losses, ...written.losses], findings };
}

/** Converts any source to a submission request. Returns it with its losses and parser findings. */
export function readForm(source: SourceForm, place: ConversionPlace): ReadLine {
  const complete = (read: Translated<SubmissionRequest>): ReadLine => ({ ...read, findings: [] });
  switch (source.kind) {
    case "line":
      return requestOfLine(source.line);
    case "kubeflow":
      return complete(requestOfKubeflow(source.manifest));
    case "scheduled":
      return complete(requestOfScheduled(source.manifest));
    case "apache":
      return complete(requestOfApache(source.manifest));
    case "profile": {
      const { profile } = source;
      const settings = profileIn(profile, profile.context ?? place.context);
      return requestOfProfile(settings, place.sparkVersion);
    }
    default:
      return assertNever(source);
  }
}

function writeForm(
  request: SubmissionRequest,
  target: SubmissionForm["kind"],
  place: ConversionPlace,
): Omit<Conversion, "findings"> {
  const sparkVersion = request.sparkVersion ?? place.sparkVersion;
  switch (target) {
    case "line": {
      const { value, losses, files } = inTokens(withMaster(request, place.master));
      const line = lineOfRequest(value, sparkVersion);
      return { form: { kind: "line", line }, losses, files };
    }
    case "profile": {
      const { value, losses, files } = inTokens(request);
      const { value: profile, losses: further } = profileOfRequest(value);
      return { form: { kind: "profile", profile }, losses: [...losses, ...further], files };
    }
    case "kubeflow": {
      const inlined = inlineFiles(request, place.readFile);
      const { value: manifest, losses } = kubeflowOfRequest(inlined.value, sparkVersion);
      const form = { kind: "kubeflow", manifest } as const;
      return { form, losses: [...inlined.losses, ...losses], files: [] };
    }
    case "apache": {
      const inlined = inlineFiles(request, place.readFile);
      const { value: manifest, losses } = apacheOfRequest(inlined.value, sparkVersion);
      const form = { kind: "apache", manifest } as const;
      return { form, losses: [...inlined.losses, ...losses], files: [] };
    }
    default:
      return assertNever(target);
  }
}

/**
 * Changes a request so that command-line arguments can express it. Each pod template becomes a file, and its conf key
 * names the file. Drops keys with "=" and reports them as losses, because spark-submit ends a key at the first "=".
 */
export function inTokens(request: SubmissionRequest): Translated<SubmissionRequest> & {
  readonly files: readonly GeneratedFile[];
} {
  const unspeakable = [...request.conf.keys()].filter((key) => key.includes("="));
  const conf = new Map([...request.conf].filter(([key]) => !key.includes("=")));
  const files = fieldRoles.flatMap((role): readonly GeneratedFile[] => {
    const template = request.templates[role];
    if (template === undefined) return [];
    const name = `${role}-pod-template.yaml`;
    conf.set(templateFileKey(role), name);
    return [{ name, text: printYaml(templateAsPod(template)) }];
  });
  const reason = msg('spark-submit ends the key at the first "=".');
  return {
    value: { ...request, conf, templates: {} },
    losses: unspeakable.map((entry) => ({ kind: "dropped", entry, reason })),
    files,
  };
}

// Reads local files into the request, because the operator runs on another machine.
import { msg, type Message } from "../../base/message.ts";
import { parseJavaProperties } from "../conf/parse/properties.ts";
import { javaTrim } from "../conf/values/javaText.ts";
import type { JsonObject } from "../../base/json.ts";
import { fieldRoles } from "./kubeflowFields.ts";
import { parseOperatorTemplate } from "./podTemplates.ts";
import { isRemoteUri } from "./remoteFiles.ts";
import {
  templateFileKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/** Returns the text of a local file; undefined if the file cannot be read. */
export type ReadFile = (path: string) => string | undefined;

/** Merges the entries of local properties files into `conf`, and local pod templates into `templates`. */
export function inlineFiles(
  request: SubmissionRequest,
  readFile: ReadFile,
): Translated<SubmissionRequest> {
  const properties = inlineProperties(request, readFile);
  const templates = inlineTemplates(properties.value, readFile);
  return { value: templates.value, losses: [...properties.losses, ...templates.losses] };
}

function inlineProperties(
  request: SubmissionRequest,
  readFile: ReadFile,
): Translated<SubmissionRequest> {
  const conf = new Map(request.conf);
  const losses: ConversionLoss[] = [];
  // Later extra files override earlier ones, and all override the properties file.
  const { propertiesFile, extraPropertiesFiles } = request;
  const files = [
    ...extraPropertiesFiles.toReversed().map((path) => ["--extra-properties-file", path] as const),
    ...(propertiesFile === undefined ? [] : [["--properties-file", propertiesFile] as const]),
  ];
  for (const [option, path] of files) {
    const text = readFile(path);
    if (text === undefined) {
      losses.push(dropped(`${option} ${path}`, msg("The file cannot be read.")));
      continue;
    }
    for (const [key, value] of new Map(parseJavaProperties(text))) {
      if (key.startsWith("spark.") && !conf.has(key)) conf.set(key, javaTrim(value));
    }
  }
  if (request.loadsDefaults) {
    losses.push(
      dropped(
        "--load-spark-defaults",
        msg("spark-defaults.conf of the submitting machine is not included."),
      ),
    );
  }
  const value = {
    ...request,
    conf,
    propertiesFile: undefined,
    extraPropertiesFiles: [],
    loadsDefaults: false,
  };
  return { value, losses };
}

function inlineTemplates(
  request: SubmissionRequest,
  readFile: ReadFile,
): Translated<SubmissionRequest> {
  const conf = new Map(request.conf);
  const losses: ConversionLoss[] = [];
  const templates: Record<string, JsonObject> = { ...request.templates };
  for (const role of fieldRoles) {
    const key = templateFileKey(role);
    const path = conf.get(key);
    if (path === undefined || isRemoteUri(path)) continue;
    conf.delete(key);
    // An inline template overrides the key.
    if (templates[role] !== undefined) continue;
    const template = parseOperatorTemplate(readFile(path) ?? "");
    if (template) templates[role] = template;
    else losses.push(dropped(key, msg`"${path}" cannot be read as a pod template.`));
  }
  return { value: { ...request, conf, templates }, losses };
}

const dropped = (entry: string, reason: Message): ConversionLoss => ({
  kind: "dropped",
  entry,
  reason,
});

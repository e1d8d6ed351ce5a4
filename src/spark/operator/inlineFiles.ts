// An object is read far away from this machine: what files say has to stand in it.
import { parseJavaProperties } from "../submit/javaProperties.ts";
import { javaTrim } from "../conf/values/javaText.ts";
import type { JsonObject } from "../submit/manifest.ts";
import { roles } from "./kubeflowFields.ts";
import { parseTemplate } from "./podTemplates.ts";
import { isFarAway } from "./remoteFiles.ts";
import {
  templateFileKey,
  type Loss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/** The text of a file of this machine; undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** The request with the entries of its properties files in `conf`, and its pod templates read. */
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
  const losses: Loss[] = [];
  // A later extra file counts more than an earlier one, and each more than the properties file.
  const { propertiesFile, extraPropertiesFiles } = request;
  const files = [
    ...extraPropertiesFiles.toReversed().map((path) => ["--extra-properties-file", path] as const),
    ...(propertiesFile === undefined ? [] : [["--properties-file", propertiesFile] as const]),
  ];
  for (const [option, path] of files) {
    const text = readFile(path);
    if (text === undefined) {
      losses.push(dropped(`${option} ${path}`, "The file cannot be read from here."));
      continue;
    }
    for (const [key, value] of new Map(parseJavaProperties(text))) {
      if (key.startsWith("spark.") && !conf.has(key)) conf.set(key, javaTrim(value));
    }
  }
  if (request.loadsDefaults) {
    losses.push(
      dropped("--load-spark-defaults", "The defaults are those of the machine that submits."),
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
  const losses: Loss[] = [];
  const templates: Record<string, JsonObject> = { ...request.templates };
  for (const role of roles) {
    const key = templateFileKey(role);
    const path = conf.get(key);
    if (path === undefined || isFarAway(path)) continue;
    conf.delete(key);
    // A template that is at hand already counts more than the key.
    if (templates[role] !== undefined) continue;
    const template = parseTemplate(readFile(path) ?? "");
    if (template) templates[role] = template;
    else losses.push(dropped(key, `"${path}" cannot be read from here as a pod template.`));
  }
  return { value: { ...request, conf, templates }, losses };
}

const dropped = (entry: string, reason: string): Loss => ({ kind: "dropped", entry, reason });

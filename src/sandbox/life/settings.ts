// What whoever starts the sandbox has chosen about its node: JSON, as the process's second argument.
import { fieldsOf, itemsOf, numberOf, textOf } from "../../spark/pods/fields.ts";
import { findPrograms } from "../node/image/machine.ts";
import { downloadPyspark, type DownloadProgress } from "../node/image/pysparkDownload.ts";
import type { NodeSettings } from "../node/startNode.ts";

export interface SandboxSettings extends Omit<NodeSettings, "download"> {
  /** Where Spark may be downloaded to by the user's pip; undefined: the user has not been asked, or said no. */
  readonly downloadFolder: string | undefined;
}

/** What is not said, or wrongly, is as if nobody had chosen. */
export function readSettings(text: string | undefined): SandboxSettings {
  const fields = fieldsOf(parse(text ?? "{}"));
  const images = Object.entries(fieldsOf(fields["images"])).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    distributions: itemsOf(fields["distributions"]).filter((one) => typeof one === "string"),
    images: Object.fromEntries(images),
    rehearse: fields["rehearse"] === true,
    javaHome: textOf(fields["javaHome"]),
    python: textOf(fields["python"]),
    cores: numberOf(fields["cores"]),
    memoryBytes: numberOf(fields["memoryBytes"]),
    downloadFolder: textOf(fields["downloadFolder"]),
  };
}

export function nodeSettings(
  { downloadFolder, ...settings }: SandboxSettings,
  environment: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): NodeSettings {
  if (downloadFolder === undefined) return { ...settings, download: undefined };
  return {
    ...settings,
    download: async (sparkVersion, signal) => {
      const { python } = await findPrograms(settings);
      if (python === undefined)
        return { ok: false, error: "there is no Python to download Spark with" };
      const onProgress = ({ line }: DownloadProgress): void => {
        log(`pyspark ${sparkVersion}: ${line}`);
      };
      const options = { python, environment, cacheFolder: downloadFolder, onProgress };
      return downloadPyspark(sparkVersion, options, signal);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

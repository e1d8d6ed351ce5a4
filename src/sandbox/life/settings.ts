// Settings of the sandbox's node, passed as JSON in the process's second argument.
import { fieldsOf, itemsOf, numberOf, textOf } from "../../base/json.ts";
import { findPrograms } from "../node/image/machine.ts";
import { pysparkHashes } from "../node/image/pysparkHashes.ts";
import { downloadPyspark, type PysparkProgress } from "../node/image/pysparkDownload.ts";
import type { NodeSettings } from "../node/startNode.ts";

export interface SandboxSettings extends Omit<NodeSettings, "download"> {
  /** Folder for Spark downloads by pip; undefined if the user has not permitted downloads. */
  readonly downloadFolder: string | undefined;
}

/** Parses settings; missing and invalid values get their defaults. */
export function readSettings(text: string | undefined): SandboxSettings {
  const fields = fieldsOf(parse(text ?? "{}"));
  const images = Object.entries(fieldsOf(fields["images"])).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    distributions: itemsOf(fields["distributions"]).filter((one) => typeof one === "string"),
    images: Object.fromEntries(images),
    simulate: fields["simulate"] === true,
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
      const { python } = await findPrograms(settings, environment);
      if (python === undefined)
        return { ok: false, error: "downloading Spark requires Python, which was not found" };
      const onProgress = ({ line }: PysparkProgress): void => {
        log(`pyspark ${sparkVersion}: ${line}`);
      };
      const options = {
        python,
        hashes: pysparkHashes,
        environment,
        cacheFolder: downloadFolder,
        onProgress,
      };
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

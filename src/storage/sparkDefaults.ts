import { confDirectory } from "../spark/submit/conf/confLayers.ts";
import { localDisk } from "./localDisk.ts";

/** Reads the `spark-defaults.conf` that spark-submit on this machine would read; undefined if there is none. */
export function sparkDefaults(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly text: string } | undefined {
  const folder = confDirectory(environment);
  const name = `${folder ?? ""}/spark-defaults.conf`;
  const text = folder === undefined ? undefined : localDisk.text(name)?.text;
  return text === undefined ? undefined : { name, text };
}

import type { Span } from "../../base/span.ts";
import type { DecodedManifest } from "../operator/decodeManifests.ts";
import { placeOfField } from "../operator/fieldPlaces.ts";
import { readManifest } from "./manifestSettings.ts";

/**
 * Returns the place of a conf key in an application's manifest: its entry or field, or the nearest parent if the
 * manifest does not set it. If `key` is undefined, returns the document's first line.
 */
export function placeOfKey(
  text: string,
  { span, manifest }: Pick<DecodedManifest, "span" | "manifest">,
  key: string | undefined,
): Span {
  if (key === undefined) return placeOfField(text, span, "");
  const written = readManifest(text)
    .flatMap(({ entries }) => entries)
    .findLast(
      (entry) =>
        entry.key === key && entry.keySpan.start >= span.start && entry.keySpan.start < span.end,
    );
  if (written !== undefined) return written.keySpan;
  const spec = manifest.kind === "ScheduledSparkApplication" ? "spec.template" : "spec";
  return placeOfField(text, span, fields.get(key)?.replace(/^spec/, spec) ?? `${spec}.sparkConf`);
}

/** The fields from which kubeflow's operator reads a key that an application does not set. */
const fields: ReadonlyMap<string, string> = new Map([
  ["spark.app.name", "metadata.name"],
  ["spark.kubernetes.namespace", "metadata.namespace"],
  ["spark.kubernetes.authenticate.driver.serviceAccountName", "spec.driver.serviceAccount"],
  ["spark.kubernetes.container.image", "spec.image"],
  ["spark.executor.instances", "spec.executor.instances"],
]);

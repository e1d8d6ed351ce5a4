import { decodePod } from "../../spark/pods/decodePod.ts";
import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { parseJavaProperties } from "../../spark/conf/parse/properties.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";

/** The Spark conf that spark-submit stored for a driver pod, or the reason why there is none. */
type DriverConf = {
  /** The current driver pod; undefined if it could not be read. */
  readonly pod: PodRecord | undefined;
} & (
  | {
      readonly kind: "found";
      readonly map: StoredObject;
      readonly conf: ReadonlyMap<string, string>;
    }
  /** The pod has no conf volume, so spark-submit did not create it. */
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: ClusterError }
);

const volumeName = "spark-conf-volume-driver";
const fileName = "spark.properties";

/** Reads the ConfigMap that spark-submit created for a driver. The pod's conf volume names it. */
export async function readDriverConf(
  objects: ObjectApi,
  driver: Pick<PodRecord, "namespace" | "name">,
  signal: AbortSignal,
): Promise<DriverConf> {
  const { namespace, name } = driver;
  const read = await objects.read({ apiVersion: "v1", kind: "Pod", namespace, name }, signal);
  if (!read.ok) return { kind: "failed", error: read.error, pod: undefined };
  const pod = decodePod(read.value.body);
  const mapName = mapNameOf(read.value.body);
  if (mapName === undefined) return { kind: "none", pod };
  const reference = { apiVersion: "v1", kind: "ConfigMap", namespace, name: mapName };
  const map = await objects.read(reference, signal);
  if (!map.ok) return { kind: "failed", error: map.error, pod };
  const text = textOf(fieldsOf(fieldsOf(map.value.body)["data"])[fileName]) ?? "";
  return { kind: "found", map: map.value, conf: new Map(parseJavaProperties(text)), pod };
}

function mapNameOf(pod: unknown): string | undefined {
  const volumes = itemsOf(fieldsOf(fieldsOf(pod)["spec"])["volumes"]).map(fieldsOf);
  const volume = volumes.find(({ name }) => name === volumeName);
  return textOf(fieldsOf(volume?.["configMap"])["name"]);
}

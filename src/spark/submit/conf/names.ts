import { javaTrim } from "../../conf/values/javaText.ts";

const maxLabelLength = 63;
const maxServiceNameLength = 63;

/** Six random hex digits and the time in hex: Spark's format. The time is cut to 40 bits and not padded. */
export function uniqueId(randomBytes: (count: number) => Uint8Array, now: number): string {
  return `${hex(randomBytes(3))}${(Math.trunc(now) % 2 ** 40).toString(16)}`;
}

/** `spark-` and 32 hex digits. */
export function newApplicationId(randomBytes: (count: number) => Uint8Array): string {
  return `spark-${uuid(randomBytes).replaceAll("-", "")}`;
}

/** A random UUID (version 4). */
export function uuid(randomBytes: (count: number) => Uint8Array): string {
  const bytes = Uint8Array.from(randomBytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The prefix of all object names of the application. Its length is not limited. */
export function resourceNamePrefix(appName: string, id: string): string {
  return javaTrim(`${appName}-${id}`)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-/, "")
    .replace(/^[0-9]/, "x");
}

/** The name of the driver pod, unless `spark.kubernetes.driver.pod.name` is set. */
export const defaultDriverPodName = (prefix: string): string => `${prefix}-driver`;

/** The value of the label `spark-app-name`. */
export function appNameLabelValue(appName: string): string {
  return javaTrim(appName)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .slice(0, maxLabelLength)
    .replace(/^-/, "")
    .replace(/-$/, "");
}

/** The name of the driver's Service. A name longer than the DNS limit is replaced by a generated one. */
export function driverServiceName(prefix: string, fallbackId: string): string {
  const preferred = `${prefix}-driver-svc`;
  return preferred.length <= maxServiceNameLength ? preferred : `spark-${fallbackId}-driver-svc`;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

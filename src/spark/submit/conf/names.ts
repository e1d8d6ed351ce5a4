import { javaTrim } from "../../conf/values/javaText.ts";

const maxLabelLength = 63;
const maxServiceNameLength = 63;

/**
 * Returns an id in Spark's format: six random hex digits, then the time in hex. The time is cut to 40 bits, not padded.
 */
export function uniqueId(randomBytes: (count: number) => Uint8Array, now: number): string {
  return `${hex(randomBytes(3))}${(Math.trunc(now) % 2 ** 40).toString(16)}`;
}

/** Returns `spark-` and 32 random hex digits. */
export function newApplicationId(randomBytes: (count: number) => Uint8Array): string {
  return `spark-${uuid(randomBytes).replaceAll("-", "")}`;
}

/** Returns a random UUID (version 4). */
export function uuid(randomBytes: (count: number) => Uint8Array): string {
  const bytes = Uint8Array.from(randomBytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the name prefix of all objects of the application. Its length is not limited. */
export function resourceNamePrefix(appName: string, id: string): string {
  return javaTrim(`${appName}-${id}`)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-/, "")
    .replace(/^[0-9]/, "x");
}

/** Returns the name of the driver pod if `spark.kubernetes.driver.pod.name` is not set. */
export const defaultDriverPodName = (prefix: string): string => `${prefix}-driver`;

/** Returns the value of the label `spark-app-name`, at most 63 characters. */
export function appNameLabelValue(appName: string): string {
  return javaTrim(appName)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .slice(0, maxLabelLength)
    .replace(/^-/, "")
    .replace(/-$/, "");
}

/**
 * Returns the name of the driver's Service. A generated name replaces a name of more than 63 characters, the limit of a
 * DNS label.
 */
export function driverServiceName(prefix: string, fallbackId: string): string {
  const preferred = `${prefix}-driver-svc`;
  return preferred.length <= maxServiceNameLength ? preferred : `spark-${fallbackId}-driver-svc`;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

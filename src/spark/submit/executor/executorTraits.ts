import type { SparkMinor } from "../conf/sparkVersion.ts";

/** The properties of executor pods that differ between Spark versions. */
export interface ExecutorTraits {
  /** The image's entry point passes the IP address of the driver's pod to executors. */
  readonly tellsDriverPodIp: boolean;
  readonly hasLogAttributes: boolean;
  /** The driver passes `spark.ssl.*` entries to executors as JVM options. */
  readonly passesTlsConf: boolean;
  readonly hasDriverPodIpKey: boolean;
  readonly usesDriverPodIp: boolean;
  readonly hasGracePeriod: boolean;
  readonly checksCpuLimit: boolean;
  readonly hasDeploymentAllocator: boolean;
  readonly writesResizePolicy: boolean;
}

const spark33: ExecutorTraits = {
  tellsDriverPodIp: false,
  hasLogAttributes: false,
  passesTlsConf: false,
  hasDriverPodIpKey: false,
  usesDriverPodIp: false,
  hasGracePeriod: false,
  checksCpuLimit: false,
  hasDeploymentAllocator: false,
  writesResizePolicy: false,
};
const spark35: ExecutorTraits = { ...spark33, tellsDriverPodIp: true };
const spark40: ExecutorTraits = { ...spark35, hasLogAttributes: true, passesTlsConf: true };
const spark41: ExecutorTraits = {
  ...spark40,
  hasDriverPodIpKey: true,
  hasGracePeriod: true,
  checksCpuLimit: true,
};
const spark42: ExecutorTraits = {
  ...spark41,
  hasDeploymentAllocator: true,
  writesResizePolicy: true,
};

export const executorTraits: Readonly<Record<SparkMinor, ExecutorTraits>> = {
  "3.3": spark33,
  "3.4": spark33,
  "3.5": spark35,
  "4.0": spark40,
  "4.1": spark41,
  "4.2": spark42,
  "4.3": { ...spark42, usesDriverPodIp: true },
};

import type { SparkMinor } from "./sparkVersion.ts";

/**
 * Differences between Spark versions in spark-submit and in the driver pod. `ExecutorTraits` has those of executor
 * pods.
 */
export interface VersionTraits {
  // Command line
  readonly hasRemoteFlag: boolean;
  readonly hasLoadDefaultsFlag: boolean;
  readonly hasExtraPropertiesFlag: boolean;
  readonly hasDefaultClassPathFlag: boolean;
  /** `bin/spark-class` deletes carriage returns from the arguments. */
  readonly dropsCarriageReturns: boolean;
  readonly refusesConnectServer: boolean;
  /** `spark.local.connect` allows a remote address together with a master. */
  readonly hasLocalConnect: boolean;
  /** Spark rejects driver Java options that contain this text, because it sets the heap size. */
  readonly heapOption: "Xmx" | "-Xmx";
  readonly keepsSubmitTime: boolean;
  /** `Ki`, `MiB` and similar are valid units of size. */
  readonly hasIecSizes: boolean;

  // Driver pod
  readonly hasConnectPort: boolean;
  readonly hasMinMemoryOverhead: boolean;
  readonly replacesVersionInImage: boolean;
  readonly replacesPlaceholdersInLabels: boolean;
  readonly prefersProxyUser: boolean;
  readonly writesPrivilegeEscalation: boolean;
  readonly readsPythonVersion: boolean;
  readonly hasExcludedSteps: boolean;
  readonly hasVolcanoStep: boolean;
  /** `mount.subPathExpr`, hostPath types, labels and annotations of claims, and the check for sizes without a unit. */
  readonly hasVolumeExtras: boolean;
  readonly claimAccessMode: "ReadWriteOnce" | "ReadWriteOncePod";
  readonly hasLegacyAccessModeKey: boolean;
  /** Spark sends empty maps as `{}`. */
  readonly writesEmptyMaps: boolean;
  readonly refusesForeignTemplates: boolean;
  /** Spark sends the pod with the `apiVersion` of its template. */
  readonly keepsTemplateVersion: boolean;
  /**
   * `1.1`: an unquoted date becomes milliseconds since the epoch, `yes` is true, `010` is 8. `1.1 plain`: the
   * same, but dates and `yes` are strings. `json`: scalars as in JSON.
   */
  readonly templateYaml: "1.1" | "1.1 plain" | "json";
  /**
   * A 32-bit integer in a template is parsed from its text, like Java's `Integer.decode`: `0644` is 420; a fraction is
   * invalid.
   */
  readonly decodesIntegers: boolean;

  // Other objects
  readonly hasServiceLabels: boolean;
  readonly hasIpFamilies: boolean;
  readonly namesConnectProtocol: boolean;
  readonly writesNotReadyAddresses: boolean;
  readonly hasNetworkPolicy: boolean;
  readonly tellsExecutorsOfHadoopConf: boolean;
  /** Files in the Hadoop configuration directory and the executors' pod template must be UTF-8. */
  readonly refusesBinaryText: boolean;

  // Requests
  readonly ownedObjects: "create" | "apply";
  readonly ownedOrder: "byKind" | "byStep";
  readonly namesCharset: boolean;
  readonly killReadsFirst: boolean;
  readonly selectsDrivers: boolean;
  /** Spark's default pattern for redaction; case-insensitive. */
  readonly redactionPattern: RegExp;
}

const spark33: VersionTraits = {
  hasRemoteFlag: false,
  hasLoadDefaultsFlag: false,
  hasExtraPropertiesFlag: false,
  hasDefaultClassPathFlag: false,
  dropsCarriageReturns: false,
  refusesConnectServer: false,
  hasLocalConnect: true,
  heapOption: "Xmx",
  keepsSubmitTime: false,
  hasIecSizes: false,
  hasConnectPort: false,
  hasMinMemoryOverhead: false,
  replacesVersionInImage: false,
  replacesPlaceholdersInLabels: false,
  prefersProxyUser: false,
  writesPrivilegeEscalation: false,
  readsPythonVersion: true,
  hasExcludedSteps: false,
  hasVolcanoStep: false,
  hasVolumeExtras: false,
  claimAccessMode: "ReadWriteOnce",
  hasLegacyAccessModeKey: false,
  writesEmptyMaps: true,
  refusesForeignTemplates: true,
  keepsTemplateVersion: true,
  templateYaml: "1.1",
  decodesIntegers: false,
  hasServiceLabels: false,
  hasIpFamilies: false,
  namesConnectProtocol: false,
  writesNotReadyAddresses: false,
  hasNetworkPolicy: false,
  tellsExecutorsOfHadoopConf: false,
  refusesBinaryText: false,
  ownedObjects: "create",
  ownedOrder: "byKind",
  namesCharset: true,
  killReadsFirst: false,
  selectsDrivers: false,
  redactionPattern: /secret|password|token|access[.]key/i,
};

const spark34: VersionTraits = {
  ...spark33,
  hasRemoteFlag: true,
  dropsCarriageReturns: true,
  refusesConnectServer: true,
  hasLegacyAccessModeKey: true,
  writesEmptyMaps: false,
  refusesForeignTemplates: false,
  keepsTemplateVersion: false,
  templateYaml: "1.1 plain",
  hasServiceLabels: true,
  hasIpFamilies: true,
  ownedOrder: "byStep",
  selectsDrivers: true,
  redactionPattern: /secret|password|token|access[.]?key/i,
};

const spark35: VersionTraits = {
  ...spark34,
  keepsSubmitTime: true,
  templateYaml: "json",
  tellsExecutorsOfHadoopConf: true,
  ownedObjects: "apply",
};

const spark40: VersionTraits = {
  ...spark35,
  hasLoadDefaultsFlag: true,
  hasDefaultClassPathFlag: true,
  hasLocalConnect: false,
  heapOption: "-Xmx",
  hasMinMemoryOverhead: true,
  replacesPlaceholdersInLabels: true,
  hasVolumeExtras: true,
  decodesIntegers: true,
  claimAccessMode: "ReadWriteOncePod",
  namesCharset: false,
  killReadsFirst: true,
  redactionPattern: /secret|password|token|access[.]?key|credential/i,
};

const spark41: VersionTraits = {
  ...spark40,
  hasConnectPort: true,
  replacesVersionInImage: true,
  readsPythonVersion: false,
  hasExcludedSteps: true,
  refusesBinaryText: true,
};

const spark42: VersionTraits = {
  ...spark41,
  hasExtraPropertiesFlag: true,
  hasIecSizes: true,
  hasVolcanoStep: true,
  namesConnectProtocol: true,
  hasNetworkPolicy: true,
};

const spark43: VersionTraits = {
  ...spark42,
  prefersProxyUser: true,
  writesPrivilegeEscalation: true,
  writesNotReadyAddresses: true,
};

export const versionTraits: Readonly<Record<SparkMinor, VersionTraits>> = {
  "3.3": spark33,
  "3.4": spark34,
  "3.5": spark35,
  "4.0": spark40,
  "4.1": spark41,
  "4.2": spark42,
  "4.3": spark43,
};

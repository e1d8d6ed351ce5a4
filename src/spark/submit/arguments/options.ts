import type { VersionTraits } from "../conf/versionTraits.ts";

export interface CommandOption {
  readonly name: `--${string}`;
  readonly alias?: `-${string}`;
  /** `switch` takes no value; `action` takes none and replaces the submission. */
  readonly kind: "value" | "switch" | "action";
  /** The conf key that the value sets in cluster mode on Kubernetes. */
  readonly key?: string;
  /** True if the option is an alias of `--conf` for its key. If the command line has both, the later one wins. */
  readonly isConf?: true;
  /** True if the Spark version has the option. Absent: all versions have it. */
  readonly isKnownTo?: (traits: VersionTraits) => boolean;
}

export const commandOptions: readonly CommandOption[] = [
  { name: "--master", kind: "value", key: "spark.master" },
  {
    name: "--driver-default-class-path",
    kind: "value",
    key: "spark.driver.defaultExtraClassPath",
    isConf: true,
    isKnownTo: (traits) => traits.hasDefaultClassPathFlag,
  },
  { name: "--deploy-mode", kind: "value", key: "spark.submit.deployMode" },
  { name: "--class", kind: "value" },
  { name: "--name", kind: "value", key: "spark.app.name" },
  { name: "--jars", kind: "value", key: "spark.jars" },
  { name: "--files", kind: "value", key: "spark.files" },
  { name: "--archives", kind: "value", key: "spark.archives" },
  { name: "--py-files", kind: "value", key: "spark.submit.pyFiles" },
  { name: "--packages", kind: "value", key: "spark.jars.packages" },
  { name: "--exclude-packages", kind: "value", key: "spark.jars.excludes" },
  { name: "--repositories", kind: "value", key: "spark.jars.repositories" },
  { name: "--conf", alias: "-c", kind: "value" },
  { name: "--properties-file", kind: "value" },
  {
    name: "--extra-properties-file",
    kind: "value",
    isKnownTo: (traits) => traits.hasExtraPropertiesFlag,
  },
  {
    name: "--load-spark-defaults",
    kind: "switch",
    isKnownTo: (traits) => traits.hasLoadDefaultsFlag,
  },
  { name: "--driver-memory", kind: "value", key: "spark.driver.memory", isConf: true },
  { name: "--driver-cores", kind: "value", key: "spark.driver.cores" },
  {
    name: "--driver-java-options",
    kind: "value",
    key: "spark.driver.extraJavaOptions",
    isConf: true,
  },
  {
    name: "--driver-library-path",
    kind: "value",
    key: "spark.driver.extraLibraryPath",
    isConf: true,
  },
  { name: "--driver-class-path", kind: "value", key: "spark.driver.extraClassPath", isConf: true },
  { name: "--executor-memory", kind: "value", key: "spark.executor.memory" },
  { name: "--executor-cores", kind: "value", key: "spark.executor.cores" },
  { name: "--num-executors", kind: "value", key: "spark.executor.instances" },
  { name: "--total-executor-cores", kind: "value" },
  { name: "--principal", kind: "value", key: "spark.kerberos.principal" },
  { name: "--keytab", kind: "value", key: "spark.kerberos.keytab" },
  { name: "--proxy-user", kind: "value" },
  { name: "--queue", kind: "value" },
  { name: "--supervise", kind: "switch" },
  {
    name: "--remote",
    kind: "value",
    key: "spark.remote",
    isKnownTo: (traits) => traits.hasRemoteFlag,
  },
  { name: "--kill", kind: "value" },
  { name: "--status", kind: "value" },
  { name: "--verbose", alias: "-v", kind: "switch" },
  { name: "--version", kind: "action" },
  { name: "--help", alias: "-h", kind: "action" },
  { name: "--usage-error", kind: "action" },
];

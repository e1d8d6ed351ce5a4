// Every sentence that a submission says of its own input. Codes up to E-44 are those of the conditions
// that spark-submit itself refuses; from E-50 on they are ours.
import type { Origin, SubmissionCode, SubmissionFinding } from "./submissionFinding.ts";

type At = Origin | undefined;

export const problems = {
  missingValue: (option: string, at: At) =>
    error("E-01", `The option "${option}" needs a value.`, at),
  unknownOption: (token: string, at: At) =>
    error("E-02", `"${token}" is not an option of this Spark version.`, at),
  badDeployMode: (mode: string, at: At) =>
    error("E-03", `The deploy mode is "client" or "cluster", not "${mode}".`, at),
  confWithoutEquals: (text: string, at: At) =>
    error("E-04", `"--conf ${text}" lacks an "=" between key and value.`, at),
  remoteWithMaster: (at: At) =>
    error("E-05", "A remote address of Spark Connect excludes a master and a deploy mode.", at),
  missingPropertiesFile: (path: string, at: At) =>
    error("E-06", `The properties file "${path}" does not exist or is no file.`, at),
  heapInJavaOptions: (key: string, at: At) =>
    error("E-07", `"${key}" sets the heap with -Xmx. Set "spark.driver.memory" instead.`, at, key),
  noResource: () =>
    error("E-08", "The main application resource (jar, .py or .R) is missing.", undefined),
  badMemory: (key: string, value: string, at: At) =>
    error("E-09", `"${value}" is not a size above zero, such as 512m or 4g.`, at, key),
  badCores: (key: string, value: string, at: At) =>
    error("E-10", `"${value}" is not a whole number above zero.`, at, key),
  badExecutorCount: (value: string, at: At) =>
    error(
      "E-11",
      `"${value}" is not a whole number above zero, and dynamic allocation is off.`,
      at,
      "spark.executor.instances",
    ),
  proxyUserWithPrincipal: (at: At) =>
    error("E-12", "A proxy user excludes a Kerberos principal.", at),
  killAndStatus: (at: At) => error("E-13", "One command either kills or asks for the status.", at),
  badMaster: (master: string, at: At) =>
    error(
      "E-14",
      `The master "${master}" is not one of Kubernetes. Write "k8s://https://host:port".`,
      at,
      "spark.master",
    ),
  badDeployModeInConf: (mode: string, at: At) =>
    error(
      "E-15",
      `The deploy mode is "client" or "cluster", not "${mode}".`,
      at,
      "spark.submit.deployMode",
    ),
  localMaster: (at: At) =>
    error("E-16", "A local master cannot run an application in cluster mode.", at, "spark.master"),
  shellInCluster: (shell: string, at: At) =>
    error("E-17", `"${shell}" is a shell and cannot run in cluster mode.`, at),
  sqlCliInCluster: (at: At) =>
    error("E-18", "The SQL command line cannot run in cluster mode.", at),
  thriftServerInCluster: (at: At) =>
    error("E-19", "The Thrift server cannot run in cluster mode.", at),
  connectServerInCluster: (at: At) =>
    error("E-20", "The Spark Connect server cannot run in cluster mode on Kubernetes.", at),
  masterWithQuery: (at: At) =>
    error(
      "E-68",
      "The master is an address with a path at most: nothing behind a ? or a #.",
      at,
      "spark.master",
    ),
  badMasterScheme: (scheme: string, at: At) =>
    error("E-21", `A Kubernetes master speaks https or http, not "${scheme}".`, at, "spark.master"),
  missingKeytab: (path: string, at: At) =>
    error(
      "E-22",
      `The keytab "${path}" does not exist. It is a plain path, not a URI.`,
      at,
      "spark.kerberos.keytab",
    ),
  ambiguousGlob: (glob: string, at: At, key: string) =>
    error("E-23", `"${glob}" matches several files, so its "#" name fits none.`, at, key),
  noMainClass: (resource: string, at: At) =>
    error("E-24", `No main class: "${resource}" does not tell it. Give "--class".`, at),
  noImage: () =>
    error(
      "E-25",
      'No image for the driver. Set "spark.kubernetes.container.image".',
      undefined,
      "spark.kubernetes.container.image",
    ),
  noUploadPath: (uri: string, at: At) =>
    error(
      "E-26",
      `"${uri}" is a file of this machine and "spark.kubernetes.file.upload.path" says nowhere to put it. ` +
        'A file inside the image is written "local:///path".',
      at,
      "spark.kubernetes.file.upload.path",
    ),
  cannotUpload: (path: string, reason: string, at: At) =>
    error("E-26b", `"${path}" cannot be uploaded: ${reason}.`, at),
  bindAddress: (at: At) =>
    error(
      "E-27",
      "On Kubernetes the driver binds to its pod's own address.",
      at,
      "spark.driver.bindAddress",
    ),
  unknownFeatureStep: (name: string, at: At) =>
    error(
      "E-30",
      `The feature step "${name}" is code for the JVM, or not of this Spark version, and cannot be run here.`,
      at,
      "spark.kubernetes.driver.pod.featureSteps",
    ),
  templateScheme: (uri: string, at: At) =>
    error(
      "E-31",
      `The pod template "${uri}" is neither a file nor at an https address, and cannot be read from here.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  templateNotFetched: (uri: string, reason: string, key: string, at: At) =>
    error("E-31", `The pod template "${uri}" was not fetched: ${reason}.`, at, key),
  badTemplate: (uri: string, reason: string, at: At) =>
    error(
      "E-32",
      `The pod template "${uri}" is unusable: ${reason}.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  resourceWithoutVendor: (name: string, at: At) =>
    error(
      "E-33",
      `The resource "${name}" needs a vendor, such as "nvidia.com".`,
      at,
      `spark.driver.resource.${name}.vendor`,
    ),
  badResourceAmount: (name: string, amount: string | undefined, at: At) =>
    error(
      "E-34",
      amount === undefined
        ? `The resource "${name}" needs an amount.`
        : `The amount "${amount}" of "${name}" is not a whole number.`,
      at,
      `spark.driver.resource.${name}.amount`,
    ),
  reservedLabel: (label: string, key: string, at: At) =>
    error("E-35", `The label "${label}" is Spark's own and cannot be set.`, at, key),
  missingCredentialFile: (key: string, path: string, at: At) =>
    error("E-36", `"${path}" does not exist or is no file.`, at, key),
  badSecretKeyRef: (key: string, value: string, at: At) =>
    error("E-37", `"${value}" is not of the form "secret:key".`, at, key),
  twoHadoopConfs: (at: At) =>
    error(
      "E-38",
      'The variable HADOOP_CONF_DIR and "spark.kubernetes.hadoop.configMapName" exclude each other.',
      at,
      "spark.kubernetes.hadoop.configMapName",
    ),
  twoKrb5Confs: (at: At) =>
    error(
      "E-39a",
      "A krb5.conf comes from a file or from a ConfigMap, not from both.",
      at,
      "spark.kubernetes.kerberos.krb5.path",
    ),
  halfKerberosLogin: (at: At) =>
    error(
      "E-39b",
      "A Kerberos keytab and a principal belong together.",
      at,
      "spark.kerberos.keytab",
    ),
  halfTokenSecret: (at: At) =>
    error(
      "E-39c",
      "A secret with delegation tokens needs its name and the key of the item.",
      at,
      "spark.kubernetes.kerberos.tokenSecret.name",
    ),
  unknownVolumeType: (type: string, key: string, at: At) =>
    error(
      "E-40",
      `"${type}" is no type of volume: hostPath, persistentVolumeClaim, emptyDir or nfs.`,
      at,
      key,
    ),
  missingVolumeKey: (key: string, at: At) => error("E-41", `The volume needs "${key}".`, at, key),
  twoSubPaths: (key: string, at: At) =>
    error("E-42", "A volume has a subPath or a subPathExpr, not both.", at, key),
  sizeWithoutUnit: (value: string, key: string, at: At) =>
    error("E-43", `The size "${value}" is below 1 KiB. Is its unit missing?`, at, key),
  twoVolumesOnOnePath: (path: string, key: string, at: At) =>
    error("E-44", `Two volumes are mounted at "${path}".`, at, key),

  badValue: (key: string, value: string, expected: string, at: At) =>
    error("E-50", `"${value}" is not ${expected}.`, at, key),
  clusterModeRequired: (at: At) =>
    error("E-51", 'Only cluster mode is sent from here. Add "--deploy-mode cluster".', at),
  badUri: (text: string, at: At, key: string) =>
    error(
      "E-52",
      `"${text}" in the list is no address of a file: look for a blank before it, a drive letter, or a scheme without a path.`,
      at,
      key,
    ),
  missingFile: (key: string, path: string, at: At) =>
    error("E-53", `"${path}" does not exist or is no file.`, at, key),
  binaryHadoopConf: (path: string) =>
    error("E-54", `"${path}" is not UTF-8 text, and the Hadoop configuration is sent as text.`, {
      kind: "environment",
      name: "HADOOP_CONF_DIR",
    }),
  noKerberosRealm: () =>
    error(
      "E-55",
      "The Hadoop configuration switches Kerberos on, and this machine has no krb5.conf.",
      { kind: "environment", name: "HADOOP_CONF_DIR" },
    ),
  tokenTwice: (key: string, at: At) =>
    error("E-56", "A token is given as text or as a file, not as both.", at, key),
  rNeedsFiles: (uri: string, at: At) =>
    error(
      "E-57",
      `An R application takes only jars of this machine, not "${uri}".`,
      at,
      "spark.jars",
    ),
  noNamespaceToSearch: (at: At) =>
    error("E-58", 'Say in which namespace: "namespace:driver-pod-name".', at),
  unknownSparkVersion: (version: string) =>
    error("E-59", `How Spark "${version}" submits is not known.`, undefined),
  notASubmission: () => error("E-60", "The command line submits no application.", undefined),
  badPackage: (text: string, at: At) =>
    error(
      "E-61",
      `"${text}" is not of the form "group:artifact:version".`,
      at,
      "spark.jars.packages",
    ),
  unnamedPod: (at: At) =>
    error(
      "E-62",
      "Without Spark's basic step the driver pod has no name, which Kubernetes refuses.",
      at,
      "spark.kubernetes.driver.pod.excludedFeatureSteps",
    ),

  foreignTemplate: (kind: string, at: At) =>
    warning(
      "W-13",
      `The pod template is of the kind "${kind}", not a Pod: Spark sends it all the same, and an API server refuses it.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  brokenPropertiesFile: (path: string) =>
    error("E-65", `In "${path}" a "\\u" lacks its four hexadecimal digits.`, {
      kind: "file",
      path,
    }),
  tokenOverHttp: (at: At) =>
    error(
      "E-67",
      'The token would cross the network in clear text, as the master is addressed over http. Write "https://" in the master, or take the token away.',
      at,
      "spark.master",
    ),
  emptyProxyUser: (at: At) => error("E-69", "The proxy user's name is empty.", at),
  noDriverName: (at: At) => error("E-66", "Say which driver: its name is empty.", at),

  unfilledVariable: (written: string, at: At) =>
    error(
      "E-84",
      `"${written}" has no value here. Open the file or folder that it stands for, or write it out.`,
      at,
    ),
  unknownVariable: (written: string, at: At) =>
    warning("W-82", `"${written}" is no variable of the editor and is sent as it stands.`, at),
  emptyVariable: (written: string) =>
    warning("W-83", `"${written}" is not set, which gives an empty text.`, undefined),
  noVersion: () =>
    error(
      "E-85",
      'The image\'s tag names no Spark version: add "sparkVersion" to the profile.',
      { kind: "member", path: ["image"] },
      "spark.kubernetes.container.image",
    ),

  keyIgnored: (key: string, at: At) =>
    warning("W-01", `"${key}" does not start with "spark." and is left out.`, at, key),
  plainHttp: (at: At) =>
    warning(
      "W-02",
      "The master is addressed over http: whoever listens can read and change all.",
      at,
      "spark.master",
    ),
  longServiceName: (name: string) =>
    warning(
      "W-03",
      `The driver's Service is named "${name}", as the application's name is too long for DNS.`,
      undefined,
    ),
  confFileNotUtf8: (path: string) =>
    warning("W-04", `"${path}" is not UTF-8 text and is left out.`, { kind: "file", path }),
  confFilesTooLarge: (names: readonly string[], maxSize: number) =>
    warning(
      "W-05",
      `Left out, as the conf files exceed ${maxSize} bytes: ${names.join(", ")}.`,
      undefined,
    ),
  containerNotInTemplate: (name: string, at: At) =>
    warning(
      "W-06",
      `The pod template has no single container "${name}"; its first one is taken.`,
      at,
      "spark.kubernetes.driver.podTemplateContainerName",
    ),
  serviceAccountIgnored: (at: At) =>
    warning(
      "W-07",
      "With credentials of its own the driver gets no service account.",
      at,
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
  claimOwnership: (claim: string, key: string, at: At) =>
    warning(
      "W-08",
      `The claim "${claim}" is created if it is not there, and then deleted together with the driver pod.`,
      at,
      key,
    ),
  environmentScript: (path: string) =>
    warning(
      "W-09",
      `spark-submit would run "${path}" first; only its plain assignments count here.`,
      { kind: "file", path },
    ),
  delegationTokens: () =>
    warning(
      "W-10",
      "Delegation tokens are not fetched. Use a keytab or a secret with tokens.",
      undefined,
    ),
  plainHttpTemplate: (uri: string, key: string, at: At) =>
    warning(
      "W-12",
      `The pod template "${uri}" comes over http: whoever is on the way can change what is run.`,
      at,
      key,
    ),
  inheritedDirectory: (name: string, path: string) =>
    warning("W-11", `The variable ${name} sends files of "${path}" along.`, {
      kind: "environment",
      name,
    }),
} as const;

function error(code: SubmissionCode, message: string, origin: At, key?: string): SubmissionFinding {
  return { code, severity: "error", message, key, origin };
}

function warning(
  code: SubmissionCode,
  message: string,
  origin: At,
  key?: string,
): SubmissionFinding {
  return { code, severity: "warning", message, key, origin };
}

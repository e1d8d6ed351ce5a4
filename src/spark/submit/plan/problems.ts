// The messages about a submission's input. Codes up to E-44 are errors of spark-submit itself; codes from
// E-50 on are this extension's.
import { binarySize } from "../../binarySize.ts";
import { maxConfigMapBytes } from "../code/delivery.ts";
import { totalSize, type SentFile } from "../code/sentCode.ts";
import type { FindingOrigin, SubmissionCode, SubmissionFinding } from "./submissionFinding.ts";

type At = FindingOrigin | undefined;

export const problems = {
  missingValue: (option: string, at: At) =>
    error("E-01", `The option "${option}" needs a value.`, at),
  unknownOption: (token: string, at: At) =>
    error("E-02", `"${token}" is not an option of this Spark version.`, at),
  badDeployMode: (mode: string, at: At) =>
    error("E-03", `Unknown deploy mode "${mode}". Use "client" or "cluster".`, at),
  confWithoutEquals: (text: string, at: At) =>
    error("E-04", `"--conf ${text}" lacks an "=" between key and value.`, at),
  remoteWithMaster: (at: At) =>
    error("E-05", "A remote address of Spark Connect excludes a master and a deploy mode.", at),
  missingPropertiesFile: (path: string, at: At) =>
    error("E-06", `The properties file "${path}" does not exist or is not a file.`, at),
  heapInJavaOptions: (key: string, at: At) =>
    error("E-07", `"${key}" sets the heap with -Xmx. Set "spark.driver.memory" instead.`, at, key),
  noResource: () =>
    error("E-08", "The main application resource (jar, .py or .R) is missing.", undefined),
  badMemory: (key: string, value: string, at: At) =>
    error("E-09", `"${value}" is not a positive size such as 512m or 4g.`, at, key),
  badCores: (key: string, value: string, at: At) =>
    error("E-10", `"${value}" is not a positive integer.`, at, key),
  badExecutorCount: (value: string, at: At) =>
    error(
      "E-11",
      `"${value}" is not a positive integer, and dynamic allocation is off.`,
      at,
      "spark.executor.instances",
    ),
  proxyUserWithPrincipal: (at: At) =>
    error("E-12", "Set either a proxy user or a Kerberos principal, not both.", at),
  killAndStatus: (at: At) => error("E-13", "Use either --kill or --status, not both.", at),
  badMaster: (master: string, at: At) =>
    error(
      "E-14",
      `"${master}" is not a Kubernetes master. Use "k8s://https://host:port".`,
      at,
      "spark.master",
    ),
  badDeployModeInConf: (mode: string, at: At) =>
    error(
      "E-15",
      `Unknown deploy mode "${mode}". Use "client" or "cluster".`,
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
      "The master must not have a query or a fragment. Remove the text after the ? or the #.",
      at,
      "spark.master",
    ),
  badMasterScheme: (scheme: string, at: At) =>
    error(
      "E-21",
      `Unknown scheme "${scheme}" of a Kubernetes master. Use "https" or "http".`,
      at,
      "spark.master",
    ),
  missingKeytab: (path: string, at: At) =>
    error(
      "E-22",
      `The keytab "${path}" does not exist. Use a plain path, not a URI.`,
      at,
      "spark.kerberos.keytab",
    ),
  ambiguousGlob: (glob: string, at: At, key: string) =>
    error(
      "E-23",
      `"${glob}" matches several files, so they cannot share the name after "#".`,
      at,
      key,
    ),
  noMainClass: (resource: string, at: At) =>
    error("E-24", `"${resource}" does not name a main class. Add "--class".`, at),
  noImage: () =>
    error(
      "E-25",
      'The driver has no image. Set "spark.kubernetes.container.image".',
      undefined,
      "spark.kubernetes.container.image",
    ),
  noUploadPath: (uri: string, at: At) =>
    error(
      "E-26",
      `"${uri}" is a local file, and "spark.kubernetes.file.upload.path" is not set. ` +
        'For a file inside the image, use "local:///path".',
      at,
      "spark.kubernetes.file.upload.path",
    ),
  cannotUpload: (path: string, reason: string, at: At) =>
    error("E-26b", `"${path}" cannot be uploaded: ${reason}.`, at),
  bindAddress: (at: At) =>
    error(
      "E-27",
      "On Kubernetes the driver always binds to the address of its pod. Remove this key.",
      at,
      "spark.driver.bindAddress",
    ),
  unknownFeatureStep: (name: string, at: At) =>
    error(
      "E-30",
      `The feature step "${name}" cannot be run: it is a JVM class, or it is missing in this Spark version.`,
      at,
      "spark.kubernetes.driver.pod.featureSteps",
    ),
  templateScheme: (uri: string, at: At) =>
    error(
      "E-31",
      `The pod template "${uri}" cannot be read. Use a local file or an https address.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  // Without the address, as a variable may have filled a secret into it.
  templateNotFetched: (reason: string, key: string, at: At) =>
    error("E-31", `The pod template of "${key}" was not fetched: ${reason}.`, at, key),
  badTemplate: (uri: string, reason: string, at: At) =>
    error(
      "E-32",
      `The pod template "${uri}" is invalid: ${reason}.`,
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
        : `The amount "${amount}" of "${name}" is not an integer.`,
      at,
      `spark.driver.resource.${name}.amount`,
    ),
  reservedLabel: (label: string, key: string, at: At) =>
    error("E-35", `The label "${label}" is reserved for Spark and cannot be set.`, at, key),
  missingCredentialFile: (key: string, path: string, at: At) =>
    error("E-36", `"${path}" does not exist or is not a file.`, at, key),
  badSecretKeyRef: (key: string, value: string, at: At) =>
    error("E-37", `"${value}" does not have the form "secret:key".`, at, key),
  twoHadoopConfs: (at: At) =>
    error(
      "E-38",
      'Set either the variable HADOOP_CONF_DIR or "spark.kubernetes.hadoop.configMapName", not both.',
      at,
      "spark.kubernetes.hadoop.configMapName",
    ),
  twoKrb5Confs: (at: At) =>
    error(
      "E-39a",
      "Set either a file or a ConfigMap for krb5.conf, not both.",
      at,
      "spark.kubernetes.kerberos.krb5.path",
    ),
  halfKerberosLogin: (at: At) =>
    error(
      "E-39b",
      "Set both a Kerberos keytab and a principal, or neither.",
      at,
      "spark.kerberos.keytab",
    ),
  halfTokenSecret: (at: At) =>
    error(
      "E-39c",
      "A Secret with delegation tokens needs both its name and its key.",
      at,
      "spark.kubernetes.kerberos.tokenSecret.name",
    ),
  unknownVolumeType: (type: string, key: string, at: At) =>
    error(
      "E-40",
      `Unknown volume type "${type}". Use hostPath, persistentVolumeClaim, emptyDir or nfs.`,
      at,
      key,
    ),
  missingVolumeKey: (key: string, at: At) => error("E-41", `The volume needs "${key}".`, at, key),
  twoSubPaths: (key: string, at: At) =>
    error("E-42", "Set either subPath or subPathExpr of a volume, not both.", at, key),
  sizeWithoutUnit: (value: string, key: string, at: At) =>
    error("E-43", `The size "${value}" is below 1 KiB. Is its unit missing?`, at, key),
  twoVolumesOnOnePath: (path: string, key: string, at: At) =>
    error("E-44", `Two volumes are mounted at "${path}".`, at, key),

  badValue: (key: string, value: string, expected: string, at: At) =>
    error("E-50", `"${value}" is not ${expected}.`, at, key),
  clusterModeRequired: (at: At) =>
    error("E-51", 'Only cluster mode is supported. Add "--deploy-mode cluster".', at),
  badUri: (text: string, at: At, key: string) =>
    error(
      "E-52",
      `"${text}" is not a valid file URI. Check for a space before it, a drive letter, or a scheme without a path.`,
      at,
      key,
    ),
  missingFile: (key: string, path: string, at: At) =>
    error("E-53", `"${path}" does not exist or is not a file.`, at, key),
  binaryHadoopConf: (path: string) =>
    error("E-54", `"${path}" is not UTF-8 text, as files of the Hadoop configuration must be.`, {
      kind: "environment",
      name: "HADOOP_CONF_DIR",
    }),
  noKerberosRealm: () =>
    error("E-55", "The Hadoop configuration enables Kerberos, but this machine has no krb5.conf.", {
      kind: "environment",
      name: "HADOOP_CONF_DIR",
    }),
  tokenTwice: (key: string, at: At) =>
    error("E-56", "Set either a token or a token file, not both.", at, key),
  rNeedsFiles: (uri: string, at: At) =>
    error("E-57", `An R application supports only local jars, not "${uri}".`, at, "spark.jars"),
  noNamespaceToSearch: (at: At) =>
    error("E-58", 'The namespace is missing. Use "namespace:driver-pod-name".', at),
  unknownSparkVersion: (version: string) =>
    error("E-59", `Unknown Spark version "${version}".`, undefined),
  notASubmission: () =>
    error("E-60", "The command line does not submit an application.", undefined),
  badPackage: (text: string, at: At) =>
    error(
      "E-61",
      `"${text}" does not have the form "group:artifact:version".`,
      at,
      "spark.jars.packages",
    ),
  unnamedPod: (at: At) =>
    error(
      "E-62",
      "Without Spark's basic feature step the driver pod has no name, so Kubernetes rejects it.",
      at,
      "spark.kubernetes.driver.pod.excludedFeatureSteps",
    ),

  foreignTemplate: (kind: string, at: At) =>
    warning(
      "W-13",
      `The pod template has the kind "${kind}", not "Pod". Spark sends it unchanged, and the API server rejects it.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  brokenPropertiesFile: (path: string) =>
    error("E-65", `"${path}" has a "\\u" without four hexadecimal digits.`, {
      kind: "file",
      path,
    }),
  tokenOverHttp: (at: At) =>
    error(
      "E-67",
      'The token would be sent unencrypted, as the master uses http. Use "https://" in the master, or remove the token.',
      at,
      "spark.master",
    ),
  emptyProxyUser: (at: At) => error("E-69", "The proxy user's name is empty.", at),
  noDriverName: (at: At) =>
    error("E-66", "The driver's name is empty. Enter the name of a driver pod.", at),

  unfilledVariable: (written: string, at: At) =>
    error(
      "E-84",
      `"${written}" has no value. Open the file or folder that it refers to, or enter the value itself.`,
      at,
    ),
  unknownVariable: (written: string, at: At) =>
    warning("W-82", `"${written}" is not a variable of VS Code and is sent unchanged.`, at),
  commandVariable: (written: string, at: At) =>
    warning(
      "W-84",
      `"${written}" runs a command, so it is resolved only by a submission. It is shown unresolved.`,
      at,
    ),
  emptyVariable: (written: string) =>
    warning("W-83", `"${written}" is not set and becomes an empty text.`, undefined),
  noVersion: () =>
    error(
      "E-85",
      'The image tag has no Spark version. Add "sparkVersion" to the profile.',
      { kind: "member", path: ["image"] },
      "spark.kubernetes.container.image",
    ),

  keyIgnored: (key: string, at: At) =>
    warning("W-01", `"${key}" does not start with "spark." and is ignored.`, at, key),
  plainHttp: (at: At) =>
    warning(
      "W-02",
      "The master uses http, so others on the network can read and change all requests.",
      at,
      "spark.master",
    ),
  longServiceName: (name: string) =>
    warning(
      "W-03",
      `The application name is too long for DNS, so the driver's Service is named "${name}".`,
      undefined,
    ),
  confFileNotUtf8: (path: string) =>
    warning("W-04", `"${path}" is not UTF-8 text and is not sent.`, { kind: "file", path }),
  confFilesTooLarge: (names: readonly string[], maxSize: number) =>
    warning(
      "W-05",
      `The conf files exceed ${maxSize} bytes. Not sent: ${names.join(", ")}.`,
      undefined,
    ),
  codeTooLarge: (files: readonly Pick<SentFile, "name" | "size">[]) => {
    const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 3);
    const named = largest.map(({ name, size }) => `${name} (${binarySize(size)})`).join(", ");
    return error(
      "E-70",
      `The files are too large for a ConfigMap: ${binarySize(totalSize(files))} of at most ` +
        `${binarySize(maxConfigMapBytes)}. The largest are ${named}. Set "delivery" to "stream", or exclude files.`,
      { kind: "member", path: ["delivery"] },
    );
  },
  cannotSend: (path: string, detail: string) =>
    error("E-71", `Cannot send "${path}": ${detail.replace(/\.$/, "")}.`, {
      kind: "member",
      path: ["application"],
    }),
  notBuilt: (path: string, detail: string) =>
    error("E-74", `Cannot run "${path}": ${detail}`, { kind: "member", path: ["application"] }),
  sparkInDependencies: () =>
    warning(
      "W-17",
      "The dependencies of the build contain Spark itself, so no dependencies are sent. Mark Spark as provided.",
      { kind: "member", path: ["application"] },
    ),
  secretsLeftOut: (paths: readonly string[]) =>
    warning(
      "W-14",
      `Not sent, because the names look like those of secrets: ${firstOf(paths)}. To send a file, list it in "files".`,
      { kind: "member", path: ["include"] },
    ),
  noDebugger: () =>
    error(
      "E-71",
      "The Python debugger is not available. Install the Python Debugger extension, or allow the download.",
      undefined,
    ),
  cannotDebugR: () => error("E-72", "R applications cannot be debugged.", undefined),
  clashesWithDebugging: (key: string, value: string, at: At) =>
    error("E-73", `"${key}" is "${value}", but debugging needs its own value.`, at, key),
  keptWhileDebugging: (key: string, value: string, better: string, at: At) =>
    warning("W-15", `"${key}" stays "${value}". Debugging works best with "${better}".`, at, key),
  containerNotInTemplate: (name: string, at: At) =>
    warning(
      "W-06",
      `The pod template does not have exactly one container "${name}". Its first container is used.`,
      at,
      "spark.kubernetes.driver.podTemplateContainerName",
    ),
  serviceAccountIgnored: (at: At) =>
    warning(
      "W-07",
      "The driver has credentials of its own, so its service account is ignored.",
      at,
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
  claimOwnership: (claim: string, key: string, at: At) =>
    warning(
      "W-08",
      `The claim "${claim}" is created if it does not exist, and is then deleted with the driver pod.`,
      at,
      key,
    ),
  environmentScript: (path: string) =>
    warning(
      "W-09",
      `spark-submit runs "${path}" first. Here only its plain assignments are used.`,
      { kind: "file", path },
    ),
  delegationTokens: () =>
    warning(
      "W-10",
      "Delegation tokens are not fetched. Use a keytab or a Secret with tokens.",
      undefined,
    ),
  plainHttpTemplate: (key: string, at: At) =>
    warning(
      "W-12",
      `The pod template of "${key}" uses http, so others on the network can change it.`,
      at,
      key,
    ),
  inheritedDirectory: (name: string, path: string) =>
    warning("W-11", `The variable ${name} adds files of "${path}" to the submission.`, {
      kind: "environment",
      name,
    }),
} as const;

const firstOf = (paths: readonly string[]): string =>
  paths.length > 3
    ? `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`
    : paths.join(", ");

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

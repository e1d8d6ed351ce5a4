// Messages about the input of a submission. spark-submit itself reports the errors up to code E-44; this extension
// adds those from E-50 on.
import { msg, type Message } from "../../../base/message.ts";
import { binarySize } from "../../binarySize.ts";
import { maxConfigMapBytes } from "../code/chooseDelivery.ts";
import { totalSize, type SentFile } from "../code/sentCode.ts";
import type { FindingOrigin, SubmissionCode, SubmissionFinding } from "./submissionFinding.ts";

type At = FindingOrigin | undefined;

export const problems = {
  missingValue: (option: string, at: At) =>
    error("E-01", msg`The option "${option}" needs a value.`, at),
  unknownOption: (token: string, at: At) =>
    error("E-02", msg`"${token}" is not an option of this Spark version.`, at),
  badDeployMode: (mode: string, at: At) =>
    error("E-03", msg`Unknown deploy mode "${mode}". Use "client" or "cluster".`, at),
  confWithoutEquals: (text: string, at: At) =>
    error("E-04", msg`"--conf ${text}" lacks an "=" between key and value.`, at),
  remoteWithMaster: (at: At) =>
    error(
      "E-05",
      msg("A Spark Connect address cannot be combined with a master or a deploy mode."),
      at,
    ),
  missingPropertiesFile: (path: string, at: At) =>
    error("E-06", msg`The properties file "${path}" does not exist or is not a file.`, at),
  heapInJavaOptions: (key: string, at: At) =>
    error(
      "E-07",
      msg`"${key}" sets the heap with -Xmx. Set "spark.driver.memory" instead.`,
      at,
      key,
    ),
  noResource: () =>
    error("E-08", msg("The main application resource (jar, .py or .R) is missing."), undefined),
  badMemory: (key: string, value: string, at: At) =>
    error("E-09", msg`"${value}" is not a positive size such as 512m or 4g.`, at, key),
  badCores: (key: string, value: string, at: At) =>
    error("E-10", msg`"${value}" is not a positive integer.`, at, key),
  badExecutorCount: (value: string, at: At) =>
    error(
      "E-11",
      msg`"${value}" is not a positive integer, and dynamic allocation is disabled.`,
      at,
      "spark.executor.instances",
    ),
  proxyUserWithPrincipal: (at: At) =>
    error("E-12", msg("Set either a proxy user or a Kerberos principal, not both."), at),
  killAndStatus: (at: At) => error("E-13", msg("Use either --kill or --status, not both."), at),
  badMaster: (master: string, at: At) =>
    error(
      "E-14",
      msg`"${master}" is not a Kubernetes master. Use "k8s://https://host:port".`,
      at,
      "spark.master",
    ),
  badDeployModeInConf: (mode: string, at: At) =>
    error(
      "E-15",
      msg`Unknown deploy mode "${mode}". Use "client" or "cluster".`,
      at,
      "spark.submit.deployMode",
    ),
  localMaster: (at: At) =>
    error(
      "E-16",
      msg("A local master cannot run an application in cluster mode."),
      at,
      "spark.master",
    ),
  shellInCluster: (shell: string, at: At) =>
    error("E-17", msg`"${shell}" is a shell and cannot run in cluster mode.`, at),
  sqlCliInCluster: (at: At) =>
    error("E-18", msg("The SQL command line cannot run in cluster mode."), at),
  thriftServerInCluster: (at: At) =>
    error("E-19", msg("The Thrift server cannot run in cluster mode."), at),
  connectServerInCluster: (at: At) =>
    error("E-20", msg("The Spark Connect server cannot run in cluster mode on Kubernetes."), at),
  masterWithQuery: (at: At) =>
    error(
      "E-68",
      msg("The master must not have a query or a fragment. Remove the text after the ? or the #."),
      at,
      "spark.master",
    ),
  badMasterScheme: (scheme: string, at: At) =>
    error(
      "E-21",
      msg`Unknown scheme "${scheme}" of a Kubernetes master. Use "https" or "http".`,
      at,
      "spark.master",
    ),
  missingKeytab: (path: string, at: At) =>
    error(
      "E-22",
      msg`The keytab "${path}" does not exist. Use a plain path, not a URI.`,
      at,
      "spark.kerberos.keytab",
    ),
  ambiguousGlob: (glob: string, at: At, key: string) =>
    error(
      "E-23",
      msg`"${glob}" matches several files, so they cannot share the name after "#".`,
      at,
      key,
    ),
  noMainClass: (resource: string, at: At) =>
    error("E-24", msg`The main class of "${resource}" is unknown. Add "--class".`, at),
  noImage: () =>
    error(
      "E-25",
      msg('The driver has no image. Set "spark.kubernetes.container.image".'),
      undefined,
      "spark.kubernetes.container.image",
    ),
  noUploadPath: (uri: string, at: At) =>
    error(
      "E-26",
      msg`"${uri}" is a local file, and "spark.kubernetes.file.upload.path" is not set. For a file inside the image, use "local:///path".`,
      at,
      "spark.kubernetes.file.upload.path",
    ),
  cannotUpload: (path: string, reason: Message, at: At) =>
    error("E-26b", msg`"${path}" cannot be uploaded: ${reason}.`, at),
  bindAddress: (at: At) =>
    error(
      "E-27",
      msg("On Kubernetes the driver always binds to the address of its pod. Remove this key."),
      at,
      "spark.driver.bindAddress",
    ),
  samePort: (port: number, key: string, at: At) =>
    error(
      "E-28",
      msg`Two servers of the driver use the port ${port}. Change the port of "${key}" or of the other one.`,
      at,
      key,
    ),
  unknownFeatureStep: (name: string, at: At) =>
    error(
      "E-30",
      msg`The feature step "${name}" cannot be run: it is a JVM class, or it is missing in this Spark version.`,
      at,
      "spark.kubernetes.driver.pod.featureSteps",
    ),
  templateScheme: (uri: string, at: At) =>
    error(
      "E-31",
      msg`The pod template "${uri}" cannot be read. Use a local file or an https address.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  // Omits the template's address, which may contain a secret from a variable.
  templateNotFetched: (reason: Message, key: string, at: At) =>
    error("E-29", msg`The pod template of "${key}" was not fetched: ${reason}.`, at, key),
  badTemplate: (uri: string, reason: Message, at: At) =>
    error(
      "E-32",
      msg`The pod template "${uri}" is invalid: ${reason}.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  resourceWithoutVendor: (name: string, at: At) =>
    error(
      "E-33",
      msg`The resource "${name}" needs a vendor, such as "nvidia.com".`,
      at,
      `spark.driver.resource.${name}.vendor`,
    ),
  badResourceAmount: (name: string, amount: string | undefined, at: At) =>
    error(
      "E-34",
      amount === undefined
        ? msg`The resource "${name}" needs an amount.`
        : msg`The amount "${amount}" of "${name}" is not an integer.`,
      at,
      `spark.driver.resource.${name}.amount`,
    ),
  reservedLabel: (label: string, key: string, at: At) =>
    error("E-35", msg`The label "${label}" is reserved for Spark and cannot be set.`, at, key),
  missingCredentialFile: (key: string, path: string, at: At) =>
    error("E-36", msg`"${path}" does not exist or is not a file.`, at, key),
  badSecretKeyRef: (key: string, value: string, at: At) =>
    error("E-37", msg`"${value}" does not have the form "secret:key".`, at, key),
  twoHadoopConfs: (at: At) =>
    error(
      "E-38",
      msg(
        'Set either the variable HADOOP_CONF_DIR or "spark.kubernetes.hadoop.configMapName", not both.',
      ),
      at,
      "spark.kubernetes.hadoop.configMapName",
    ),
  twoKrb5Confs: (at: At) =>
    error(
      "E-39a",
      msg("Set either a file or a ConfigMap for krb5.conf, not both."),
      at,
      "spark.kubernetes.kerberos.krb5.path",
    ),
  halfKerberosLogin: (at: At) =>
    error(
      "E-39b",
      msg("Set both a Kerberos keytab and a principal, or neither."),
      at,
      "spark.kerberos.keytab",
    ),
  halfTokenSecret: (at: At) =>
    error(
      "E-39c",
      msg("A Secret with delegation tokens needs both its name and its key."),
      at,
      "spark.kubernetes.kerberos.tokenSecret.name",
    ),
  unknownVolumeType: (type: string, key: string, at: At) =>
    error(
      "E-40",
      msg`Unknown volume type "${type}". Use hostPath, persistentVolumeClaim, emptyDir or nfs.`,
      at,
      key,
    ),
  missingVolumeKey: (key: string, at: At) =>
    error("E-41", msg`The volume needs "${key}".`, at, key),
  twoSubPaths: (key: string, at: At) =>
    error("E-42", msg("Set either subPath or subPathExpr of a volume, not both."), at, key),
  sizeWithoutUnit: (value: string, key: string, at: At) =>
    error("E-43", msg`The size "${value}" is below 1 KiB. Is its unit missing?`, at, key),
  twoVolumesOnOnePath: (path: string, key: string, at: At) =>
    error("E-44", msg`Two volumes are mounted at "${path}".`, at, key),

  badValue: (key: string, value: string, expected: Message, at: At) =>
    error("E-50", msg`"${value}" is not ${expected}.`, at, key),
  clusterModeRequired: (at: At) =>
    error("E-51", msg('Only cluster mode is supported. Add "--deploy-mode cluster".'), at),
  badUri: (text: string, at: At, key: string) =>
    error(
      "E-52",
      msg`"${text}" is not a valid file URI. Check for a space before it, a drive letter, or a scheme without a path.`,
      at,
      key,
    ),
  missingFile: (key: string, path: string, at: At) =>
    error("E-53", msg`"${path}" does not exist or is not a file.`, at, key),
  binaryHadoopConf: (path: string) =>
    error(
      "E-54",
      msg`"${path}" is not UTF-8 text, but files of the Hadoop configuration must be.`,
      {
        kind: "environment",
        name: "HADOOP_CONF_DIR",
      },
    ),
  noKerberosRealm: () =>
    error(
      "E-55",
      msg("The Hadoop configuration enables Kerberos, but this machine has no krb5.conf."),
      {
        kind: "environment",
        name: "HADOOP_CONF_DIR",
      },
    ),
  tokenTwice: (key: string, at: At) =>
    error("E-56", msg("Set either a token or a token file, not both."), at, key),
  rNeedsFiles: (uri: string, at: At) =>
    error("E-57", msg`An R application supports only local jars, not "${uri}".`, at, "spark.jars"),
  unknownSparkVersion: (version: string) =>
    error("E-59", msg`Unknown Spark version "${version}".`, undefined),
  notASubmission: () =>
    error("E-60", msg("The command line does not submit an application."), undefined),
  badPackage: (text: string, at: At) =>
    error(
      "E-61",
      msg`"${text}" does not have the form "group:artifact:version".`,
      at,
      "spark.jars.packages",
    ),
  unnamedPod: (at: At) =>
    error(
      "E-62",
      msg(
        "Without Spark's basic feature step the driver pod has no name, so Kubernetes rejects it.",
      ),
      at,
      "spark.kubernetes.driver.pod.excludedFeatureSteps",
    ),

  foreignTemplate: (kind: string, at: At) =>
    warning(
      "W-13",
      msg`The pod template has the kind "${kind}", not "Pod". Spark sends it unchanged, and the API server rejects it.`,
      at,
      "spark.kubernetes.driver.podTemplateFile",
    ),
  brokenPropertiesFile: (path: string) =>
    error("E-65", msg`"${path}" has a "\\u" without four hexadecimal digits.`, {
      kind: "file",
      path,
    }),
  tokenOverHttp: (at: At) =>
    error(
      "E-67",
      msg(
        'The token would be sent unencrypted because the master uses http. Use "https://" in the master, or remove the token.',
      ),
      at,
      "spark.master",
    ),
  emptyProxyUser: (at: At) => error("E-69", msg("The proxy user's name is empty."), at),
  noDriverName: (at: At) =>
    error("E-66", msg("The driver's name is empty. Enter the name of a driver pod."), at),

  unfilledVariable: (written: string, at: At) =>
    error(
      "E-84",
      msg`"${written}" has no value. Open the file or folder that it refers to, or enter the value itself.`,
      at,
    ),
  unknownVariable: (written: string, at: At) =>
    warning("W-82", msg`"${written}" is not a variable of VS Code and is sent unchanged.`, at),
  commandVariable: (written: string, at: At) =>
    warning(
      "W-84",
      msg`"${written}" runs a command, so it is resolved only when you submit. It is shown unresolved here.`,
      at,
    ),
  emptyVariable: (written: string) =>
    warning("W-83", msg`"${written}" is not set and becomes an empty string.`, undefined),
  noVersion: () =>
    error(
      "E-85",
      msg('The image tag has no Spark version. Add "sparkVersion" to the profile.'),
      { kind: "member", path: ["image"] },
      "spark.kubernetes.container.image",
    ),

  keyIgnored: (key: string, at: At) =>
    warning("W-01", msg`"${key}" does not start with "spark." and is ignored.`, at, key),
  plainHttp: (at: At) =>
    warning(
      "W-02",
      msg("The master uses http, so others on the network can read and change all requests."),
      at,
      "spark.master",
    ),
  longServiceName: (name: string) =>
    warning(
      "W-03",
      msg`The application name is too long for DNS, so the driver's Service is named "${name}".`,
      undefined,
    ),
  confFileNotUtf8: (path: string) =>
    warning("W-04", msg`"${path}" is not UTF-8 text and is not sent.`, { kind: "file", path }),
  confFilesTooLarge: (names: readonly string[], maxSize: number) =>
    warning(
      "W-05",
      msg`The conf files exceed ${maxSize} bytes. Not sent: ${names.join(", ")}.`,
      undefined,
    ),
  codeTooLarge: (files: readonly Pick<SentFile, "name" | "size">[]) => {
    const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 3);
    const named = largest.map(({ name, size }) => `${name} (${binarySize(size)})`).join(", ");
    return error(
      "E-70",
      msg`The files are too large for a ConfigMap: ${binarySize(totalSize(files))} of at most ${binarySize(maxConfigMapBytes)}. The largest are ${named}. Set "delivery" to "stream", or exclude files.`,
      { kind: "member", path: ["delivery"] },
    );
  },
  cannotSend: (path: string, detail: Message) =>
    error("E-71", msg`Cannot send "${path}": ${detail}.`, {
      kind: "member",
      path: ["application"],
    }),
  notBuilt: (path: string, detail: Message) =>
    error("E-74", msg`Cannot run "${path}": ${detail}`, { kind: "member", path: ["application"] }),
  secretsLeftOut: (paths: readonly string[]) =>
    warning(
      "W-14",
      msg`Not sent, because the names look like those of secrets: ${firstOf(paths)}. To send a file, list it in "files".`,
      { kind: "member", path: ["include"] },
    ),
  noDebugger: () =>
    error(
      "E-75",
      msg(
        "The Python debugger is not available. Install the Python Debugger extension, or allow the download.",
      ),
      undefined,
    ),
  cannotDebugR: () => error("E-72", msg("R applications cannot be debugged."), undefined),
  clashesWithDebugging: (key: string, value: string, at: At) =>
    error("E-73", msg`"${key}" is "${value}", but debugging requires another value.`, at, key),
  keptWhileDebugging: (key: string, value: string, better: string, at: At) =>
    warning(
      "W-15",
      msg`"${key}" keeps the value "${value}". Debugging works best with "${better}".`,
      at,
      key,
    ),
  containerNotInTemplate: (name: string, at: At) =>
    warning(
      "W-06",
      msg`The pod template does not have exactly one container "${name}". Its first container is used.`,
      at,
      "spark.kubernetes.driver.podTemplateContainerName",
    ),
  serviceAccountIgnored: (at: At) =>
    warning(
      "W-07",
      msg("The driver has separate credentials, so its service account is ignored."),
      at,
      "spark.kubernetes.authenticate.driver.serviceAccountName",
    ),
  claimOwnership: (claim: string, key: string, at: At) =>
    warning(
      "W-08",
      msg`The claim "${claim}" is created if it does not exist, and is then deleted with the driver pod.`,
      at,
      key,
    ),
  environmentScript: (path: string) =>
    warning(
      "W-09",
      msg`spark-submit runs "${path}" first. This extension uses only its plain assignments.`,
      { kind: "file", path },
    ),
  delegationTokens: () =>
    warning(
      "W-10",
      msg("Delegation tokens are not fetched. Use a keytab or a Secret with tokens."),
      undefined,
    ),
  plainHttpTemplate: (key: string, at: At) =>
    warning(
      "W-12",
      msg`The pod template of "${key}" uses http, so others on the network can change it.`,
      at,
      key,
    ),
  inheritedDirectory: (name: string, path: string) =>
    warning("W-11", msg`The variable ${name} adds files of "${path}" to the submission.`, {
      kind: "environment",
      name,
    }),
} as const;

const firstOf = (paths: readonly string[]): string | Message =>
  paths.length > 3
    ? msg`${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`
    : paths.join(", ");

function error(
  code: SubmissionCode,
  message: Message,
  origin: At,
  key?: string,
): SubmissionFinding {
  return { code, severity: "error", message, key, origin };
}

function warning(
  code: SubmissionCode,
  message: Message,
  origin: At,
  key?: string,
): SubmissionFinding {
  return { code, severity: "warning", message, key, origin };
}

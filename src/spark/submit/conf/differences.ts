/** A deliberate difference between this extension and spark-submit. */
interface SparkSubmitDifference {
  readonly id: string;
  readonly sparkSubmit: string;
  readonly here: string;
  readonly reason: string;
}

export const differences = [
  {
    id: "clientMode",
    sparkSubmit: "runs the application on this machine without `--deploy-mode cluster`",
    here: "reports an error with the missing option",
    reason: "client mode is not supported, and a missing option is the most common mistake",
  },
  {
    id: "masterQuery",
    sparkSubmit:
      "adds a query in the master to all requests, and drops their paths if it has a fragment",
    here: "refuses both",
    reason: "no API server has such an address, and a partial submission would remain",
  },
  {
    id: "lateSettings",
    sparkSubmit:
      "reads the wait and report keys after it has created all objects, and leaves the objects behind if a value is invalid",
    here: "checks both before the first request",
    reason: "a submission that fails should leave nothing behind",
  },
  {
    id: "templateList",
    sparkSubmit: "3.3 lists all pods if a template is a list",
    here: "refuses without a request",
    reason: "the request is a side effect of its client library",
  },
  {
    id: "unnamedPod",
    sparkSubmit: "sends a pod without a name if the basic feature step is excluded",
    here: "refuses",
    reason: "the API server rejects it",
  },
  {
    id: "undoByUid",
    sparkSubmit: "undoes by name",
    here: "deletes an object with a user-defined name only if its uid is unchanged",
    reason: "another object may have the name meanwhile",
  },
  {
    id: "uncertainPod",
    sparkSubmit: "leaves a pod behind if the response to its creation is lost",
    here: "reads the pod, and deletes it if it belongs to this submission",
    reason: "a submission that fails should leave nothing behind",
  },
  {
    id: "userClaims",
    sparkSubmit:
      "takes ownership of an existing claim with a storage class and a size, so deleting the driver deletes the user's files",
    here: "creates the claim only if it does not exist, and never changes an existing one",
    reason: "files would be lost",
  },
  {
    id: "namespacelessKill",
    sparkSubmit: "3.3 to 3.5 send a request without a namespace, which finds nothing",
    here: "refuses and asks for the namespace",
    reason: "the failure would look like success",
  },
  {
    id: "remoteFiles",
    sparkSubmit: "fails if it cannot read a remote file, because a class or a server is missing",
    here: "leaves remote files to the driver, which fetches them anyway",
    reason: "there is no Hadoop client here, and the driver has one",
  },
  {
    id: "uploadsAfterChecks",
    sparkSubmit: "uploads files until one is missing",
    here: "uploads only if all files exist",
    reason: "unused uploads are never deleted",
  },
  {
    id: "unresolvedPackages",
    sparkSubmit: "resolves packages first, and fails if this machine cannot download one",
    here: "passes them to the driver, which resolves them anyway",
    reason: "only the driver's network matters",
  },
  {
    id: "clearTextKill",
    sparkSubmit:
      "falls back to http for kill and status if a master without a scheme does not support TLS",
    here: "uses only https",
    reason: "the credentials would be sent unencrypted",
  },
  {
    id: "caFileOverHttp",
    sparkSubmit: "3.3 fails on an invalid certificate file even without TLS",
    here: "ignores the file for http",
    reason: "later versions do the same",
  },
  {
    id: "tokenWithNewline",
    sparkSubmit: "sends a token file's text untrimmed, and fails on a trailing newline",
    here: "trims the text",
    reason: "nearly every editor ends a file with a newline",
  },
  {
    id: "statusWithoutLabels",
    sparkSubmit: "3.3 crashes on a pod without labels",
    here: "reports it like the later versions",
    reason: "a crash has no useful message",
  },
  {
    id: "invalidNames",
    sparkSubmit: "inserts names such as `a/b` and `a?b` into request paths without escaping them",
    here: "reports an error before the request",
    reason: "such a path addresses another resource",
  },
  {
    id: "retried",
    sparkSubmit: "some versions give up after a 429 response or a broken connection",
    here: "retries for all versions",
    reason: "names are unique, so a retry cannot create a second object",
  },
  {
    id: "errorEvent",
    sparkSubmit: "3.3 treats a watch error as the end of the application",
    here: "continues to watch",
    reason: "the application is still running, and later versions do the same",
  },
  {
    id: "plainHttpCredentials",
    sparkSubmit: "sends credentials also over http",
    here: "sends no credentials over http",
    reason: "others on the network could read them",
  },
  {
    id: "tokenOverHttp",
    sparkSubmit: "sends a token of the conf or the environment also over http",
    here: "refuses before the first request",
    reason:
      "others on the network could read it, and a request without it would have another identity",
  },
  {
    id: "foreignServer",
    sparkSubmit: "sends the credentials of the kubeconfig's context to any server in the master",
    here: "uses the context with this server; without one, sends credentials only with the consent of the user",
    reason: "a copied command line could steal the credentials of a cluster",
  },
  {
    id: "confBeforeKubeconfig",
    sparkSubmit:
      "prefers certificates in the kubeconfig to files of the conf, and sends the context's client certificate together with a token of the conf",
    here: "prefers the conf's files, and sends no certificate of the context with a token of the conf",
    reason: "the submission would have another identity than requested",
  },
  {
    id: "skippedVerification",
    sparkSubmit: "ignores `insecure-skip-tls-verify` of a kubeconfig's cluster",
    here: "respects it for the server of that cluster, as kubectl does",
    reason: "the user has set it, and the error message does not mention the setting",
  },
  {
    id: "askedKill",
    sparkSubmit: "kills all drivers with the name or the prefix immediately",
    here: "lists the drivers, asks, and deletes only the listed ones",
    reason: "a pattern may match more than intended, and a deleted application cannot be restored",
  },
  {
    id: "tokenFile",
    sparkSubmit: "ignores the `tokenFile` of a kubeconfig's user",
    here: "uses it, as kubectl does",
    reason: "the missing credentials look like missing permissions",
  },
  {
    id: "kubeconfigFiles",
    sparkSubmit: "3.3 to 3.5 read only the first file of KUBECONFIG",
    here: "merges all of them, as kubectl does",
    reason: "the missing credentials look like missing permissions",
  },
  {
    id: "execPlugins",
    sparkSubmit:
      "3.3 and 3.4 do not run credential plug-ins of the form `client.authentication.k8s.io/v1`",
    here: "runs them in trusted workspaces",
    reason: "the missing credentials look like missing permissions",
  },
  {
    id: "brokenKubeconfig",
    sparkSubmit:
      "continues without credentials if the kubeconfig has no such user; 3.3 also if the kubeconfig is unreadable",
    here: "reports an error",
    reason: "the missing credentials look like missing permissions",
  },
  {
    id: "unknownContext",
    sparkSubmit:
      "continues with the current context's credentials, or none, if the context does not exist",
    here: "reports an error",
    reason: "the submission would have another identity",
  },
  {
    id: "environmentScript",
    sparkSubmit: "runs `spark-env.sh` of the conf directory",
    here: "reads its plain assignments, and runs nothing",
    reason: "a file in a folder is no permission to execute it",
  },
] as const satisfies readonly SparkSubmitDifference[];

export type DifferenceId = (typeof differences)[number]["id"];

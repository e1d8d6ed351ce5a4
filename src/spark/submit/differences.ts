/** Where a submission from here does on purpose something else than spark-submit does. */
export interface Difference {
  readonly id: string;
  readonly sparkSubmit: string;
  readonly here: string;
  readonly reason: string;
}

export const differences = [
  {
    id: "clientMode",
    sparkSubmit: "without `--deploy-mode cluster` runs the application on this machine",
    here: "refuses and says what to add",
    reason: "nothing here can run it, and the default is the most common mistake",
  },
  {
    id: "masterQuery",
    sparkSubmit:
      "adds a query of the master to all requests, and with a fragment sends all to the root",
    here: "refuses both",
    reason: "no API server has such an address, and what is created would be half of it at best",
  },
  {
    id: "lateSettings",
    sparkSubmit:
      "reads whether to wait, and how often to report, only after it has created everything, and leaves it all behind when a value is bad",
    here: "checks both before the first request",
    reason: "a submission that fails should leave nothing behind",
  },
  {
    id: "templateList",
    sparkSubmit: "3.3 asks the server for all pods when a template is a list",
    here: "refuses without a request",
    reason: "the request is an accident of its client library",
  },
  {
    id: "unnamedPod",
    sparkSubmit: "without its basic step sends a pod without a name",
    here: "refuses",
    reason: "the API server can only refuse it",
  },
  {
    id: "undoByUid",
    sparkSubmit: "undoes by name alone",
    here: "deletes an object whose name the user chose only if it has the uid it saw",
    reason: "another object may have taken the name in between",
  },
  {
    id: "uncertainPod",
    sparkSubmit: "leaves a pod behind whose creation the server carried out but did not confirm",
    here: "looks whether the pod is there and its own, and deletes it then",
    reason: "a submission that fails should leave nothing behind",
  },
  {
    id: "userClaims",
    sparkSubmit:
      "takes over a volume claim that the user names, if it has a storage class and a size: deleting the driver then deletes the user's files",
    here: "creates the claim only if there is none of the name, and never changes one that is there",
    reason: "somebody's files are lost otherwise",
  },
  {
    id: "namespacelessKill",
    sparkSubmit: "3.3 to 3.5 send a request without a namespace, which finds nothing",
    here: "refuses and asks for the namespace",
    reason: "it looks like success and is none",
  },
  {
    id: "remoteFiles",
    sparkSubmit: "fails when it cannot look at a remote file, for want of a class or of a server",
    here: "leaves remote files to the driver, which fetches them anyway",
    reason: "no Hadoop file system is at hand, and the driver has one",
  },
  {
    id: "uploadsAfterChecks",
    sparkSubmit: "copies file after file until one is missing",
    here: "copies nothing unless all are there",
    reason: "copies that nobody uses are never deleted",
  },
  {
    id: "unresolvedPackages",
    sparkSubmit:
      "resolves packages itself first and fails when one is not to be had from this machine",
    here: "passes them on to the driver, which resolves them anyway",
    reason: "only the driver's network counts in the end",
  },
  {
    id: "clearTextKill",
    sparkSubmit: "kills and asks over plain http when a master without a scheme does not speak TLS",
    here: "uses https and nothing else",
    reason: "the credentials would cross the network in clear text",
  },
  {
    id: "caFileOverHttp",
    sparkSubmit: "3.3 fails on a bad certificate file even where there is no TLS",
    here: "does not look at it for http",
    reason: "later versions do the same",
  },
  {
    id: "tokenWithNewline",
    sparkSubmit: "sends a token file's text as it is, which a final newline makes unsendable",
    here: "trims it",
    reason: "nearly every editor ends a file with a newline",
  },
  {
    id: "statusWithoutLabels",
    sparkSubmit: "3.3 crashes on a pod without labels",
    here: "reports it like the later versions",
    reason: "a crash tells nothing",
  },
  {
    id: "invalidNames",
    sparkSubmit:
      "puts names into the path of a request that do not stay one part of it, such as `a/b` and `a?b`",
    here: "refuses them before the request",
    reason: "such a path means something else",
  },
  {
    id: "retried",
    sparkSubmit:
      "some versions give up when the server asks to wait, or when the connection breaks",
    here: "sends the request again with every version",
    reason: "names are fresh, so a second try cannot make a second object",
  },
  {
    id: "errorEvent",
    sparkSubmit: "3.3 takes an error of the watch for the end of the application",
    here: "watches on",
    reason: "the application runs on, and later versions do the same",
  },
  {
    id: "plainHttpCredentials",
    sparkSubmit: "sends credentials over http as well",
    here: "sends none there",
    reason: "whoever listens could use them",
  },
  {
    id: "tokenOverHttp",
    sparkSubmit: "sends a token that the conf or the environment names over http as well",
    here: "refuses before the first request",
    reason: "whoever listens could use it, and without it the request is somebody else's",
  },
  {
    id: "foreignServer",
    sparkSubmit:
      "sends the credentials of the kubeconfig's context to whatever server the master names",
    here: "takes the context that has this server; where none has it, sends a context's credentials only when the user has agreed to it",
    reason: "a line from elsewhere could collect the credentials of a cluster otherwise",
  },
  {
    id: "confBeforeKubeconfig",
    sparkSubmit:
      "lets certificates that are written into the kubeconfig win over files that the conf names, and shows the context's client certificate beside a token of the conf",
    here: "takes the conf's files, and with a token of the conf no certificate of the context",
    reason: "the application would go out in another name than the one that was asked for",
  },
  {
    id: "skippedVerification",
    sparkSubmit: "ignores `insecure-skip-tls-verify` of a kubeconfig's cluster",
    here: "follows it for that cluster's own server, as kubectl does",
    reason: "the user has said so, and the failure tells nothing of the setting",
  },
  {
    id: "askedKill",
    sparkSubmit: "kills whatever has the name, or begins with it, at once",
    here: "names what goes, asks, and deletes only what was named",
    reason: "a pattern may match more than was meant, and nothing brings an application back",
  },
  {
    id: "tokenFile",
    sparkSubmit: "ignores the `tokenFile` of a kubeconfig's user",
    here: "uses it, as kubectl does",
    reason: "the missing credentials look like missing rights",
  },
  {
    id: "kubeconfigFiles",
    sparkSubmit: "3.3 to 3.5 read only the first file of KUBECONFIG",
    here: "merges all of them, as kubectl does",
    reason: "the missing credentials look like missing rights",
  },
  {
    id: "execPlugins",
    sparkSubmit:
      "3.3 and 3.4 do not run credential plug-ins of the form `client.authentication.k8s.io/v1`",
    here: "runs them, where the workspace is trusted",
    reason: "the missing credentials look like missing rights",
  },
  {
    id: "brokenKubeconfig",
    sparkSubmit:
      "goes on without credentials when the kubeconfig lacks its user, and 3.3 also when it cannot be read",
    here: "stops and says so",
    reason: "the missing credentials look like missing rights",
  },
  {
    id: "unknownContext",
    sparkSubmit:
      "goes on with the current context's credentials, or none, when the context is not there",
    here: "stops and says so",
    reason: "the application would go out in somebody else's name",
  },
  {
    id: "environmentScript",
    sparkSubmit: "runs `spark-env.sh` of the conf directory",
    here: "takes its plain assignments and runs nothing",
    reason: "a file in a folder is no permission to execute it",
  },
] as const satisfies readonly Difference[];

export type DifferenceId = (typeof differences)[number]["id"];

/** The test cluster, as configured by environment variables. */
export interface TestCluster {
  /** Path of a kubeconfig; its current context is used. */
  readonly kubeconfig: string;
  /** A Spark image that the cluster can pull or already has. */
  readonly image: string;
  /** Images of several Spark versions, `image` first. */
  readonly images: readonly string[];
  /** The namespace for tests; if undefined, that of the current context. */
  readonly namespace: string | undefined;
  /**
   * A shell command that restarts the API server; if undefined, tests only cut the connection to it, or are skipped if
   * they need the restart.
   */
  readonly restartApiServer: string | undefined;
  /** A shell command that restarts etcd, the API server's store; if undefined, its test is skipped. */
  readonly restartEtcd: string | undefined;
  /**
   * A shell command that restarts the node's kubelet; if undefined, tests only cut the connection
   * to the API server.
   */
  readonly restartKubelet: string | undefined;
  /** True if all pods share one loopback address. Then only one of them can listen on a given port. */
  readonly sharesLoopback: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns an error message that names the missing variables; undefined if all required ones are set. */
export function whatIsMissing(environment: Environment): string | undefined {
  const missing = [
    ...(isSet(environment["KUBECONFIG"]) ? [] : ["KUBECONFIG to the kubeconfig of a test cluster"]),
    ...(isSet(environment["SPARK_K8S_IMAGE"])
      ? []
      : ["SPARK_K8S_IMAGE to an image with Spark that it can start"]),
  ];
  return missing.length === 0
    ? undefined
    : `The cluster tests need a real cluster: set ${missing.join(" and ")}.`;
}

export function requireCluster(environment: Environment = process.env): TestCluster {
  const { KUBECONFIG: kubeconfig, SPARK_K8S_IMAGE: image } = environment;
  if (!isSet(kubeconfig) || !isSet(image)) throw new Error(whatIsMissing(environment));
  return {
    kubeconfig,
    image,
    images: [image, ...(environment["SPARK_K8S_MORE_IMAGES"] ?? "").split(/\s+/).filter(isSet)],
    namespace: environment["SPARK_K8S_NAMESPACE"],
    restartApiServer: environment["SPARK_K8S_RESTART_API_SERVER"],
    restartEtcd: environment["SPARK_K8S_RESTART_ETCD"],
    restartKubelet: environment["SPARK_K8S_RESTART_KUBELET"],
    sharesLoopback: isSet(environment["SPARK_K8S_SHARED_LOOPBACK"]),
  };
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== "";

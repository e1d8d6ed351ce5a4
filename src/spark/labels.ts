// Pod labels of Spark (Constants.scala of its Kubernetes module), its operators and this extension.
export const appSelectorLabel = "spark-app-selector";
export const appNameLabel = "spark-app-name";
export const roleLabel = "spark-role";
export const executorIdLabel = "spark-exec-id";
export const resourceProfileIdLabel = "spark-exec-resourceprofile-id";
export const executorInactiveLabel = "spark-exec-inactive";
export const sparkVersionLabel = "spark-version";

export const driverRole = "driver";
export const executorRole = "executor";
/** The role of a Spark Connect server of the Kubeflow operator; the pod is its driver. */
export const connectServerRole = "connect-server";

export const isDriverRole = (role: string | undefined): boolean =>
  role === driverRole || role === connectServerRole;

/** Labels with the name of the custom resource that a pod was created from. */
export const kubeflowAppNameLabel = "sparkoperator.k8s.io/app-name";
export const kubeflowConnectNameLabel = "sparkoperator.k8s.io/connect-name";
export const apacheAppNameLabel = "spark.operator/spark-app-name";

/** Default container names; a pod template may set others. */
export const driverContainerName = "spark-kubernetes-driver";
export const executorContainerName = "spark-kubernetes-executor";

/** Set by this extension before it ends a pod, so that the end does not count as a failure. */
export const requestedEndLabel = "spark-k8s/requested-end";

/** Marks the driver of a session started by this extension. The value is its Connect port. */
export const sessionLabel = "spark-k8s/session";
/** Marks the driver of a shell started by this extension. The value is the shell's name. */
export const shellLabel = "spark-k8s/shell";

/** Selects drivers and executors of every application. */
export const sparkPodSelector = `${roleLabel} in (${driverRole},${executorRole},${connectServerRole})`;

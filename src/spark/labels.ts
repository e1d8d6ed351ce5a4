// Labels and annotations that Spark and its operators put on pods (Constants.scala of Spark's Kubernetes module).
export const appSelectorLabel = "spark-app-selector";
export const appNameLabel = "spark-app-name";
export const roleLabel = "spark-role";
export const executorIdLabel = "spark-exec-id";
export const resourceProfileIdLabel = "spark-exec-resourceprofile-id";
export const executorInactiveLabel = "spark-exec-inactive";
export const sparkVersionLabel = "spark-version";

export const driverRole = "driver";
export const executorRole = "executor";
/** The role that the Kubeflow operator gives to the pod of a Spark Connect server: its driver. */
export const connectServerRole = "connect-server";

export const isDriverRole = (role: string | undefined): boolean =>
  role === driverRole || role === connectServerRole;

/** By these the operators' pods lead to the custom resource that they were made from. */
export const kubeflowAppNameLabel = "sparkoperator.k8s.io/app-name";
export const kubeflowConnectNameLabel = "sparkoperator.k8s.io/connect-name";
export const apacheAppNameLabel = "spark.operator/spark-app-name";

/** The containers' names where no pod template gives another. */
export const driverContainerName = "spark-kubernetes-driver";
export const executorContainerName = "spark-kubernetes-executor";

/** Selects drivers and executors of every application. */
export const sparkPodSelector = `${roleLabel} in (${driverRole},${executorRole},${connectServerRole})`;

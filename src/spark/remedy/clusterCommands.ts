// Shell commands, which are not translated. Arguments must be valid Kubernetes names.

export const createSource = (
  kind: "secret" | "configmap",
  name: string,
  namespace: string,
): string =>
  `kubectl create ${kind === "secret" ? "secret generic" : "configmap"} ${name} --namespace ${namespace} --from-literal=<key>=<value>`;

export const describeSource = (
  kind: "secret" | "configmap",
  name: string,
  namespace: string,
): string => `kubectl describe ${kind} ${name} --namespace ${namespace}`;

/** Returns commands that show a Service's selector, its addresses, and the labels of the drivers. */
export const describeService = (name: string, namespace: string): string =>
  [
    `kubectl describe service ${name} --namespace ${namespace}`,
    `kubectl get endpointslices --namespace ${namespace} --selector kubernetes.io/service-name=${name}`,
    `kubectl get pods --namespace ${namespace} --selector spark-role=driver --show-labels`,
  ].join("\n");

export const createPullSecret = (namespace: string): string =>
  `kubectl create secret docker-registry <name> --namespace ${namespace} --docker-server=<registry> --docker-username=<user> --docker-password=<password>`;

export const editQuota = (name: string, namespace: string): string =>
  ["describe", "edit"]
    .map((verb) => `kubectl ${verb} resourcequota ${name} --namespace ${namespace}`)
    .join("\n");

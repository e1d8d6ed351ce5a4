import { appSelectorLabel, executorRole, roleLabel } from "../../../labels.ts";
import { addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";

/** Adds a NetworkPolicy that admits only connections from the application's own pods to its executors. */
export function networkPolicy(spec: DriverSpec, { identity }: DriverContext): DriverSpec {
  const ofApplication = { [appSelectorLabel]: identity.applicationId };
  return addResource(spec, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      name: `${identity.prefix}-policy`,
      namespace: identity.namespace,
      labels: ofApplication,
    },
    spec: {
      podSelector: { matchLabels: { [roleLabel]: executorRole, ...ofApplication } },
      ingress: [{ from: [{ podSelector: { matchLabels: ofApplication } }] }],
    },
  });
}

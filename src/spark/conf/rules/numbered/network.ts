import { msg } from "../../../../base/message.ts";
import { at, atMaster } from "./violations.ts";
import type { ConfRule } from "./confRule.ts";

const driverHost = "spark.driver.host";
const driverPort = "spark.driver.port";
const podName = "spark.kubernetes.driver.pod.name";
const crypto = "spark.network.crypto.enabled";
const sasl = "spark.authenticate.enableSaslEncryption";
const heartbeat = "spark.executor.heartbeatInterval";
const policyStep = "org.apache.spark.deploy.k8s.features.NetworkPolicyFeatureStep";
const excludedSteps = "spark.kubernetes.driver.pod.excludedFeatureSteps";
const families = "spark.kubernetes.driver.service.ipFamilies";
const familyPolicy = "spark.kubernetes.driver.service.ipFamilyPolicy";

const servicePorts = [
  [driverPort, 7078],
  ["spark.driver.blockManager.port", 7079],
  ["spark.ui.port", 4040],
] as const;
// True for a loopback or wildcard address and for a name in a local domain, which pods cannot resolve or reach.
// Excludes full names of services, which end with the cluster domain (`cluster.local` by default).
const isPrivateName = (host: string): boolean =>
  /^(?:localhost|127\.[0-9.]+|0\.0\.0\.0|\[?::1\]?)$/.test(host) ||
  (/\.(?:local|lan|home)$/.test(host) && !/\.(?:svc|pod|cluster)\./.test(host));

/** Rules about addresses, ports and traffic between the driver and the executors. */
export const networkRules: readonly ConfRule[] = [
  {
    code: "R054-driver-host-in-cluster-mode",
    severity: "information",
    where: "cluster",
    says: msg(
      "In cluster mode, spark-submit ignores this property: the driver uses the name of its service.",
    ),
    page: msg(
      "Executors connect to the driver through a headless service that the submission creates. Remove the property.",
    ),
    hit: "spark.driver.host 10.0.0.7",
    miss: "spark.driver.port 7078",
    check: (conf) => at(conf, driverHost, { part: "key" }),
  },
  {
    code: "R055-bind-address-in-cluster-mode",
    severity: "error",
    where: "cluster",
    says: msg(
      "In cluster mode, the driver binds to the address of its pod, and Spark rejects this property.",
    ),
    page: msg("Remove `spark.driver.bindAddress`."),
    hit: "spark.driver.bindAddress 0.0.0.0",
    miss: "spark.driver.blockManager.port 7079",
    check: (conf) => at(conf, "spark.driver.bindAddress", { part: "key" }),
  },
  {
    code: "R056-driver-in-pod-without-address",
    severity: "warning",
    where: "client",
    says: msg("Executors need a fixed host name and port to connect to this driver."),
    page: msg(
      "If the driver runs in a pod that you create, create a headless service for the pod and set `spark.driver.host` to its name. Set `spark.driver.port` and `spark.driver.blockManager.port` to fixed values.",
    ),
    hit: "spark.kubernetes.driver.pod.name shell",
    miss: "spark.kubernetes.driver.pod.name shell\nspark.driver.host shell.default.svc\nspark.driver.port 7078",
    *check(conf) {
      const without = [driverHost, driverPort].filter((key) => conf.lacks(key));
      if (without.length > 0) yield* at(conf, podName, { without });
    },
  },
  {
    code: "R057-driver-outside",
    severity: "warning",
    where: "client",
    says: msg("Executors in the cluster cannot connect to the driver by this host name."),
    page: msg(
      "In client mode, executors open connections to the driver. Set an address that pods can reach, or use cluster mode.",
    ),
    hit: "spark.driver.host localhost",
    miss: "spark.driver.host shell.default.svc",
    *check(conf) {
      const host = conf.text(driverHost);
      if (host !== undefined && isPrivateName(host)) yield* at(conf, driverHost);
      else if (conf.lacks(driverHost) && conf.lacks(podName)) {
        const says = msg(
          "Executors connect to the driver: set its host to an address that pods can reach.",
        );
        const severity = conf.application.isWhole === true ? "warning" : "hint";
        for (const violation of atMaster(conf, [driverHost]))
          yield { ...violation, says, severity };
      }
    },
  },
  {
    code: "R058-executors-without-owner",
    severity: "warning",
    where: "client",
    isAbout: "absence",
    says: msg(
      "Executor pods have no owner reference here: if the driver crashes, they are not deleted.",
    ),
    page: msg(
      "If the driver runs in a pod that you create, set `spark.kubernetes.driver.pod.name` to its name, so that Kubernetes deletes the executor pods with it.",
    ),
    hit: "spark.driver.host shell.default.svc",
    miss: "spark.kubernetes.driver.pod.name shell",
    check: (conf) => (conf.lacks(podName) ? atMaster(conf, [podName]) : []),
  },
  {
    code: "R059-port-zero",
    severity: "error",
    where: "cluster",
    says: msg("The driver service needs a fixed port: Kubernetes rejects 0."),
    page: msg(
      "In cluster mode, these ports become ports of a service. Keep the defaults, or set ports greater than 0.",
    ),
    hit: "spark.driver.port 0",
    miss: "spark.blockManager.port 0",
    *check(conf) {
      const keys = servicePorts.map(([key]) => key as string);
      if (conf.isFrom("4.1")) keys.push("spark.connect.grpc.binding.port");
      for (const key of keys)
        if (conf.text(key) !== undefined && conf.number(key) === 0) yield* at(conf, key);
    },
  },
  {
    code: "R060-ports-clash",
    severity: "error",
    where: "cluster",
    says: msg("Two ports of the driver service are identical."),
    page: msg(
      "The driver listens on `spark.driver.port` (7078 in cluster mode), `spark.driver.blockManager.port` (7079) and `spark.ui.port` (4040). They must differ.",
    ),
    hit: "spark.driver.port 7079",
    miss: "spark.driver.port 7080",
    *check(conf) {
      const seen = new Map<number, string>();
      for (const [key, usual] of servicePorts) {
        const port = conf.lacks(key)
          ? usual
          : conf.text(key) === undefined
            ? undefined
            : conf.number(key);
        if (port === undefined || port === 0) continue;
        const other = seen.get(port);
        if (other !== undefined) {
          const at1 = conf.lacks(key) ? other : key;
          yield* at(conf, at1, {
            without: [other, key],
            says: msg`"${other}" and "${key}" are both ${port}: the ports of a service must differ.`,
          });
        }
        seen.set(port, key);
      }
    },
  },
  {
    code: "R061-executor-port-range",
    severity: "error",
    where: "kubernetes",
    says: msg("The port must be 0, or between 1024 and 65535."),
    page: msg(
      "Spark checks `spark.blockManager.port` when it creates the first executor pod, and rejects privileged ports.",
    ),
    hit: "spark.blockManager.port 80",
    miss: "spark.blockManager.port 7079",
    *check(conf) {
      const key = "spark.blockManager.port";
      const port = conf.text(key) === undefined ? undefined : conf.number(key);
      if (port !== undefined && port !== 0 && (port < 1024 || port > 65535)) yield* at(conf, key);
    },
  },
  {
    code: "R062-ui-off",
    severity: "information",
    where: "kubernetes",
    says: msg("Without the UI, the driver has no REST API and no Prometheus endpoint."),
    page: msg(
      "Tools that inspect a running application query the UI server. Keep it enabled for live data about executors, stages and metrics.",
    ),
    hit: "spark.ui.enabled false",
    miss: "spark.ui.enabled true",
    *check(conf) {
      if (!conf.lacks("spark.ui.enabled") && conf.flag("spark.ui.enabled") === false)
        yield* at(conf, "spark.ui.enabled");
    },
  },
  {
    code: "R063-ip-families",
    severity: "error",
    from: "3.4",
    says: msg("A single-stack service has one IP family, not two."),
    page: msg(
      "With two `ipFamilies`, the policy must be `PreferDualStack` or `RequireDualStack`. Otherwise, the API server rejects the service. Both values are case-sensitive and must not contain spaces.",
    ),
    hit: "spark.kubernetes.driver.service.ipFamilyPolicy SingleStack\nspark.kubernetes.driver.service.ipFamilies IPv4,IPv6",
    miss: "spark.kubernetes.driver.service.ipFamilyPolicy PreferDualStack\nspark.kubernetes.driver.service.ipFamilies IPv4,IPv6",
    *check(conf) {
      if (!/^IPv(?:4,IPv6|6,IPv4)$/.test(conf.text(families) ?? "")) return;
      const policy = conf.lacks(familyPolicy) ? "SingleStack" : conf.text(familyPolicy);
      if (policy === "SingleStack") yield* at(conf, families, { without: [familyPolicy] });
    },
  },
  {
    code: "R064-default-network-policy",
    severity: "information",
    from: "4.2",
    where: "cluster",
    isAbout: "absence",
    says: msg(
      "Spark 4.2 and later create a NetworkPolicy: the submitter needs the permission, and other pods cannot reach executors.",
    ),
    page: msg`To disable it, set \`${excludedSteps}\` to \`${policyStep}\`. Otherwise, add \`networkpolicies\` to the Role of the submitter.`,
    hit: "spark.app.name etl",
    miss: `${excludedSteps} ${policyStep}`,
    check: (conf) =>
      conf.list(excludedSteps).includes(policyStep) || conf.application.isWhole === true
        ? []
        : atMaster(conf, [excludedSteps]),
  },
  {
    code: "R065-encryption-without-authentication",
    severity: "error",
    says: msg("Encryption needs authentication: set spark.authenticate to true."),
    page: msg(
      "With `spark.network.crypto.enabled` or `spark.authenticate.enableSaslEncryption`, Spark does not start unless `spark.authenticate` is true.",
    ),
    hit: "spark.network.crypto.enabled true\nspark.authenticate false",
    miss: "spark.network.crypto.enabled true\nspark.authenticate true",
    *check(conf) {
      for (const key of [crypto, sasl]) {
        if (conf.lacks(key) || conf.flag(key) !== true) continue;
        if (conf.flag("spark.authenticate") === false)
          yield* at(conf, key, { without: ["spark.authenticate"] });
      }
    },
  },
  {
    code: "R066-slow-heartbeat",
    severity: "error",
    says: msg(
      "The heartbeat interval must be less than the network timeout. Otherwise, executors would count as lost.",
    ),
    page: msg(
      "`spark.executor.heartbeatInterval` (10s) must be less than `spark.network.timeout` (120s). Otherwise, Spark does not start.",
    ),
    hit: "spark.executor.heartbeatInterval 300s\nspark.network.timeout 300s",
    miss: "spark.executor.heartbeatInterval 300s\nspark.network.timeout 600s",
    *check(conf) {
      const beat = conf.time(heartbeat);
      const maximum = conf.time("spark.network.timeout");
      if (beat === undefined || maximum === undefined || beat < maximum) return;
      const key = conf.lacks(heartbeat) ? "spark.network.timeout" : heartbeat;
      yield* at(conf, key, { without: [heartbeat, "spark.network.timeout"] });
    },
  },
  {
    code: "R067-trust-all",
    severity: "warning",
    says: msg("Spark would accept any certificate as that of the API server."),
    page: msg(
      "Set the CA certificate in `spark.kubernetes.authenticate.caCertFile` (or `…submission.caCertFile`) instead.",
    ),
    hit: "spark.kubernetes.trust.certificates true",
    miss: "spark.kubernetes.trust.certificates false",
    *check(conf) {
      const key = "spark.kubernetes.trust.certificates";
      if (!conf.lacks(key) && conf.flag(key) === true) yield* at(conf, key);
    },
  },
];

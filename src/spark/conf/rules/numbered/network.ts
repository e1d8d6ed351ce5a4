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
// True for a name that only its own machine or network resolves. The full name of a service ends with the cluster
// domain, which is `cluster.local` by default, so it is excluded.
const isPrivateName = (host: string): boolean =>
  /^(?:localhost|127\.[0-9.]+|0\.0\.0\.0|\[?::1\]?)$/.test(host) ||
  (/\.(?:local|lan|home)$/.test(host) && !/\.(?:svc|pod|cluster)\./.test(host));

/** Rules about addresses, ports and traffic between the driver and the executors. */
export const networkRules: readonly ConfRule[] = [
  {
    code: "R054-driver-host-in-cluster-mode",
    severity: "information",
    where: "cluster",
    says: msg("In cluster mode spark-submit drops this: the driver gets the name of its service."),
    page: msg(
      "Executors reach the driver by a headless service that the submission makes. Remove the setting.",
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
      "In cluster mode the driver binds to its pod's address, and Spark refuses another one.",
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
    says: msg("Executors need a fixed name and port of this driver."),
    page: msg(
      "With a driver in a pod of your own, make a headless service for the pod and set `spark.driver.host` to its name, with fixed values for `spark.driver.port` and `spark.driver.blockManager.port`.",
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
    says: msg(
      "Executors in the cluster must be able to connect back to the driver, and cannot by this name.",
    ),
    page: msg(
      "In client mode executors open connections to the driver. Give an address that pods can reach, or use cluster mode.",
    ),
    hit: "spark.driver.host localhost",
    miss: "spark.driver.host shell.default.svc",
    *check(conf) {
      const host = conf.text(driverHost);
      if (host !== undefined && isPrivateName(host)) yield* at(conf, driverHost);
      else if (conf.lacks(driverHost) && conf.lacks(podName)) {
        const says = msg(
          "Executors connect back to the driver: its host must be an address that pods can reach.",
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
    says: msg("Executors have no owner here: a crash of the driver would leave their pods behind."),
    page: msg(
      "In a driver pod of your own, set `spark.kubernetes.driver.pod.name` to its name, so that Kubernetes removes the executors with it.",
    ),
    hit: "spark.driver.host shell.default.svc",
    miss: "spark.kubernetes.driver.pod.name shell",
    check: (conf) => (conf.lacks(podName) ? atMaster(conf, [podName]) : []),
  },
  {
    code: "R059-port-zero",
    severity: "error",
    where: "cluster",
    says: msg("The driver's service needs a fixed port: Kubernetes refuses 0."),
    page: msg(
      "In cluster mode these ports become ports of a service. Leave them at their defaults, or choose others above zero.",
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
    says: msg("Two ports of the driver's service are the same."),
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
            says: msg`"${other}" and "${key}" are both ${port}: ports of a service must differ.`,
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
      "Spark checks `spark.blockManager.port` when it builds the first executor pod, and refuses ports that only an administrator may open.",
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
    says: msg("Without the UI the driver has no REST interface and no Prometheus page either."),
    page: msg(
      "Tools that look into a running application ask the UI's server. Leave it on for live data of executors, stages and metrics.",
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
    says: msg("A service with a single stack has one IP family, not two."),
    page: msg(
      "With two `ipFamilies` the policy must be `PreferDualStack` or `RequireDualStack`; the API server refuses the service otherwise. Both values are compared exactly, without blanks.",
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
      "Spark 4.2 and later make a NetworkPolicy: who submits needs the right to, and pods of others cannot reach executors.",
    ),
    page: msg`If that is not wanted, set \`${excludedSteps}\` to \`${policyStep}\`; otherwise add \`networkpolicies\` to the Role of the submitter.`,
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
      "Spark refuses to start with `spark.network.crypto.enabled` or `spark.authenticate.enableSaslEncryption` while `spark.authenticate` is not true.",
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
      "Heartbeats must come more often than the network timeout allows: executors would count as lost.",
    ),
    page: msg(
      "`spark.executor.heartbeatInterval` (10s) must be less than `spark.network.timeout` (120s); Spark refuses to start otherwise.",
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
    says: msg("Spark would trust any certificate that pretends to be the API server's."),
    page: msg(
      "Give the authority's certificate in `spark.kubernetes.authenticate.caCertFile` (or `…submission.caCertFile`) instead.",
    ),
    hit: "spark.kubernetes.trust.certificates true",
    miss: "spark.kubernetes.trust.certificates false",
    *check(conf) {
      const key = "spark.kubernetes.trust.certificates";
      if (!conf.lacks(key) && conf.flag(key) === true) yield* at(conf, key);
    },
  },
];

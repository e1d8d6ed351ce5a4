import { msg } from "../../../../base/message.ts";
import { isDnsLabel } from "../../../kubernetesNames.ts";
import { at, atMaster } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const master = "spark.master";
const urlOf = (conf: RuleConf): string | undefined => {
  const text = conf.text(master);
  return text?.startsWith("k8s://") === true ? text.slice("k8s://".length) : undefined;
};
const schemeOf = (url: string): string | undefined => /^([^:/]*):\/\//.exec(url)?.[1];

const interactive =
  /^org\.apache\.spark\.(?:repl\.Main|sql\.hive\.thriftserver\.(?:SparkSQLCLIDriver|HiveThriftServer2))$/;
const connectServer = "org.apache.spark.sql.connect.service.SparkConnectServer";

/** Rules about the API server's address and the deploy mode. */
export const masterRules: readonly ConfRule[] = [
  {
    code: "R001-master-scheme",
    severity: "error",
    says: msg("The address of the API server must begin with https:// or http://."),
    page: msg(
      "The address of the Kubernetes API server follows `k8s://`. Spark accepts `https://` and `http://` there and rejects any other scheme.",
    ),
    hit: "spark.master k8s://ftp://host:6443",
    miss: "spark.master k8s://https://host:6443",
    *check(conf) {
      const text = conf.text(master) ?? "";
      if (/^k8s(?!:\/\/)/.test(text)) {
        yield* at(conf, master, { says: msg("A Kubernetes master URL must begin with k8s://.") });
        return;
      }
      const scheme = schemeOf(urlOf(conf) ?? "");
      if (scheme !== undefined && !/^https?$/i.test(scheme)) yield* at(conf, master);
    },
  },
  {
    code: "R002-master-without-https",
    severity: "information",
    says: msg("Without a scheme, Spark uses https by default."),
    page: msg(
      "Write `https://` to make the scheme explicit. Plain `http://` sends tokens unencrypted. Use it only for a proxy on the same machine.",
    ),
    hit: "spark.master k8s://host:6443",
    miss: "spark.master k8s://https://host:6443",
    *check(conf) {
      const url = urlOf(conf);
      if (url === undefined) return;
      const scheme = schemeOf(url);
      if (scheme === undefined) yield* at(conf, master);
      else if (/^http$/i.test(scheme) && !/^http:\/\/(?:localhost|127\.|\[::1\])/i.test(url)) {
        const says = msg("Plain http sends tokens to the API server unencrypted. Use https.");
        yield* at(conf, master, { says, severity: "warning" });
      }
    },
  },
  {
    code: "R003-master-port",
    severity: "warning",
    says: msg("Specify the port of the API server, even if it is 443."),
    page: msg(
      "Spark's documentation requires the port in every case. Most API servers listen on port 6443 or 443.",
    ),
    hit: "spark.master k8s://https://host",
    miss: "spark.master k8s://https://host:443",
    *check(conf) {
      const url = urlOf(conf);
      if (url === undefined) return;
      const host = url.replace(/^[^:/]*:\/\//, "").split("/")[0] ?? "";
      if (host !== "" && !/:[0-9]+$/.test(host)) yield* at(conf, master);
    },
  },
  {
    code: "R004-deploy-mode-unset",
    severity: "information",
    where: "kubernetes",
    isAbout: "absence",
    says: msg(
      "No deploy mode is set here: the driver would run on the same machine as spark-submit.",
    ),
    page: msg(
      "Without `spark.submit.deployMode` (or `--deploy-mode`), Spark uses client mode: the driver runs on the submitting machine, and Spark ignores properties of the driver pod. Set `cluster` to run the driver in a pod.",
    ),
    hit: "spark.app.name etl",
    miss: "spark.submit.deployMode cluster",
    check: (conf) =>
      conf.lacks("spark.submit.deployMode") ? atMaster(conf, ["spark.submit.deployMode"]) : [],
  },
  {
    code: "R005-interactive-in-cluster-mode",
    severity: "error",
    where: "cluster",
    given: { mainClass: "org.apache.spark.repl.Main" },
    says: msg("A shell cannot run in cluster mode."),
    page: msg(
      "spark-submit rejects shells, the Thrift server and, in Spark 3.4 and later, the Connect server in cluster mode on Kubernetes, because their driver must run where they are started. Run them in client mode. To run them in the cluster, use a separate pod. Start Spark Session runs the Connect server as a plugin of a driver in cluster mode.",
    ),
    hit: "spark.app.name shell",
    miss: "spark.submit.deployMode client",
    *check(conf) {
      const { mainClass = "", mainResource = "" } = conf.application;
      const isConnect = mainClass === connectServer && conf.isFrom("3.4");
      const isShell = /^(?:spark|pyspark|sparkr)-shell$/.test(mainResource);
      if (interactive.test(mainClass) || isConnect || isShell) {
        yield* at(conf, "spark.submit.deployMode");
      }
    },
  },
  {
    code: "R006-local-driver-master",
    severity: "warning",
    from: "3.4",
    says: msg("With a local master, the driver runs all tasks itself and requests no executors."),
    page: msg(
      "`spark.kubernetes.driver.master` sets the master URL that the driver uses in its pod. With `local[…]`, Spark starts no executor pods. Remove the property unless you want a single pod.",
    ),
    hit: "spark.kubernetes.driver.master local[2]",
    miss: "spark.kubernetes.driver.master https://kubernetes.default.svc",
    *check(conf) {
      const key = "spark.kubernetes.driver.master";
      if (conf.text(key)?.startsWith("local") === true) yield* at(conf, key);
    },
  },
  {
    code: "R007-namespace",
    severity: "error",
    where: "kubernetes",
    says: msg(
      "A namespace must have at most 63 lowercase letters, digits and dashes, and begin and end with a letter or digit.",
    ),
    page: msg(
      "The API server rejects any other name. If no namespace is set, Spark uses `default`.",
    ),
    hit: "spark.kubernetes.namespace Data_Team",
    miss: "spark.kubernetes.namespace data-team",
    *check(conf) {
      const key = "spark.kubernetes.namespace";
      const name = conf.text(key);
      if (name !== undefined && !isDnsLabel(name)) yield* at(conf, key);
      else if (conf.lacks(key)) {
        const says = msg('No namespace is set here: pods are created in "default".');
        const severity = conf.application.isWhole === true ? "information" : "hint";
        for (const violation of atMaster(conf, [key])) yield { ...violation, says, severity };
      }
    },
  },
];

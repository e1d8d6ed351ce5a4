import { listed, msg, verbatim, type Message } from "../../base/message.ts";
import { describeBytes } from "../binarySize.ts";
import { describeCores } from "../diagnosis/amounts.ts";
import { amountIn } from "../submit/preflight/amountWords.ts";
import type { Node } from "../submit/preflight/checkNodes.ts";
import { defaultDriverRights, describeRights } from "../submit/preflight/neededRights.ts";
import { roleManifest } from "../submit/preflight/roleManifest.ts";
import { sparkMinors, type SparkMinor } from "../submit/conf/sparkVersion.ts";
import type { PodTotals } from "../submit/preview/totals.ts";
import {
  isOfSparkOperator,
  operatorGroups,
  servedKinds,
  type ClusterFacts,
  type OperatorKind,
  type Read,
  type WebhookFacts,
} from "./clusterFacts.ts";
import { kubernetesMinor, oldestKubernetes } from "./oldestKubernetes.ts";

/** A line of the cluster report: a property of the cluster, and its meaning for Spark. */
export interface ClusterLine {
  readonly state: "good" | "missing" | "note" | "unknown";
  readonly fact: Message;
  readonly meaning: Message;
  /** YAML that the user can copy and apply. */
  readonly yaml?: string;
}

/** The pods of a run profile. */
export interface CheckedProfile {
  readonly name: string;
  /** The Spark version of the profile. Undefined if it is unknown. */
  readonly minor?: SparkMinor | undefined;
  readonly pods: readonly CheckedPod[];
}

interface CheckedPod {
  readonly role: "driver" | "executor";
  readonly totals: PodTotals;
  /** The number of pods that the profile requests. Undefined if the driver decides it at run time. */
  readonly count?: number | undefined;
}

/** Returns the report about the parts of the cluster that affect Spark. With `profile`, also whether its pods fit. */
export function clusterReport(
  facts: ClusterFacts,
  profile: CheckedProfile | undefined,
): readonly ClusterLine[] {
  return [
    serverLine(facts, profile),
    ...nodeLines(facts, profile),
    ...profileLines(facts, profile),
    ...accountLines(facts),
    ...operatorLines(facts, "kubeflow"),
    ...operatorLines(facts, "apache"),
    ...webhookLines(facts),
    metricsLine(facts),
    volcanoLine(facts),
    prometheusLine(facts),
    ...storageLines(facts),
  ];
}

const line = (state: ClusterLine["state"], fact: Message, meaning: Message): ClusterLine => ({
  state,
  fact,
  meaning,
});

/** Returns the line for a property of the cluster that could not be read, with the reason. */
function unread(
  read: Exclude<Read<unknown>, { readonly kind: "known" }>,
  subject: Message,
): ClusterLine {
  return read.kind === "forbidden"
    ? line("unknown", msg`${subject}: not checked`, msg`You may not ${read.verb} ${read.resource}.`)
    : line("unknown", msg`${subject}: not checked`, msg`The read failed: ${read.detail}`);
}

function serverLine({ server }: ClusterFacts, profile: CheckedProfile | undefined): ClusterLine {
  if (server.kind !== "known") return unread(server, msg("Version of the API server"));
  const fact = msg`Version of the API server: ${verbatim(server.value)}`;
  const minor = profile?.minor;
  const present = kubernetesMinor(server.value);
  if (minor === undefined || present === undefined) {
    const all = sparkMinors.map((spark) => {
      const oldest = oldestKubernetes[spark];
      return oldest === undefined ? msg`Spark ${spark}: unknown` : msg`Spark ${spark}: 1.${oldest}`;
    });
    return line(
      "note",
      fact,
      msg`The oldest Kubernetes that Spark documents. ${listed(all) ?? ""}`,
    );
  }
  const oldest = oldestKubernetes[minor];
  if (oldest === undefined) {
    return line("note", fact, msg`No oldest Kubernetes version is known for Spark ${minor}.`);
  }
  return present >= oldest
    ? line("good", fact, msg`Spark ${minor} documents Kubernetes 1.${oldest} or later.`)
    : line(
        "missing",
        fact,
        msg`Spark ${minor} documents Kubernetes 1.${oldest} or later. Its client may send requests that this server does not know.`,
      );
}

function nodeLines(
  { nodes, versions }: ClusterFacts,
  profile: CheckedProfile | undefined,
): readonly ClusterLine[] {
  if (nodes.kind !== "known") return [unread(nodes, msg("Nodes"))];
  const ready = nodes.value.filter(({ isReady, taints }) => isReady && taints.length === 0);
  const version = listed(versions.map((each) => verbatim(each))) ?? msg("unknown");
  const shapes = new Map<string, { readonly node: Node; count: number }>();
  for (const node of nodes.value) {
    const shape = `${amountIn(node.allocatable, "cpu")} ${amountIn(node.allocatable, "memory")}`;
    const known = shapes.get(shape) ?? { node, count: 0 };
    known.count += 1;
    shapes.set(shape, known);
  }
  return [
    line(
      "good",
      msg`Kubernetes version of the nodes: ${version}`,
      msg(
        "The documentation of each Spark version names the oldest Kubernetes version that it supports.",
      ),
    ),
    line(
      ready.length === 0 ? "missing" : "good",
      msg`Nodes that are ready and have no taint: ${ready.length} of ${nodes.value.length}`,
      ready.length === 0
        ? msg("Pods need a toleration in a pod template, or wait for a node.")
        : msg("Pods without a toleration can run there."),
    ),
    ...[...shapes.values()].map(({ node, count }) =>
      line(
        "note",
        msg`Nodes of this size: ${count} (${describeCores(amountIn(node.allocatable, "cpu"))}, ${describeBytes(amountIn(node.allocatable, "memory"))})`,
        listed(
          (profile?.pods ?? []).map((pod) =>
            pod.role === "driver"
              ? msg`drivers on an empty one: ${fitting(node, pod)}`
              : msg`executors on an empty one: ${fitting(node, pod)}`,
          ),
        ) ??
          msg(
            "A pod must fit into one node: heap, overhead, off-heap and PySpark memory together.",
          ),
      ),
    ),
  ];
}

function profileLines(
  { nodes }: ClusterFacts,
  profile: CheckedProfile | undefined,
): readonly ClusterLine[] {
  if (profile === undefined || nodes.kind !== "known") return [];
  const open = nodes.value.filter(({ isReady, taints }) => isReady && taints.length === 0);
  return profile.pods.map((pod) => {
    const { role, totals, count } = pod;
    const room = open.reduce((sum, node) => sum + fitting(node, pod), 0);
    const kind = role === "driver" ? msg("driver") : msg("executor");
    const isShort = count !== undefined && room < count;
    return line(
      room === 0 ? "missing" : isShort ? "note" : "good",
      msg`Run profile "${profile.name}", ${kind}: ${describeCores(totals.cores)}, ${describeBytes(totals.memoryBytes)}`,
      room === 0
        ? msg("No node is large enough, also if it is empty. The pod would wait without end.")
        : isShort
          ? msg`Empty nodes have room for ${room} such pods, and the profile requests ${count}. The others would wait.`
          : msg`Empty nodes have room for ${room} such pods.`,
    );
  });
}

/** Returns the number of pods that fit on an empty node. */
const fitting = ({ allocatable }: Node, { totals: { cores, memoryBytes } }: CheckedPod): number =>
  Math.floor(
    Math.min(
      amountIn(allocatable, "cpu") / Math.max(cores, 0.001),
      amountIn(allocatable, "memory") / Math.max(memoryBytes, 1),
    ),
  );

function accountLines({ accounts, lacking, namespace }: ClusterFacts): readonly ClusterLine[] {
  if (accounts.kind !== "known") return [unread(accounts, msg("Service accounts"))];
  const able = [...lacking].filter(([, missing]) => missing.length === 0).map(([name]) => name);
  const names = listed(able.map((name) => verbatim(name)));
  if (lacking.size === 0) {
    return [
      line(
        "unknown",
        msg`Service accounts in namespace "${namespace}": ${accounts.value.length}`,
        msg("You may not review the permissions of service accounts."),
      ),
    ];
  }
  if (names !== undefined) {
    return [
      line(
        "good",
        msg`Service accounts that a driver can use: ${names}`,
        msg(
          "Set one of them as spark.kubernetes.authenticate.driver.serviceAccountName, or as serviceAccount of the run profile.",
        ),
      ),
    ];
  }
  const [account, missing] = [...lacking].sort((a, b) => a[1].length - b[1].length)[0] ?? [];
  const name = account === undefined || account === "default" ? "spark" : account;
  const yaml = roleManifest(defaultDriverRights, namespace, `${name}-driver`, {
    kind: "ServiceAccount",
    name,
  });
  return [
    {
      ...line(
        "missing",
        msg`Service accounts in namespace "${namespace}" that a driver can use: none`,
        msg`"${account ?? "default"}" lacks: ${describeRights(missing ?? [])}. This Role allows a driver to create executors:`,
      ),
      yaml,
    },
  ];
}

function operatorLines(
  { served, groups }: ClusterFacts,
  kind: OperatorKind,
): readonly ClusterLine[] {
  const read = served[kind];
  const group = groups[kind];
  const name =
    kind === "kubeflow"
      ? verbatim("Kubeflow Spark Operator")
      : verbatim("Apache Spark Kubernetes Operator");
  if (read.kind !== "known") return [unread(read, name)];
  const versions = listed(group.kind === "known" ? group.value.map((each) => verbatim(each)) : []);
  const servedIn =
    versions && msg`${name}: ${operatorGroups[kind]} is served in the versions ${versions}`;
  if (read.value) {
    return [
      line(
        "good",
        servedIn ?? msg`${name}: its kind SparkApplication is served`,
        msg("SparkApplication manifests can be submitted; the operator runs spark-submit."),
      ),
    ];
  }
  return [
    servedIn === undefined
      ? line(
          "note",
          msg`${name}: not installed`,
          msg(
            "SparkApplication manifests of this operator have no effect. Run profiles do not need it.",
          ),
        )
      : line(
          "missing",
          servedIn,
          msg`Manifests of ${servedKinds[kind].apiVersion} have no effect: the installed operator is another version.`,
        ),
  ];
}

function webhookLines({ webhooks, served }: ClusterFacts): readonly ClusterLine[] {
  if (webhooks.kind !== "known") return [unread(webhooks, msg("Admission webhooks"))];
  const ofOperator = webhooks.value.filter(({ name }) => isOfSparkOperator(name));
  const yunikorn = webhooks.value.filter(({ name }) => name.includes("yunikorn"));
  const hasOperator = served.kubeflow.kind === "known" && served.kubeflow.value;
  return [
    ...(hasOperator
      ? [
          ...(ofOperator.length > 0
            ? ofOperator.map(webhookLine)
            : [
                line(
                  "missing",
                  msg("Webhook of the operator: not found"),
                  msg(
                    "Without it, an older operator ignores volumes, tolerations and affinities of manifests.",
                  ),
                ),
              ]),
        ]
      : []),
    yunikorn.length > 0
      ? line(
          "good",
          msg("Scheduler YuniKorn: installed"),
          msg(
            "Set spark.kubernetes.scheduler.name to yunikorn, and a queue as a label of the pods.",
          ),
        )
      : line(
          "note",
          msg("Scheduler YuniKorn: not installed"),
          msg(
            "Do not set spark.kubernetes.scheduler.name to yunikorn: pods would wait without end.",
          ),
        ),
  ];
}

function webhookLine({ name, rejectsAlone, hasAuthority, readyPods }: WebhookFacts): ClusterLine {
  if (!hasAuthority || readyPods === 0) {
    return line(
      "missing",
      hasAuthority
        ? msg`Webhook of the operator: ${name}, no ready pod behind its Service`
        : msg`Webhook of the operator: ${name}, no certificate authority`,
      rejectsAlone
        ? msg("The API server rejects pods of Spark until the webhook answers.")
        : msg(
            "The API server ignores the webhook. Volumes, tolerations and affinities of manifests have no effect.",
          ),
    );
  }
  return line(
    "good",
    readyPods === undefined
      ? msg`Webhook of the operator: ${name}`
      : msg`Webhook of the operator: ${name}, ready pods: ${readyPods}`,
    msg("Volumes, tolerations and affinities of SparkApplication manifests take effect."),
  );
}

function metricsLine({ served: { metrics } }: ClusterFacts): ClusterLine {
  if (metrics.kind !== "known") return unread(metrics, msg("metrics-server"));
  return metrics.value
    ? line(
        "good",
        msg("metrics-server: installed"),
        msg("Tooltips and Show Executors have the CPU and memory of pods."),
      )
    : line(
        "note",
        msg("metrics-server: not installed"),
        msg("The CPU and memory that pods use are unknown. Spark itself does not need it."),
      );
}

function volcanoLine({ served: { volcano } }: ClusterFacts): ClusterLine {
  if (volcano.kind !== "known") return unread(volcano, msg("Scheduler Volcano"));
  return volcano.value
    ? line(
        "good",
        msg("Scheduler Volcano: installed"),
        msg("Driver and executors can be scheduled as a group, with VolcanoFeatureStep."),
      )
    : line(
        "note",
        msg("Scheduler Volcano: not installed"),
        msg("Do not set spark.kubernetes.scheduler.name to volcano: pods would wait without end."),
      );
}

function prometheusLine({ served: { prometheus } }: ClusterFacts): ClusterLine {
  if (prometheus.kind !== "known") return unread(prometheus, msg("Prometheus operator"));
  return prometheus.value
    ? line(
        "good",
        msg("Prometheus operator: its kind PodMonitor is served"),
        msg("A PodMonitor can collect the metrics of drivers, with spark.ui.prometheus.enabled."),
      )
    : line(
        "note",
        msg("Prometheus operator: not installed"),
        msg(
          "Nothing collects metrics of drivers by a PodMonitor. Annotations of pods may still work.",
        ),
      );
}

function storageLines({ storageClasses }: ClusterFacts): readonly ClusterLine[] {
  if (storageClasses.kind !== "known") return [unread(storageClasses, msg("Storage classes"))];
  const { value } = storageClasses;
  if (value.length === 0) {
    return [
      line(
        "note",
        msg("Storage classes: none"),
        msg("Executors cannot get volumes on demand; shuffle data is on the disk of the node."),
      ),
    ];
  }
  return value.map(({ name, isDefault, waitsForPod, canExpand }) =>
    line(
      waitsForPod ? "good" : "note",
      isDefault ? msg`Storage class ${name}, the default` : msg`Storage class ${name}`,
      listed([
        waitsForPod
          ? msg("A volume is created in the zone of its pod")
          : msg("A volume may be created in a zone without room for its pod"),
        canExpand ? msg("its volumes can grow") : msg("its volumes cannot grow"),
      ]),
    ),
  );
}

import { msg, sentences, type Message } from "../../base/message.ts";
import type { ConfDocument, ConfEntry } from "../conf/parse/confDocument.ts";
import type { SparkVersion } from "../conf/catalogue/sparkVersions.ts";
import type { ResolvedConf } from "../submit/conf/conf.ts";
import { podSums } from "../submit/preview/podSums.ts";
import type { PodTotals, ExecutorCount } from "../submit/preview/totals.ts";
import { parseJavaBoolean, parseJavaInt } from "../submit/conf/sparkValues.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/** The total resources of one role's pods, as an inlay hint after a setting of that role. */
export interface PodTotal {
  readonly offset: number;
  /** `pod 11.0 GiB × 20 = 220 GiB` */
  readonly label: Message;
  readonly tooltip: Message;
}

const driverKeys = ["spark.driver.memory", "spark.driver.memoryOverhead", "spark.driver.cores"];
const executorKeys = [
  "spark.executor.memory",
  "spark.executor.memoryOverhead",
  "spark.executor.instances",
  "spark.dynamicAllocation.maxExecutors",
  "spark.executor.cores",
];
const countKeys = [
  "spark.executor.instances",
  "spark.dynamicAllocation.minExecutors",
  "spark.dynamicAllocation.maxExecutors",
  "spark.dynamicAllocation.initialExecutors",
];
const allocationKey = "spark.dynamicAllocation.enabled";

/** Returns the totals of applications on Kubernetes. Omits the pod of a role with an unknown or invalid size. */
export function podTotals(
  text: string,
  documents: readonly ConfDocument[],
  version: SparkVersion,
): readonly PodTotal[] {
  return documents.flatMap((document) => {
    const { entries, elsewhere = [], application = {} } = document;
    const conf = confOf([...elsewhere, ...entries]);
    // Skips a patch or a template, which contains only a part of the application.
    const isPart = application.place !== undefined && application.isWhole !== true;
    if (isPart || !isOnKubernetes(conf)) return [];
    const mode = application.mode ?? conf.get("spark.submit.deployMode")?.value;
    const sums = podSums(
      conf,
      application.language ?? "java",
      mode === "client" ? "client" : "cluster",
      versionOfDocument(document) ?? version,
    );
    const hasTemplate = (role: string): boolean =>
      conf.has(`spark.kubernetes.${role}.podTemplateFile`);
    const more = (role: string): readonly Message[] => [
      ...(application.language === undefined
        ? [msg("Python and R applications get more memory by default.")]
        : []),
      ...(hasTemplate(role) ? [msg("Other containers of the pod template are not included.")] : []),
    ];
    const total = (
      keys: readonly string[],
      words: readonly [label: Message, tooltip: Message] | undefined,
    ): readonly PodTotal[] => {
      const place = placeOf(text, entries, keys);
      if (place === undefined || words === undefined) return [];
      return [{ offset: place, label: words[0], tooltip: words[1] }];
    };
    const count = isCountKnown(conf) ? sums.executors : undefined;
    return [
      ...(mode === "client"
        ? []
        : total(driverKeys, sums.driver && driverWords(sums.driver, more("driver")))),
      ...total(
        executorKeys,
        sums.executor && executorWords(sums.executor, count, more("executor")),
      ),
    ];
  });
}

const confOf = (entries: readonly ConfEntry[]): ResolvedConf =>
  new Map(
    entries.map(({ key, value }) => [key, { value: value.trim(), origin: { kind: "computed" } }]),
  );

function isOnKubernetes(conf: ResolvedConf): boolean {
  const master = conf.get("spark.master")?.value;
  if (master !== undefined) return /^k8s:/i.test(master);
  return [...conf.keys()].some((key) => key.startsWith("spark.kubernetes."));
}

const isCountKnown = (conf: ResolvedConf): boolean =>
  countKeys.every((key) => isRead(conf, key, (text) => parseJavaInt(text) !== undefined)) &&
  isRead(conf, allocationKey, (text) => parseJavaBoolean(text) !== undefined);

function isRead(conf: ResolvedConf, key: string, reads: (text: string) => boolean): boolean {
  const value = conf.get(key)?.value;
  return value === undefined || reads(value);
}

/** Returns the offset after the first setting that exists, including its closing quote. */
function placeOf(
  text: string,
  entries: readonly ConfEntry[],
  keys: readonly string[],
): number | undefined {
  for (const key of keys) {
    const end = entries.findLast((entry) => entry.key === key)?.valueSpan.end;
    if (end !== undefined) return /["']/.test(text.charAt(end)) ? end + 1 : end;
  }
  return undefined;
}

const driverWords = (
  { cores, memoryBytes }: PodTotals,
  more: readonly Message[],
): readonly [label: Message, tooltip: Message] => [
  msg`pod ${size(memoryBytes)}`,
  sentences([
    msg`The driver pod requests ${size(memoryBytes)} of memory and ${coreWords(cores)}.`,
    ...more,
  ]),
];

function executorWords(
  { cores, memoryBytes }: PodTotals,
  count: ExecutorCount | undefined,
  more: readonly Message[],
): readonly [label: Message, tooltip: Message] {
  const pod = size(memoryBytes);
  const own = coreWords(cores);
  if (count === undefined) {
    const each = msg`Each executor pod requests ${pod} of memory and ${own}.`;
    return [msg`pod ${pod}`, sentences([each, ...more])];
  }
  const { minimum, initial, maximum } = count;
  if (minimum === maximum) {
    const all = size(memoryBytes * initial);
    const allCores = coreWords(cores * initial);
    return [
      msg`pod ${pod} × ${initial} = ${all}`,
      sentences([
        msg`Each executor pod requests ${pod} of memory and ${own}: ${all} and ${allCores} for ${initial} pods.`,
        ...more,
      ]),
    ];
  }
  const each = msg`Each executor pod requests ${pod} of memory and ${own}.`;
  if (maximum === undefined) {
    const growth = msg`Dynamic allocation starts with ${initial} and has no maximum.`;
    return [msg`pod ${pod} × ${minimum} or more`, sentences([each, growth, ...more])];
  }
  const all = size(memoryBytes * maximum);
  const growth = msg`Dynamic allocation starts with ${initial}. At its maximum of ${maximum}, it requests ${all} and ${coreWords(cores * maximum)}.`;
  return [
    msg`pod ${pod} × ${minimum} to ${maximum} = at most ${all}`,
    sentences([each, growth, ...more]),
  ];
}

const coreWords = (cores: number): Message => {
  const count = Number(cores.toFixed(3));
  return count === 1 ? msg("1 core") : msg`${count} cores`;
};

function size(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  if (gibibytes < 1) return `${Math.round(bytes / 2 ** 20)} MiB`;
  if (gibibytes < 100) return `${gibibytes.toFixed(1)} GiB`;
  return gibibytes < 10_000
    ? `${Math.round(gibibytes)} GiB`
    : `${(gibibytes / 1024).toFixed(1)} TiB`;
}

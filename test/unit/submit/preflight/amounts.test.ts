// Compares planned pods with nodes, quotas and limit ranges.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../../../src/base/json.ts";
import { inEnglish } from "../../../../src/base/message.ts";
import {
  checkLimitRange,
  withLimitDefaults,
  type LimitRange,
} from "../../../../src/spark/submit/preflight/checkLimitRange.ts";
import { checkNodes, type Node } from "../../../../src/spark/submit/preflight/checkNodes.ts";
import { checkQuota, type Quota } from "../../../../src/spark/submit/preflight/checkQuota.ts";
import type { PlanPod } from "../../../../src/spark/submit/preflight/planPods.ts";
import type { PreflightFinding } from "../../../../src/spark/submit/preflight/preflightFinding.ts";
import { executorCount } from "../../../../src/spark/submit/preview/totals.ts";
import { conf, planOf, withOptions } from "../prepared.ts";

const textsOf = (findings: readonly PreflightFinding[]): readonly string[] =>
  findings.map(({ code, problem }) => `${code} ${inEnglish(problem)}`);

const podOf = (
  spec: JsonObject,
  { user = "driver", count = 1 }: Partial<Pick<PlanPod, "user" | "count">> = {},
): PlanPod => ({
  ...{ user, count },
  manifest: { apiVersion: "v1", kind: "Pod", metadata: { name: user }, spec },
});
const asking = (
  requests: JsonObject,
  limits: JsonObject = {},
  more?: Partial<Pick<PlanPod, "user" | "count">>,
): PlanPod => podOf({ containers: [{ name: "a", resources: { requests, limits } }] }, more);

describe("the nodes of a cluster", () => {
  const node = (name: string, more: Partial<Node> = {}): Node => ({
    ...{ name, labels: {}, allocatable: { cpu: "4", memory: "8Gi" }, isReady: true, taints: [] },
    ...more,
  });
  const pod = asking({ cpu: "1", memory: "1Gi" });
  const check = (nodes: readonly Node[], planned = pod): readonly string[] =>
    textsOf(checkNodes(nodes, planned));

  test("must be ready", () => {
    assert.deepEqual(check([node("a")]), []);
    const text = "P-15 No node accepts the driver: no node is ready.";
    assert.deepEqual(check([node("a", { isReady: false })]), [text]);
    assert.deepEqual(check([]), [text]);
  });

  test("must have all labels of the selector", () => {
    const selecting = podOf({ nodeSelector: { zone: "a", disk: "ssd" } });
    assert.deepEqual(check([node("a", { labels: { zone: "a", disk: "ssd" } })], selecting), []);
    assert.deepEqual(check([node("a", { labels: { zone: "a" } }), node("b")], selecting), [
      'P-15 No node accepts the driver: no ready node has the labels zone="a", disk="ssd".',
    ]);
  });

  const tainted = { key: "team", value: "etl", effect: "NoSchedule" };
  for (const [toleration, expected] of [
    [{ key: "team", value: "etl" }, true],
    [{ key: "team", value: "etl", effect: "NoSchedule" }, true],
    [{ key: "team", value: "etl", effect: "" }, true],
    [{ key: "team", value: "etl", effect: "NoExecute" }, false],
    [{ key: "team", value: "other" }, false],
    [{ key: "team" }, false],
    [{ key: "team", operator: "Exists" }, true],
    [{ key: "team", operator: "Exists", effect: "NoExecute" }, false],
    [{ key: "other", operator: "Exists" }, false],
    [{ operator: "Exists" }, true],
    [{ operator: "Exists", effect: "NoSchedule" }, true],
    [{ operator: "Exists", effect: "NoExecute" }, false],
    [{ value: "etl" }, false],
  ] as const) {
    test(`with a taint ${expected ? "accept" : "reject"} the toleration ${JSON.stringify(toleration)}`, () => {
      const tolerant = podOf({ tolerations: [toleration] });
      const text =
        "P-15 No node accepts the driver: every matching node has a taint that it does not tolerate.";
      assert.deepEqual(check([node("a", { taints: [tainted] })], tolerant), expected ? [] : [text]);
    });
  }

  test("with an empty value of a taint accept a toleration without a value", () => {
    const taints = [{ ...tainted, value: "" }];
    assert.deepEqual(check([node("a", { taints })], podOf({ tolerations: [{ key: "team" }] })), []);
  });

  test("need a toleration for each taint, except those that only prefer other nodes", () => {
    const preferring = { ...tainted, effect: "PreferNoSchedule" };
    assert.deepEqual(check([node("a", { taints: [preferring] })]), []);
    const one = podOf({ tolerations: [{ key: "team", operator: "Exists" }] });
    const taints = [tainted, { ...tainted, key: "other" }];
    assert.equal(check([node("a", { taints })], one).length, 1);
  });

  test("must have the requests of the pod on one node", () => {
    assert.deepEqual(check([node("a")], asking({ cpu: "4", memory: "8Gi" })), []);
    const split = [
      node("a", { allocatable: { cpu: "8", memory: "1Gi" } }),
      node("b", { allocatable: { cpu: "1", memory: "16Gi" } }),
    ];
    const wide = asking({ cpu: "2", memory: "2Gi" });
    const [words] = check(split, wide);
    assert.equal(
      words,
      "P-14 No eligible node is large enough for the driver, which requests 2 CPU and 2 GiB. The largest one has 1 CPU and 16 GiB.",
    );
    assert.equal(checkNodes(split, wide)[0]?.key, "spark.kubernetes.driver.request.cores");
    const high = asking({ cpu: "1", memory: "32Gi" });
    assert.equal(checkNodes(split, high)[0]?.key, "spark.driver.memory");
  });
});

describe("a quota", () => {
  const plan = planOf(withOptions());
  const quota = (hard: Quota["hard"], more: Partial<Quota> = {}): Quota => ({
    ...{ name: "q", hard, used: {}, scopes: [], isSelective: false },
    ...more,
  });
  const driver = asking({ cpu: "1", memory: "1Gi" });
  const executors = asking({ cpu: "2", memory: "2Gi" }, {}, { user: "executor", count: 3 });
  const check = (given: Quota, pods: readonly PlanPod[] = [driver, executors]): readonly string[] =>
    textsOf(checkQuota(given, pods, plan));

  for (const [title, hard, used, expected] of [
    ["with room for all", { cpu: "7", memory: "7Gi", pods: "4" }, {}, []],
    [
      "too small for the driver",
      { "requests.cpu": "900m" },
      {},
      ['P-09 The quota "q" has 0.9 of requests.cpu left, but the driver requests 1.'],
    ],
    [
      "used up",
      { memory: "1Gi" },
      { memory: "2Gi" },
      ['P-09 The quota "q" has 0Mi of memory left, but the driver requests 1024Mi.'],
    ],
    [
      "with room for two executors",
      { cpu: "10" },
      { cpu: "3.5" },
      ['P-10 The quota "q" has enough cpu for only 2 executors of 3.'],
    ],
    [
      "with room for the driver",
      { pods: "1" },
      {},
      ['P-10 The quota "q" has enough pods for only 0 executors of 3.'],
    ],
    [
      "for the number of pods",
      { "count/pods": "2" },
      {},
      ['P-10 The quota "q" has enough count/pods for only 1 executor of 3.'],
    ],
    [
      "for Services",
      { services: "1" },
      { services: "1" },
      ['P-09 The quota "q" has 0 of services left, but the driver requests 1.'],
    ],
    [
      "for ConfigMaps",
      { "count/configmaps": "0" },
      {},
      ['P-09 The quota "q" has 0 of count/configmaps left, but the driver requests 1.'],
    ],
    ["for other objects", { secrets: "0", persistentvolumeclaims: "0", "x/y": "0" }, {}, []],
    ["for GPUs that no pod requests", { "requests.nvidia.com/gpu": "0" }, {}, []],
  ] as const) {
    test(`${title} gives ${expected.length} findings`, () => {
      assert.deepEqual(check(quota(hard, { used })), expected);
    });
  }

  test("requires a limit of each pod that has none", () => {
    assert.deepEqual(check(quota({ "limits.cpu": "100" })), [
      'P-11 The quota "q" limits limits.cpu, but the driver does not set it.',
      'P-11 The quota "q" limits limits.cpu, but the executor does not set it.',
    ]);
    const findings = checkQuota(
      quota({ "limits.cpu": "100", "limits.memory": "1Ti" }),
      [driver],
      plan,
    );
    assert.deepEqual(
      findings.map(({ key }) => key),
      ["spark.kubernetes.driver.limit.cores", undefined],
    );
    const limited = asking({}, { cpu: "2" });
    assert.deepEqual(check(quota({ "limits.cpu": "2", "requests.cpu": "2" }), [limited]), []);
  });

  test("is ignored for pods of other classes, and cannot be checked with a selector", () => {
    for (const scope of ["BestEffort", "Terminating"]) {
      assert.deepEqual(check(quota({ pods: "0" }, { scopes: ["x", scope] })), []);
    }
    assert.equal(check(quota({ pods: "0" }, { scopes: ["NotBestEffort"] })).length, 1);
    assert.deepEqual(check(quota({ pods: "0" }, { isSelective: true })), [
      'P-90 The quota "q" could not be checked.',
    ]);
  });
});

describe("a limit range", () => {
  const range = (more: Partial<LimitRange>): LimitRange => ({
    ...{ name: "r", type: "Container", max: {}, min: {}, defaultLimit: {}, defaultRequest: {} },
    ...more,
  });
  const two = podOf({
    containers: [
      { resources: { requests: { cpu: "2" } } },
      { resources: { requests: { cpu: "3" } } },
    ],
  });
  const check = (more: Partial<LimitRange>, pod: PlanPod): readonly string[] =>
    textsOf(checkLimitRange(range(more), pod));

  for (const [title, more, pod, expected] of [
    ["accepts its bounds", { max: { cpu: "3" }, min: { cpu: "3" } }, two, undefined],
    [
      "refuses a larger container",
      { max: { cpu: "2.5" } },
      two,
      'P-12 The cpu request or limit of the driver is 3, but the limit range "r" allows at most 2.5.',
    ],
    [
      "refuses a smaller container",
      { min: { memory: "1Gi" } },
      asking({ memory: "512Mi" }),
      'P-12 The driver requests 512Mi of memory, but the limit range "r" requires at least 1024Mi.',
    ],
    [
      "compares the sum of a pod",
      { type: "Pod", max: { cpu: "4.5" } },
      two,
      'P-12 The cpu request or limit of the driver is 5, but the limit range "r" allows at most 4.5.',
    ],
    [
      "compares the limit with the maximum",
      { max: { memory: "1Gi" } },
      asking({ memory: "1Gi" }, { memory: "2Gi" }),
      'P-12 The memory request or limit of the driver is 2048Mi, but the limit range "r" allows at most 1024Mi.',
    ],
    [
      "refuses a request above the default limit",
      { defaultLimit: { cpu: "1" } },
      asking({ cpu: "2" }),
      'P-13 The driver requests 2 of cpu, but the limit range "r" sets a default limit of 1.',
    ],
    [
      "accepts a request at the default limit",
      { defaultLimit: { cpu: "2" } },
      asking({ cpu: "2" }),
      undefined,
    ],
    [
      "accepts an own limit",
      { defaultLimit: { cpu: "1" } },
      asking({ cpu: "2" }, { cpu: "3" }),
      undefined,
    ],
    [
      "sets no default for pods",
      { type: "Pod", defaultLimit: { cpu: "1" } },
      asking({ cpu: "2" }),
      undefined,
    ],
  ] as const) {
    test(title, () => {
      assert.deepEqual(check(more, pod), [expected ?? []].flat());
    });
  }

  test("names the conf key of a cpu limit only", () => {
    const keysOf = (resource: string): unknown =>
      checkLimitRange(
        range({ defaultLimit: { [resource]: "1" } }),
        asking({ [resource]: "2" }, {}, { user: "executor" }),
      ).map(({ key }) => key);
    assert.deepEqual(keysOf("cpu"), ["spark.kubernetes.executor.limit.cores"]);
    assert.deepEqual(keysOf("memory"), [undefined]);
  });

  test("adds its defaults to containers, which own amounts override", () => {
    const defaults = range({
      defaultLimit: { cpu: "4", memory: "4Gi" },
      defaultRequest: { cpu: "1", memory: "1Gi" },
    });
    const { manifest } = withLimitDefaults(asking({ memory: "2Gi" }, { cpu: "3" }), [
      range({ type: "Pod", defaultLimit: { "nvidia.com/gpu": "1" } }),
      defaults,
    ]);
    assert.deepEqual(manifest["spec"], {
      containers: [
        {
          name: "a",
          resources: {
            limits: { cpu: "3", memory: "4Gi" },
            requests: { cpu: "3", memory: "2Gi" },
          },
        },
      ],
    });
  });
});

test("the number of executors follows static and dynamic allocation", () => {
  const count = (...pairs: readonly string[]): unknown => {
    const { initial, minimum, maximum } = executorCount(planOf(withOptions(...conf(...pairs))));
    return [initial, minimum, maximum];
  };
  const dynamic = "spark.dynamicAllocation.enabled=true";
  const tracking = "spark.dynamicAllocation.shuffleTracking.enabled=true";
  assert.deepEqual(count(), [2, 2, 2]);
  assert.deepEqual(count("spark.executor.instances=5"), [5, 5, 5]);
  assert.deepEqual(count(dynamic, tracking), [0, 0, undefined]);
  assert.deepEqual(
    count(
      dynamic,
      tracking,
      "spark.dynamicAllocation.minExecutors=1",
      "spark.executor.instances=3",
    ),
    [3, 1, undefined],
  );
  assert.deepEqual(
    count(
      ...[dynamic, tracking, "spark.dynamicAllocation.minExecutors=4"],
      ...["spark.dynamicAllocation.initialExecutors=4", "spark.dynamicAllocation.maxExecutors=9"],
    ),
    [4, 4, 9],
  );
});

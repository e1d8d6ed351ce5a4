import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, msg } from "../../../src/base/message.ts";
import type { LogCauseKind } from "../../../src/spark/diagnosis/logCauseKinds.ts";
import { mayHaveFix } from "../../../src/spark/remedy/fixable.ts";
import { remediesOf, type RemedyFacts } from "../../../src/spark/remedy/remedies.ts";
import type { Remedy } from "../../../src/spark/remedy/remedy.ts";

type Conf = Readonly<Record<string, string>>;
interface Case extends Partial<Omit<RemedyFacts, "conf">> {
  readonly conf?: Conf | undefined;
  readonly told?: string;
  readonly keys?: readonly string[];
}

const isLogKind = (cause: string): cause is LogCauseKind => !/^D\d+$/.test(cause);

function remediesFor(cause: string, given: Case): readonly Remedy[] {
  const { told, keys = [], conf = {}, ...facts } = given;
  const none = msg("x");
  return remediesOf(
    {
      ...{ id: isLogKind(cause) ? "D00" : cause, fact: none, what: none, change: none, keys, told },
      ...(isLogKind(cause) ? { logKind: cause } : {}),
    },
    {
      ...{ role: "executor", namespace: "dev", minor: "4.3", node: undefined },
      ...{ ableAccounts: undefined, ...facts },
      conf: "conf" in given && given.conf === undefined ? undefined : new Map(Object.entries(conf)),
    },
  );
}

/** Returns the edits of each fix, the key that it opens, or the title of its text. */
const shown = (remedies: readonly Remedy[]): readonly string[] =>
  remedies.map((remedy) =>
    remedy.kind === "open"
      ? `open ${remedy.member ?? remedy.key}`
      : remedy.kind === "text"
        ? inEnglish(remedy.title)
        : remedy.edits
            .map((edit) =>
              edit.kind === "unset"
                ? `remove ${edit.key}`
                : `${edit.kind === "set" ? edit.key : edit.name}=${edit.value}`,
            )
            .join(" "),
  );

function check(cause: string, given: Case, ...expected: readonly string[]): void {
  assert.deepEqual(shown(remediesFor(cause, given)), expected, `${cause} ${JSON.stringify(given)}`);
}

const textOf = (cause: string, given: Case): string => {
  const texts = remediesFor(cause, given).flatMap((one) => (one.kind === "text" ? [one.text] : []));
  assert.equal(texts.length, 1);
  return texts[0] ?? "";
};

const gib = 2 ** 30;
const nodeOf = (cores: number, gibibytes: number) => ({ cores, memoryBytes: gibibytes * gib });
const decommission = "spark.decommission.enabled=true spark.storage.decommission.enabled=true";

describe("the fixes for a missing name or place", () => {
  const key = "spark.kubernetes.driver.secretKeyRef.PW";
  test("a missing key of a Secret opens its reference, and leaves other references alone", () => {
    const given = {
      told: "couldn't find key pass in Secret dev/db",
      conf: { [key]: "db:pass", "spark.kubernetes.driver.secretKeyRef.USER": "db:user" },
    };
    check("D62", given, `open ${key}`, "List the keys", `remove ${key}`);
    assert.equal(textOf("D62", given), "kubectl describe secret db --namespace dev");
  });

  test("a missing directory of the event log opens its key, or disables the event log", () => {
    const told = "FileNotFoundException: File file:/nope/logs does not exist";
    const conf = { "spark.eventLog.enabled": "true", "spark.eventLog.dir": "/nope/logs/" };
    check("file", { told, conf }, "open spark.eventLog.dir", "spark.eventLog.enabled=false");
    check("file", { told, conf: { "spark.app.name": "x" } });
    check(
      "file",
      {
        told: "NoSuchFileException: /opt/none.jar",
        conf: { "spark.jars": "local:///opt/none.jar" },
      },
      "open application",
    );
    const jar = { "spark.jars": "/opt/none.jar", "spark.files": "/opt/none.jar" };
    const missing = { told: "NoSuchFileException: /opt/none.jar", conf: jar };
    check("file", missing, "open application", "open spark.files");
    const mainClass = "org.apache.spark.deploy.PythonRunner";
    check("file", { ...missing, mainClass }, "open spark.jars", "open spark.files");
    const given = { told: "can't open file '/opt/none.py': [Errno 2] No such file or directory" };
    check("file", given, "open application");
  });

  test("a missing host path opens its key, or creates the directory", () => {
    const path = "spark.kubernetes.driver.volumes.hostPath.data.options.path";
    const type = "spark.kubernetes.driver.volumes.hostPath.data.options.type";
    const keys = [path, type];
    const given = { role: "driver", keys } as const;
    check(
      "D72",
      { ...given, conf: { [path]: "/nope", [type]: "Directory" } },
      `open ${path}`,
      `${type}=DirectoryOrCreate`,
    );
    check("D72", { ...given, conf: { [path]: "/nope", [type]: "File" } }, `open ${path}`);
    check("D72", given, "open spark.kubernetes.driver.podTemplateFile");
  });

  test("an image of the pod template opens the template", () => {
    const keys = ["spark.kubernetes.driver.podTemplateFile"];
    for (const id of ["D54", "D57", "D59", "D107"])
      check(id, { role: "driver", keys }, `open ${String(keys[0])}`);
  });
});

describe("the fixes for memory", () => {
  test("lower the memory of rejected pods to the limit range", () => {
    const told = (pod: string) =>
      `pods "${pod}" is forbidden: maximum memory usage per Container is 1Gi, but limit is 1284Mi`;
    const conf = { "spark.executor.memory": "900m", "spark.driver.memory": "2g" };
    check(
      "limitRange",
      { role: "driver", conf, told: told("etl-exec-2") },
      "spark.executor.memory=512m",
    );
    check(
      "limitRange",
      { role: "driver", conf, told: told("etl-driver") },
      "spark.driver.memory=512m",
    );
    check("limitRange", { told: "minimum cpu usage per Container is 1, but request is 100m" });
  });

  test("raise the size limit of an executor's volume for an error in the log of the driver", () => {
    const limit = "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit";
    check("diskFull", { role: "driver", conf: { [limit]: "20Mi" } }, `${limit}=80Mi`);
  });

  test("raise the overhead to at least twice as much, by at least 512 MiB", () => {
    for (const id of ["D01", "D02", "D03"]) check(id, {}, "spark.executor.memoryOverhead=896m");
    check("D01", { role: "driver" }, "spark.driver.memoryOverhead=896m");
    check(
      "D01",
      { conf: { "spark.executor.memoryOverhead": "3g" } },
      "spark.executor.memoryOverhead=6g",
    );
    check(
      "D01",
      { conf: { "spark.kubernetes.local.dirs.tmpfs": "true" } },
      "spark.executor.memoryOverhead=896m",
      "spark.kubernetes.local.dirs.tmpfs=false",
    );
    check("taskHeap", { role: "driver" }, "spark.executor.memory=2g");
    check("ivyHome", { role: "driver" }, "spark.jars.ivy=/tmp/.ivy2");
    check("pythonWorker", { role: "driver" }, "spark.executor.memoryOverhead=896m");
    check(
      "executorLost",
      { role: "driver", told: "exit code 137" },
      "spark.executor.memoryOverhead=896m",
    );
    check("executorLost", { told: "OOM" }, "spark.executor.memoryOverhead=896m");
    check("executorLost", { told: "lost" });
    check("executorLost", {});
  });

  test("raise the overhead only within the largest node", () => {
    const conf = { "spark.executor.memory": "2g", "spark.executor.memoryOverhead": "1g" };
    check("D01", { conf, node: nodeOf(4, 8) }, "spark.executor.memoryOverhead=2g");
    // 90 % of 4 GiB is 3686 MiB.
    check("D01", { conf, node: nodeOf(4, 4) }, "spark.executor.memoryOverhead=1536m");
    check("D01", { conf, node: nodeOf(4, 3) });
  });

  test("double the heap, or raise it as far as the node has room", () => {
    check("D08", {}, "spark.executor.memory=2g");
    check(
      "heap",
      { role: "driver", conf: { "spark.driver.memory": "3g" } },
      "spark.driver.memory=6g",
    );
    const conf = { "spark.executor.memory": "4g" };
    check("D08", { conf, node: nodeOf(4, 16) }, "spark.executor.memory=8g");
    check("D08", { conf, node: nodeOf(4, 8) }, "spark.executor.memory=6656m");
    check("D08", { conf, node: nodeOf(4, 5) });
  });

  test("lower the heap so that two executors and a driver fit on a node", () => {
    const conf = { "spark.executor.memory": "16g" };
    check("D39", { conf, node: nodeOf(4, 8) }, "spark.executor.memory=2688m");
    check("D39", { conf, node: nodeOf(4, 64) });
    check("D39", { conf });
    check("D39", {
      conf: { "spark.executor.memory": "1g", "spark.executor.memoryOverhead": "8g" },
      node: nodeOf(4, 4),
    });
  });

  test("double the limit of emptyDir volumes", () => {
    const volumes = "spark.kubernetes.executor.volumes.emptyDir";
    const conf = {
      [`${volumes}.a.options.sizeLimit`]: "5Gi",
      [`${volumes}.b.options.sizeLimit`]: "100",
      [`${volumes}.c.options.sizeLimit`]: "1.5Gi",
      [`${volumes}.d.options.medium`]: "Memory",
      "spark.kubernetes.driver.volumes.emptyDir.a.options.sizeLimit": "1Gi",
    };
    const fixes = [
      `${volumes}.a.options.sizeLimit=20Gi`,
      `${volumes}.b.options.sizeLimit=400`,
      `open ${volumes}.c.options.sizeLimit`,
    ];
    check("D22", { conf }, ...fixes);
    check("diskFull", { conf }, ...fixes);
  });

  test("double the limit of results, or take twice the reported size", () => {
    const bigger = (size: string): string => `results of 5 tasks (${size}) is bigger than x`;
    const key = "spark.driver.maxResultSize";
    check("resultSize", {}, `${key}=2g`);
    check("resultSize", { conf: { [key]: "512m" } }, `${key}=1g`);
    check("resultSize", { conf: { [key]: "1" } }, `${key}=128m`);
    check("resultSize", { conf: { [key]: "no size" } }, `${key}=2g`);
    check("resultSize", { told: bigger("1.5 GiB") }, `${key}=3g`);
    check("resultSize", { told: bigger("1100.0 MiB") }, `${key}=2200m`);
    check("resultSize", { told: bigger("2097152 KiB") }, `${key}=4g`);
    check("resultSize", { told: bigger("9 B") }, `${key}=2g`);
  });
});

describe("the fixes for pods that are not scheduled", () => {
  test("lower the cores to half of the largest node", () => {
    const key = "spark.kubernetes.executor.request.cores";
    const node = nodeOf(5, 8);
    check("D38", { node, conf: { [key]: "8" } }, `${key}=2.5`);
    check("D38", { node, conf: { "spark.executor.cores": "3" } }, `${key}=2.5`);
    check("D38", { node: nodeOf(0.1, 8) }, `${key}=0.1`);
    check("D38", { node, conf: { [key]: "2.5" } });
    check("D38", { node });
    check("D38", { conf: { [key]: "8" } });
    check("D38", { node, conf: undefined });
  });

  test("remove the node selectors of the pod", () => {
    const conf = {
      "spark.kubernetes.node.selector.pool": "gpu",
      "spark.kubernetes.executor.node.selector.zone": "a",
      "spark.kubernetes.driver.node.selector.zone": "b",
      "spark.app.name": "x",
    };
    check(
      "D43",
      { conf },
      "remove spark.kubernetes.node.selector.pool",
      "remove spark.kubernetes.executor.node.selector.zone",
    );
    check("D43", { conf: undefined });
  });

  test("tolerate the taint that Kubernetes names, or else those of the nodes", () => {
    const keys = ["spark.kubernetes.executor.podTemplateFile"];
    const tolerations = (told: string | undefined, facts: Case = {}): string =>
      textOf("D42", { ...facts, keys, ...(told === undefined ? {} : { told }) }).replace(
        /^[^]*tolerations:\n/,
        "",
      );
    assert.equal(
      tolerations("had untolerated taint {team/pool=gpu: NoSchedule}"),
      "    - key: team/pool\n      operator: Equal\n      value: gpu\n      effect: NoSchedule\n",
    );
    assert.equal(
      tolerations("had untolerated taint {pool: }"),
      "    - key: pool\n      operator: Exists\n",
    );
    assert.equal(tolerations(undefined), '    - key: "<key>"\n      operator: Exists\n');
    const taints = [{ key: "dedicated", value: "etl", effect: "NoSchedule" }];
    assert.equal(
      tolerations("1 node(s) had untolerated taint(s)", { node: { ...nodeOf(2, 8), taints } }),
      "    - key: dedicated\n      operator: Equal\n      value: etl\n      effect: NoSchedule\n",
    );
    check("D42", {});
    check(
      "D42",
      { keys },
      "Add the toleration to the pod template of the executor",
      "open spark.kubernetes.executor.podTemplateFile",
    );
  });

  test("halve the executors for a quota, or set the limits that it asks for", () => {
    const text = "View and raise the quota as an administrator";
    const instances = "spark.executor.instances";
    check("quota", {}, `${instances}=1`, text);
    check("quota", { conf: { [instances]: "5" } }, `${instances}=2`, text);
    check("quota", { conf: { [instances]: "1" } }, text);
    const limits = (executor: string, driver: string): string =>
      `spark.kubernetes.executor.limit.cores=${executor} spark.kubernetes.driver.limit.cores=${driver}`;
    const told = "failed quota: q-1: must specify limits.cpu for: main";
    check("quota", { told }, limits("1", "1"), text);
    check(
      "quota",
      {
        told,
        conf: {
          "spark.executor.cores": "4",
          "spark.kubernetes.driver.request.cores": "500m",
          "spark.driver.cores": "2",
        },
      },
      limits("4", "2"),
      text,
    );
    const driverLimit = { "spark.kubernetes.driver.limit.cores": "1" };
    const request = { "spark.kubernetes.executor.request.cores": "1500m" };
    check(
      "quota",
      { told, conf: { ...driverLimit, ...request } },
      "spark.kubernetes.executor.limit.cores=1500m",
      text,
    );
    check("quota", { told: "must specify memory" }, `${instances}=1`, text);
    check("quota", { told: "exceeded limits.cpu" }, `${instances}=1`, text);
    assert.match(textOf("quota", { told }), /resourcequota q-1 --namespace dev$/);
    assert.match(
      textOf("quota", { namespace: "; x" }),
      /resourcequota <name> --namespace <namespace>$/,
    );
  });
});

describe("the fixes for missing objects", () => {
  test("open and remove the settings that name the object, and create it", () => {
    const conf = {
      "spark.kubernetes.executor.secrets.keys": "/mnt",
      "spark.kubernetes.executor.secretKeyRef.PW": "keys:pw",
      "spark.kubernetes.executor.secretKeyRef.ID": "keys-2:id",
      "spark.kubernetes.hadoop.configMapName": "keys",
      // The submission itself writes this key.
      "spark.kubernetes.executor.hadoopConfigMapName": "keys",
      "spark.app.name": "keys",
    };
    const named = [
      "spark.kubernetes.executor.secrets.keys",
      "spark.kubernetes.executor.secretKeyRef.PW",
      "spark.kubernetes.hadoop.configMapName",
    ];
    const fixes = (title: string) => [
      ...named.map((key) => `open ${key}`),
      title,
      named.map((key) => `remove ${key}`).join(" "),
    ];
    const [secret, configMap] = ['secret "keys" not found', 'configmap "keys" not found'];
    check("D62", { conf, told: secret }, ...fixes("Create the Secret"));
    check("D70", { conf, told: secret }, ...fixes("Create the Secret"));
    check("D63", { conf, told: configMap }, ...fixes("Create the ConfigMap"));
    check("D70", { conf, told: configMap }, ...fixes("Create the ConfigMap"));
    check("D62", { conf: undefined, told: secret }, "Create the Secret");
    check(
      "D47",
      {
        conf: { "spark.kubernetes.a.claimName": "c" },
        told: 'persistentvolumeclaim "c" not found',
      },
      "open spark.kubernetes.a.claimName",
      "Create the volume claim",
    );
    check("D47", { conf: { "spark.kubernetes.a.claimName": "c" } }, "Create the volume claim");
    assert.match(
      textOf("D47", { told: 'persistentvolumeclaim "c" not found' }),
      /^kind: PersistentVolumeClaim\nmetadata:\n {2}name: c\n {2}namespace: dev\n/m,
    );
  });

  test("have commands with the names that Kubernetes allows, and placeholders otherwise", () => {
    const literal = "--from-literal=<key>=<value>";
    assert.equal(
      textOf("D62", { told: 'secret "keys" not found' }),
      `kubectl create secret generic keys --namespace dev ${literal}`,
    );
    assert.equal(
      textOf("D63", { told: 'configmap "a; rm" not found', namespace: "$(x)" }),
      `kubectl create configmap <name> --namespace <namespace> ${literal}`,
    );
    assert.match(textOf("D55", {}), /docker-registry <name> --namespace dev /);
    assert.match(textOf("D55", { namespace: "`x`" }), /--namespace <namespace> /);
  });

  test("pull from a private registry, or open the image of the pod", () => {
    check("D55", {}, "Create a pull secret", "open spark.kubernetes.container.image.pullSecrets");
    const own = "spark.kubernetes.executor.container.image";
    for (const id of ["D54", "D57", "D58", "D60", "D107", "architecture", "entrypoint"]) {
      check(id, { conf: undefined }, "open spark.kubernetes.container.image");
      check(id, { conf: { [own]: "x" } }, `open ${own}`);
    }
  });
});

describe("the fixes for missing permissions", () => {
  const told = 'User "system:serviceaccount:dev:runner" cannot get resource "pods"';
  const key = "spark.kubernetes.authenticate.driver.serviceAccountName";
  const text = "Role for an administrator to apply";

  test("use another account that has them", () => {
    check("forbidden", { told, ableAccounts: ["runner", "spark"] }, `${key}=spark`, text);
    check("forbidden", { told, ableAccounts: ["runner"] }, text);
    check("forbidden", { conf: { [key]: "mine" }, ableAccounts: ["mine"] }, text);
    check("forbidden", { told }, text);
  });

  test("grant them to the account", () => {
    assert.match(textOf("forbidden", { told }), /^ {2}name: runner-driver$/m);
    assert.match(textOf("forbidden", { conf: { [key]: "mine" } }), /^ {2}name: mine-driver$/m);
    assert.match(textOf("forbidden", {}), /^ {2}name: default-driver$/m);
    const hostile = 'User "system:serviceaccount:dev:a b" cannot';
    assert.match(textOf("forbidden", { told: hostile }), /^ {2}name: default-driver$/m);
  });
});

describe("the fixes for a lost connection or executor", () => {
  test("decommission executors", () => {
    check("D114", {}, decommission);
    check("D114", { role: "driver" });
    const ids = ["D25", "D26", "D27", "D29", "D32", "D101", "fetchFailed"];
    for (const id of ids) check(id, {}, decommission);
    check("D10", {}, decommission);
    check("D10", { role: "driver" });
  });

  test("raise times and limits", () => {
    check("D05", { role: "driver" }, "spark.kubernetes.driver.terminationGracePeriodSeconds=120");
    check(
      "apiServer",
      {},
      "spark.kubernetes.driver.connectionTimeout=60000 spark.kubernetes.driver.requestTimeout=60000",
    );
    const threshold = "spark.sql.autoBroadcastJoinThreshold=-1";
    const timeout = "spark.sql.broadcastTimeout";
    check("broadcastSize", {}, threshold);
    const image = "spark.kubernetes.executor.container.image";
    check("sparkVersion", { conf: { [image]: "etl:7" } }, `remove ${image}`);
    check("shuffleTracking", {}, "spark.dynamicAllocation.shuffleTracking.enabled=true");
    check("broadcastTimeout", {}, `${timeout}=1200`, threshold);
    check("broadcastTimeout", { conf: { [timeout]: "301s" } }, `${timeout}=1204`, threshold);
    check("broadcastTimeout", { conf: { [timeout]: "10" } }, `${timeout}=1200`, threshold);
    check("broadcastTimeout", { conf: { [timeout]: "5min" } }, `${timeout}=1200`, threshold);
    check("broadcastTimeout", { conf: { [timeout]: "30min" } }, `${timeout}=7200`, threshold);
    const grace = "spark.kubernetes.driver.terminationGracePeriodSeconds";
    check("D05", { role: "driver", conf: { [grace]: "90" } }, `${grace}=180`);
    check("D05", { role: "driver", conf: { [grace]: "5m" } }, `${grace}=600`);
    const [connection, request] = ["connectionTimeout", "requestTimeout"].map(
      (name) => `spark.kubernetes.driver.${name}`,
    );
    check(
      "apiServer",
      { conf: { [`${connection}`]: "120000" } },
      `${connection}=240000 ${request}=60000`,
    );
  });
});

describe("the fixes for settings that Spark rejects", () => {
  test("raise a heap below the minimum of Spark", () => {
    for (const key of ["spark.driver.memory", "spark.executor.memory"])
      check("minimumMemory", { keys: [key], conf: { [key]: "300m" } }, `${key}=512m`);
  });

  test("raise the memory of PySpark if the conf limits it", () => {
    const key = "spark.executor.pyspark.memory";
    const conf = { [key]: "200m", "spark.kubernetes.resource.type": "python" };
    check("pythonMemory", { conf }, `${key}=640m`);
    check("pythonMemory", { conf: { ...conf, [key]: "2g" } }, `${key}=4g`);
    check("pythonMemory", {});
  });

  test("remove the settings whose value is the missing class or Python", () => {
    const serializer = "spark.serializer";
    const told = "ClassNotFoundException: org.example.KryoSerialiser";
    const conf = { [serializer]: "org.example.KryoSerialiser", "spark.plugins": "org.example.A" };
    check("mainClass", { told, conf }, `open ${serializer}`, `remove ${serializer}`);
    check("mainClass", { told, conf: {}, keys: ["spark.jars"] }, "open spark.jars");
    const main = {
      told: "Failed to load class org.example.Orders.",
      mainClass: "org.example.Orders",
    };
    check("mainClass", main, "open class");
    check("D19", main, "open class");
    const python = "spark.pyspark.python";
    check(
      "pythonProgram",
      {
        told: 'IOException: Cannot run program "/opt/venv/bin/python3"',
        conf: { [python]: "/opt/venv/bin/python3" },
      },
      `open ${python}`,
      `remove ${python}`,
    );
  });

  test("remove the heartbeat interval or the network timeout that the run sets", () => {
    const keys = ["spark.executor.heartbeatInterval", "spark.network.timeout"];
    check("heartbeat", { keys, conf: { [String(keys[0])]: "200s" } }, `remove ${String(keys[0])}`);
    check(
      "heartbeat",
      { keys, conf: { [String(keys[0])]: "200s", [String(keys[1])]: "100s" } },
      keys.map((key) => `remove ${key}`).join(" "),
    );
  });

  test("lower the cores of a task to those of an executor", () => {
    check("taskCores", { conf: { "spark.task.cpus": "4" } }, "spark.task.cpus=1");
    const conf = { "spark.task.cpus": "4", "spark.executor.cores": "2" };
    check("taskCores", { conf }, "spark.task.cpus=2");
  });

  test("set the setting of Spark's advice, and disable the ANSI mode", () => {
    const policy = "spark.sql.legacy.timeParserPolicy";
    check("offeredSetting", { told: `You can set "${policy}" to "LEGACY" to` }, `${policy}=LEGACY`);
    const partitions = "spark.sql.shuffle.partitions";
    const invalid = { keys: [partitions], conf: { [partitions]: "abc" } };
    check("confValue", invalid, `open ${partitions}`, `remove ${partitions}`);
    check("offeredSetting", { told: 'set "spark.jars" to "http://evil/x.jar"' });
    check("ansi", {}, "spark.sql.ansi.enabled=false");
  });

  test("use the image of the node if each pull fails", () => {
    const policy = "spark.kubernetes.container.image.pullPolicy";
    const image = "open spark.kubernetes.container.image";
    for (const id of ["D54", "D57", "D107"]) {
      check(id, { conf: { [policy]: "Always" } }, image, `${policy}=IfNotPresent`);
      check(id, { conf: { [policy]: "IfNotPresent" } }, image);
    }
  });
});

describe("the other fixes", () => {
  test("set a value", () => {
    const keys = ["spark.kubernetes.executor.checkAllContainers"];
    check("D04", { keys }, "spark.kubernetes.executor.checkAllContainers=false");
    check("D104", { keys }, "spark.kubernetes.executor.checkAllContainers=false");
    check("D104", {});
    check("D49", {}, "spark.kubernetes.legacy.useReadWriteOnceAccessMode=true");
    check("D59", {}, "spark.kubernetes.container.image.pullPolicy=IfNotPresent");
    check("pythonModule", {}, "pythonPackages=send");
  });

  test("remove a setting if the run has it", () => {
    const rows = [
      ["D12", "spark.kubernetes.executor.container.image"],
      ["D18", "spark.driver.timeout"],
      ["D52", "spark.kubernetes.scheduler.name"],
      ["podLimit", "spark.kubernetes.allocation.maximum"],
    ] as const;
    for (const [id, key] of rows) {
      check(id, { conf: { [key]: "x" } }, `remove ${key}`);
      check(id, {});
      check(id, { conf: undefined });
    }
  });

  test("compare the driver's Service with its pod", () => {
    const told = "UnknownHostException: pi-1f-driver-svc.etl.svc";
    check("driverService", { told }, "Compare the Service with the driver pod");
    const [first] = textOf("driverService", { told }).split("\n");
    assert.equal(first, "kubectl describe service pi-1f-driver-svc --namespace etl");
  });

  test("use one image or one Python for the driver and the executors", () => {
    const python = { "spark.pyspark.python": "python3.9" };
    const image = { "spark.kubernetes.executor.container.image": "x:1" };
    check("pythonVersion", { conf: python }, "remove spark.pyspark.python");
    check(
      "pythonVersion",
      { conf: { ...python, ...image } },
      "remove spark.kubernetes.executor.container.image",
    );
    check("pythonVersion", {});
  });

  test("load the packages for the Scala version of Spark 4", () => {
    const conf = { "spark.jars.packages": "io.delta:delta-spark_2.12:3.2.0,org.example:a:1" };
    const fix = "spark.jars.packages=io.delta:delta-spark_2.13:3.2.0,org.example:a:1";
    check("scalaVersion", { conf }, fix);
    check("scalaVersion", { conf, minor: "3.5" });
    check("scalaVersion", { conf: { "spark.jars": "/a_2.12-1.jar" } }, "spark.jars=/a_2.13-1.jar");
  });

  test("load the file system of S3 in the version of Spark's Hadoop", () => {
    const told = 'No FileSystem for scheme "s3a"';
    const packages = "spark.jars.packages";
    const library = "org.apache.hadoop:hadoop-aws";
    check("fileSystem", { told }, `${packages}=${library}:3.5.0`);
    check("fileSystem", { told, minor: "3.5" }, `${packages}=${library}:3.3.4`);
    check(
      "fileSystem",
      { told, conf: { [packages]: "a:b:1" } },
      `${packages}=a:b:1,${library}:3.5.0`,
    );
    check("fileSystem", { told, minor: "3.4" });
    check("fileSystem", { told: 'No FileSystem for scheme "gs"' });
  });

  test("open the first setting of the advice if no other fix names a value or setting", () => {
    const keys = ["spark.a.*", "spark.b", "spark.c"];
    check("D999", { keys }, "open spark.b");
    check("D999", { keys: ["spark.a.*"] });
    check("D52", { keys }, "open spark.b");
    check("D49", { keys }, "spark.kubernetes.legacy.useReadWriteOnceAccessMode=true");
    check("D54", { keys }, "open spark.kubernetes.container.image");
    check("D62", { keys, told: 'secret "x" not found' }, "Create the Secret", "open spark.b");
  });
});

const titlesOf = (cause: string, given: Case = {}): readonly string[] =>
  remediesFor(cause, given).map(({ title }) => inEnglish(title));

describe("the fixes for volumes and quotas", () => {
  test("of a missing shuffle service disable it and track shuffle data", () => {
    assert.deepEqual(titlesOf("shuffleService"), ["Set spark.shuffle.service.enabled to false"]);
  });

  test("of a volume that is not created open its storage class", () => {
    const key = "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.storageClass";
    assert.deepEqual(titlesOf("D74", { conf: { [key]: "fast" } }), [`Open Spark Property ${key}`]);
  });

  test("of a set whose pods exceed a quota are those of the quota", () => {
    assert.deepEqual(
      titlesOf("D78", {
        told: "create Pod x in StatefulSet y failed error: exceeded quota: team-a",
        conf: { "spark.executor.instances": "8" },
      }),
      ["Set spark.executor.instances to 4", "View and raise the quota as an administrator"],
    );
  });

  test("of a driver that waits for volume claims remove the wait", () => {
    const key = "spark.kubernetes.driver.waitToReusePersistentVolumeClaim";
    assert.deepEqual(titlesOf("claimWait", { conf: { [key]: "true" } }), [`Remove ${key}`]);
  });
});

test("a cause that is only an exit code or advice has no fix", () => {
  const diagnosis = (
    id: string,
    keys: readonly string[] = [],
  ): Parameters<typeof mayHaveFix>[0] => {
    const none = msg("x");
    return { id, fact: none, what: none, change: none, keys, told: undefined };
  };
  const fixable = [diagnosis("D01"), diagnosis("D999", ["spark.driver.memory"])];
  const others = [diagnosis("D12"), diagnosis("D103"), diagnosis("D999", ["spark.driver.*"])];
  assert.deepEqual([...fixable, ...others].map(mayHaveFix), [true, true, false, false, false]);
});

describe("the fixes without facts", () => {
  test("calculate no size if the conf cannot be read", () => {
    const node = nodeOf(4, 8);
    for (const id of ["D01", "D08", "D39", "D22", "D43", "D74", "diskFull", "pythonMemory", "heap"])
      check(id, { conf: undefined, node });
    for (const kind of ["heartbeat", "taskCores", "pythonVersion", "scalaVersion", "podLimit"])
      check(kind, { conf: undefined, keys: ["spark.a.*"] });
    const told = "pods etl-driver: maximum memory usage per Container is 1Gi";
    check("limitRange", { conf: undefined, told });
    check("file", { conf: undefined, told: "NoSuchFileException: /opt/a.jar" });
    check("pythonProgram", { conf: undefined, told: 'Cannot run program "python9"' });
    check("D72", { conf: undefined }, "open spark.kubernetes.executor.podTemplateFile");
  });

  test("have defaults if the conf cannot be read or the message is unknown", () => {
    check("resultSize", { conf: undefined }, "spark.driver.maxResultSize=2g");
    check(
      "broadcastTimeout",
      { conf: undefined },
      "spark.sql.broadcastTimeout=1200",
      "spark.sql.autoBroadcastJoinThreshold=-1",
    );
    const quota = "View and raise the quota as an administrator";
    check("quota", { conf: undefined }, "spark.executor.instances=1", quota);
    check(
      "quota",
      { conf: undefined, told: "must specify limits.cpu" },
      "spark.kubernetes.executor.limit.cores=1 spark.kubernetes.driver.limit.cores=1",
      quota,
    );
    check("D70", {}, "Create the ConfigMap");
    check("D78", {});
    for (const kind of ["file", "fileSystem", "offeredSetting", "limitRange"]) check(kind, {});
    assert.equal(
      textOf("driverService", {}),
      [
        "kubectl describe service <name> --namespace dev",
        "kubectl get endpointslices --namespace dev --selector kubernetes.io/service-name=<name>",
        "kubectl get pods --namespace dev --selector spark-role=driver --show-labels",
      ].join("\n"),
    );
    assert.equal(
      textOf("driverService", { namespace: "a b" }).split("\n")[0],
      "kubectl describe service <name> --namespace <namespace>",
    );
  });
});

describe("the exact limits of fixes", () => {
  const cores = "spark.kubernetes.executor.request.cores";
  const instances = "spark.executor.instances";

  test("a pod requests one core by default, and half of a node fits", () => {
    check("D38", { node: nodeOf(1, 8) }, `${cores}=0.5`);
    check("D38", { node: nodeOf(1.9, 8) }, `${cores}=0.9`);
    check("D38", { node: nodeOf(2, 8) });
    check("D38", { node: nodeOf(3, 8) });
    check("D38", { node: nodeOf(0, 8) }, `${cores}=0.1`);
    check(
      "D38",
      { role: "driver", node: nodeOf(4, 8), conf: { "spark.driver.cores": "3", [cores]: "9" } },
      "spark.kubernetes.driver.request.cores=2",
    );
    check("D38", { node: nodeOf(4, 8), conf: { [cores]: "1", "spark.executor.cores": "9" } });
    check("D38", { node: nodeOf(4, 8), conf: { [cores]: "6000m" } }, `${cores}=2`);
    check("D38", { node: nodeOf(4, 8), conf: { [cores]: "1500m" } });
  });

  test("a quota keeps one executor, and halves an odd number down", () => {
    const quota = "View and raise the quota as an administrator";
    for (const [present, next] of [
      ["2", "1"],
      ["3", "1"],
      ["4", "2"],
    ] as const)
      check("quota", { conf: { [instances]: present } }, `${instances}=${next}`, quota);
    check("quota", { conf: { [instances]: "0" } }, quota);
    check("quota", { conf: { [instances]: "many" } }, quota);
  });

  test("a CPU limit is the larger of the request and the cores", () => {
    const quota = "View and raise the quota as an administrator";
    const driver = { "spark.kubernetes.driver.limit.cores": "1" };
    const told = "must specify limits.cpu";
    const limit = (conf: Conf, value: string): void => {
      const set = `spark.kubernetes.executor.limit.cores=${value}`;
      check("quota", { told, conf: { ...driver, ...conf } }, set, quota);
    };
    limit({ [cores]: "2" }, "2");
    limit({ [cores]: "1" }, "1");
    limit({ [cores]: "1000m" }, "1");
    limit({ [cores]: "1001m" }, "1001m");
    limit({ [cores]: "x" }, "1");
    limit({ [cores]: "2500m", "spark.executor.cores": "3" }, "3");
    const both = { ...driver, "spark.kubernetes.executor.limit.cores": "2" };
    check("quota", { told, conf: both }, quota);
  });

  test("the limit of results is at least 128 MiB, and twice the larger size", () => {
    const key = "spark.driver.maxResultSize";
    const told = (size: string) => `results of 5 tasks (${size}) is bigger than x`;
    check("resultSize", { conf: { [key]: "64m" } }, `${key}=128m`);
    check("resultSize", { conf: { [key]: "65m" } }, `${key}=130m`);
    check("resultSize", { conf: { [key]: "10m" }, told: told("100.3 MiB") }, `${key}=201m`);
    check("resultSize", { conf: { [key]: "10m" }, told: told("104857600 B") }, `${key}=200m`);
    check("resultSize", { conf: { [key]: "3g" }, told: told("1 GiB") }, `${key}=6g`);
    check("resultSize", { told: told("2 TiB") }, `${key}=2g`);
  });

  test("the time of a broadcast is at least 1200 s, and four times the present one", () => {
    const timeout = (present: string): string | undefined =>
      shown(
        remediesFor("broadcastTimeout", { conf: { "spark.sql.broadcastTimeout": present } }),
      )[0];
    assert.deepEqual(["300", "300s", "301", "1000", "1 s", "x300"].map(timeout), [
      ...["1200", "1200", "1204", "4000", "1200", "1200"].map(
        (next) => `spark.sql.broadcastTimeout=${next}`,
      ),
    ]);
  });

  test("an emptyDir gets four times its limit; an executor's own limit comes first", () => {
    const limitOf = (role: string) =>
      `spark.kubernetes.${role}.volumes.emptyDir.a.options.sizeLimit`;
    const [executor, driver] = [limitOf("executor"), limitOf("driver")];
    const sizes = { "1Gi": "4Gi", "2G": "8G", "7": "28", "3Ki": "12Ki", "5T": "20T", "1M": "4M" };
    for (const [size, next] of Object.entries(sizes))
      check("D22", { conf: { [executor]: size } }, `${executor}=${next}`);
    for (const size of ["1Pi", "1e3", "1234567890", ""])
      check("D22", { conf: { [executor]: size } }, `open ${executor}`);
    const both = { [executor]: "1Gi", [driver]: "2Gi" };
    check("D22", { conf: both }, `${executor}=4Gi`);
    check("D22", { role: "driver", conf: both }, `${driver}=8Gi`);
    check("D22", { role: "driver", conf: { [executor]: "1Gi" } }, `${executor}=4Gi`);
    check("D22", { conf: { [driver]: "1Gi" } });
    const names = {
      "spark.kubernetes.executor.volumes.hostPath.a.options.sizeLimit": "1Gi",
      "spark.kubernetes.executor.volumes.emptyDir.a.options.medium": "1Gi",
    };
    check("D22", { conf: names });
  });

  test("a limit range is for an upper limit of memory only", () => {
    const conf = { "spark.executor.memory": "4g" };
    const told = (limit: string) => `pods "etl-exec-1" is forbidden: ${limit}`;
    const fix = "spark.executor.memory=1536m";
    check("limitRange", { conf, told: told("maximum memory usage per Pod is 2Gi") }, fix);
    for (const limit of [
      "minimum memory usage per Pod is 2Gi",
      "maximum cpu usage per Pod is 2",
      "maximum memory usage per Pod is x",
      "memory max limit to request ratio per Pod is 2",
    ])
      check("limitRange", { conf, told: told(limit) });
    check("limitRange", { conf, told: told("maximum memory usage per Pod is 5Gi") });
    const driver = { role: "driver", conf: { "spark.driver.memory": "4g" } } as const;
    const rejected = 'pods "etl-exec-driver" is forbidden: maximum memory usage per Pod is 2Gi';
    check("limitRange", { ...driver, told: rejected }, "spark.driver.memory=1536m");
  });
});

describe("the names in commands and settings", () => {
  test("of a missing key are those of its holder", () => {
    const told = "couldn't find key a.b in ConfigMap dev/settings";
    assert.equal(textOf("D63", { told }), "kubectl describe configmap settings --namespace dev");
    check("D63", { told }, "List the keys");
    const key = "spark.kubernetes.driver.secretKeyRef.PW";
    check(
      "D62",
      { told: 'secret "db" not found', conf: { [key]: "dbx:pass" } },
      "Create the Secret",
    );
  });

  test("are valid names of Kubernetes of at most 253 characters", () => {
    const commandOf = (name: string) => textOf("D62", { told: `secret "${name}" not found` });
    const namesIn = (name: string) => / generic (\S+) /.exec(commandOf(name))?.[1];
    const atLimit = "a".repeat(253);
    for (const name of ["a", "a.b", "a-b", "0", atLimit]) assert.equal(namesIn(name), name);
    for (const name of [`${atLimit}a`, "-a", "a-", "a_b", "A", ".a"])
      assert.equal(namesIn(name), "<name>", name);
  });

  test("of a class or program are whole items of a list", () => {
    const told = "ClassNotFoundException: org.example.A";
    const conf = { "spark.plugins": "org.example.B,org.example.A", "spark.x": "org.example.AB" };
    check("mainClass", { told, conf }, "open spark.plugins", "remove spark.plugins");
    const other = { told, conf, mainClass: "org.example.Main" };
    check("mainClass", other, "open spark.plugins", "remove spark.plugins");
    check("mainClass", { told: "ClassNotFoundException: ?", conf: { "spark.x": "" } });
  });

  test("of a missing file match without the scheme and a slash at the end", () => {
    const told = "FileNotFoundException: /data/in (No such file or directory)";
    const conf = { "spark.a": "file:///data/in/", "spark.b": "/data", "spark.c": "local:/data/in" };
    check("file", { told, conf }, "open spark.a", "open spark.c");
  });

  test("of a host path's type are opened only with another key", () => {
    const type = "spark.kubernetes.executor.volumes.hostPath.a.options.type";
    const keys = [type];
    check("D72", { keys, conf: { [type]: "Directory" } }, `${type}=DirectoryOrCreate`);
    check("D72", { keys, conf: { [type]: "File" } }, `open ${type}`);
  });

  test("of a storage class are those of the pod's own claims", () => {
    const key = (role: string, end: string) =>
      `spark.kubernetes.${role}.volumes.persistentVolumeClaim.a.options.${end}`;
    const conf = {
      [key("executor", "storageClass")]: "fast",
      [key("driver", "storageClass")]: "fast",
      [key("executor", "sizeLimit")]: "1Gi",
      "spark.storageClass.options.storageClass": "x",
    };
    check("D74", { conf }, `open ${key("executor", "storageClass")}`);
    check("D74", { role: "driver", conf }, `open ${key("driver", "storageClass")}`);
  });

  test("are those of the settings that the run has", () => {
    const image = "spark.kubernetes.executor.container.image";
    check("D12", { conf: { [image]: "x" }, keys: [image] }, `remove ${image}`);
    check("D12", { keys: [image] }, `open ${image}`);
    check("taskCores", {});
    check(
      "shuffleService",
      {},
      `spark.shuffle.service.enabled=false spark.dynamicAllocation.shuffleTracking.enabled=true`,
    );
  });

  test("of tolerations keep the taint's value and effect", () => {
    const keys = ["spark.kubernetes.driver.podTemplateFile"];
    const taints = [
      { key: "a", value: "", effect: "" },
      { key: "b", value: "x", effect: "NoExecute" },
    ];
    assert.equal(
      textOf("D42", { role: "driver", keys, node: { ...nodeOf(2, 8), taints } }),
      [
        ...["apiVersion: v1", "kind: Pod", "spec:", "  tolerations:"],
        ...["    - key: a", "      operator: Exists"],
        ...[
          "    - key: b",
          "      operator: Equal",
          "      value: x",
          "      effect: NoExecute",
          "",
        ],
      ].join("\n"),
    );
  });
});

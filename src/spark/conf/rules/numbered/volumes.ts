import { msg } from "../../../../base/message.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import { isDnsLabel } from "../../../kubernetesNames.ts";
import { parseQuantity } from "../../../quantity.ts";
import { isPlaceholder } from "../../values/placeholders.ts";
import { at, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";

interface Volume {
  readonly role: string;
  readonly type: string;
  readonly name: string;
  readonly first: ConfEntry;
  /** The beginning of the volume's keys, up to and including the dot before the option. */
  readonly prefix: string;
  readonly options: ReadonlyMap<string, ConfEntry>;
}

const types = ["hostPath", "emptyDir", "nfs", "persistentVolumeClaim"];
const needed: ReadonlyMap<string, readonly string[]> = new Map([
  ["hostPath", ["options.path"]],
  ["persistentVolumeClaim", ["options.claimName"]],
  ["nfs", ["options.server", "options.path"]],
]);
const claim = "persistentVolumeClaim";
const scratchPrefix = "spark-local-dir-";

function volumesOf(conf: RuleConf, role: string): readonly Volume[] {
  const prefix = `spark.kubernetes.${role}.volumes.`;
  const found = new Map<string, Volume & { readonly options: Map<string, ConfEntry> }>();
  for (const entry of conf.group(prefix)) {
    const [type = "", name = "", ...option] = entry.key.slice(prefix.length).split(".");
    const id = `${type}.${name}`;
    const volume = found.get(id) ?? {
      role,
      type,
      name,
      first: entry,
      prefix: `${prefix}${id}.`,
      options: new Map<string, ConfEntry>(),
    };
    volume.options.set(option.join("."), entry);
    found.set(id, volume);
  }
  return [...found.values()];
}

const allVolumes = (conf: RuleConf): readonly Volume[] =>
  podRoles.flatMap((role) => volumesOf(conf, role));
const option = ({ options }: Volume, name: string): string | undefined => {
  const value = options.get(name)?.value;
  return value === undefined || isPlaceholder(value) ? undefined : value;
};
/**
 * True if the volume's name contains dots, so that `rest`, the key after the first dot of the name, begins inside it.
 */
const isCut = (rest: string): boolean => {
  const parts = rest.split(".");
  const [first = ""] = parts;
  return (
    parts.length > 2 &&
    ["mount", "options"].includes(parts.at(-2) ?? "") &&
    !["mount", "options", "label", "annotation"].includes(first)
  );
};
const isNamed = ({ options }: Volume): boolean => [...options.keys()].some((one) => !isCut(one));
const isOnDemand = (volume: Volume): boolean =>
  volume.type === claim && option(volume, "options.claimName") === "OnDemand";
const isFixedClaim = (volume: Volume): boolean => {
  const name = option(volume, "options.claimName");
  return (
    volume.type === claim &&
    name !== undefined &&
    name !== "OnDemand" &&
    !name.includes("SPARK_EXECUTOR_ID")
  );
};
const executorsAtMost = (conf: RuleConf): number | undefined =>
  conf.flag("spark.dynamicAllocation.enabled") === true
    ? conf.number("spark.dynamicAllocation.maxExecutors")
    : conf.number("spark.executor.instances", 2);
const missing = (volume: Volume, name: string): Violation => ({
  at: volume.first,
  part: "key",
  without: [volume.prefix + name],
  isTorn: true,
});
const scratch = (conf: RuleConf): readonly Volume[] =>
  volumesOf(conf, "executor").filter(({ name }) => name.startsWith(scratchPrefix));

const ownKey = "spark.kubernetes.driver.ownPersistentVolumeClaim";
const reuseKey = "spark.kubernetes.driver.reusePersistentVolumeClaim";
const waitKey = "spark.kubernetes.driver.waitToReusePersistentVolumeClaim";
const dynamic = "spark.dynamicAllocation.enabled";
const recoveryPlugin = "org.apache.spark.shuffle.KubernetesLocalDiskShuffleDataIO";

/** Rules about volumes, claims and local disks. */
export const volumeRules: readonly ConfRule[] = [
  {
    code: "R068-volume-type",
    severity: "error",
    says: msg(
      "Spark does not support this volume type. Use hostPath, emptyDir, nfs or persistentVolumeClaim, spelled exactly.",
    ),
    page: msg("Use a pod template to mount other volume types, such as ConfigMaps."),
    hit: "spark.kubernetes.driver.volumes.configMap.conf.mount.path /etc/app",
    miss: "spark.kubernetes.driver.volumes.emptyDir.conf.mount.path /etc/app",
    *check(conf) {
      for (const { type, first } of allVolumes(conf)) {
        if (!types.includes(type) && !/[{}$<]/.test(type)) yield { at: first, part: "key" };
      }
    },
  },
  {
    code: "R069-volume-name",
    severity: "error",
    says: msg(
      "A volume name must be a DNS label: lowercase letters, digits and dashes, without dots.",
    ),
    page: msg(
      "Spark splits the key at dots, so it reads a name with a dot as another key. The API server rejects uppercase letters and underscores. Use each volume name with one type only.",
    ),
    hit: "spark.kubernetes.driver.volumes.emptyDir.My_Data.mount.path /data",
    miss: "spark.kubernetes.driver.volumes.emptyDir.my-data.mount.path /data",
    *check(conf) {
      for (const role of podRoles) {
        const seen = new Map<string, string>();
        for (const { name, type, first, options } of volumesOf(conf, role)) {
          if (/[{}$<]/.test(name)) continue;
          if (types.includes(type)) {
            const cut = [...options].find(([one]) => isCut(one));
            if (cut !== undefined) yield { at: cut[1], part: "key" };
          }
          const other = seen.get(name);
          if (!isDnsLabel(name)) yield { at: first, part: "key" };
          else if (other !== undefined && other !== type) {
            yield {
              at: first,
              part: "key",
              says: msg`The name "${name}" is already used for a volume of type ${other}.`,
            };
          }
          seen.set(name, type);
        }
      }
    },
  },
  {
    code: "R070-volume-without-mount",
    severity: "error",
    says: msg("The volume has no mount.path, so Spark rejects it."),
    page: msg("Each volume needs `mount.path`, the path at which containers mount it."),
    hit: "spark.kubernetes.driver.volumes.emptyDir.data.options.sizeLimit 10Gi",
    miss: "spark.kubernetes.driver.volumes.emptyDir.data.options.sizeLimit 10Gi\nspark.kubernetes.driver.volumes.emptyDir.data.mount.path /data",
    *check(conf) {
      for (const volume of allVolumes(conf)) {
        if (types.includes(volume.type) && isNamed(volume) && !volume.options.has("mount.path"))
          yield missing(volume, "mount.path");
      }
    },
  },
  {
    code: "R071-volume-option-missing",
    severity: "error",
    says: msg("An option that this volume type requires is not set."),
    page: msg(
      "A `hostPath` requires `options.path`, a `persistentVolumeClaim` requires `options.claimName`, and an `nfs` requires `options.server` and `options.path`.",
    ),
    hit: "spark.kubernetes.driver.volumes.hostPath.data.mount.path /data",
    miss: "spark.kubernetes.driver.volumes.hostPath.data.mount.path /data\nspark.kubernetes.driver.volumes.hostPath.data.options.path /mnt/data",
    *check(conf) {
      for (const volume of allVolumes(conf)) {
        for (const name of needed.get(volume.type) ?? []) {
          if (volume.options.has(name) || !isNamed(volume)) continue;
          yield {
            ...missing(volume, name),
            says: msg`A volume of type ${volume.type} requires "${name}".`,
          };
        }
      }
    },
  },
  {
    code: "R072-mounted-twice",
    severity: "error",
    says: msg("Two volumes have the same mount path."),
    page: msg(
      "The mount paths of a pod must differ, and Spark mounts its own files at `/opt/spark/conf`.",
    ),
    hit: "spark.kubernetes.driver.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.driver.volumes.emptyDir.b.mount.path /data",
    miss: "spark.kubernetes.driver.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.a.mount.path /data",
    *check(conf) {
      for (const role of podRoles) {
        const seen = new Set<string>();
        for (const volume of volumesOf(conf, role)) {
          const path = option(volume, "mount.path");
          const entry = volume.options.get("mount.path");
          if (path === undefined || entry === undefined) continue;
          if (seen.has(path)) yield { at: entry };
          else if (path === "/opt/spark/conf") {
            yield { at: entry, says: msg("Spark mounts its own files at /opt/spark/conf.") };
          }
          seen.add(path);
        }
      }
    },
  },
  {
    code: "R073-two-sub-paths",
    severity: "error",
    from: "4.0",
    says: msg("Set either mount.subPath or mount.subPathExpr, not both."),
    page: msg("Spark rejects volumes with both. Keep one of them."),
    hit: "spark.kubernetes.driver.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.driver.volumes.emptyDir.a.mount.subPath x\nspark.kubernetes.driver.volumes.emptyDir.a.mount.subPathExpr $(POD)",
    miss: "spark.kubernetes.driver.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.driver.volumes.emptyDir.a.mount.subPath x",
    *check(conf) {
      for (const { options } of allVolumes(conf)) {
        const expression = options.get("mount.subPathExpr");
        if (expression !== undefined && options.has("mount.subPath"))
          yield { at: expression, part: "key" };
      }
    },
  },
  {
    code: "R074-tiny-size-limit",
    severity: "error",
    says: msg("Without a unit, this is a number of bytes. Add Mi or Gi."),
    page: msg(
      "A `sizeLimit` is a Kubernetes quantity. Spark 4.0 and later reject claims and empty directories below 1 KiB without a unit. Before Spark 4.0, the pod is created, but evicted as soon as it exceeds the limit.",
    ),
    hit: "spark.kubernetes.executor.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.a.options.sizeLimit 100",
    miss: "spark.kubernetes.executor.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.a.options.sizeLimit 100Gi",
    *check(conf) {
      for (const volume of allVolumes(conf)) {
        const entry = volume.options.get("options.sizeLimit");
        const text = option(volume, "options.sizeLimit") ?? "";
        if (entry === undefined || !/^[0-9]+$/.test(text) || Number(text) >= 1024) continue;
        yield conf.isFrom("4.0") ? { at: entry } : { at: entry, severity: "warning" };
      }
    },
  },
  {
    code: "R075-size-limit-unit",
    severity: "error",
    says: msg("Volume sizes are Kubernetes quantities, such as 10Gi or 500Mi."),
    page: msg(
      "Do not use Spark's size units here: the API server rejects `10g`, and `500m` means half a byte.",
    ),
    hit: "spark.kubernetes.executor.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.a.options.sizeLimit 10g",
    miss: "spark.kubernetes.executor.volumes.emptyDir.a.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.a.options.sizeLimit 10G",
    *check(conf) {
      for (const volume of allVolumes(conf)) {
        const entry = volume.options.get("options.sizeLimit");
        const text = option(volume, "options.sizeLimit");
        if (entry === undefined || text === undefined || text === "") continue;
        if (parseQuantity(text) === undefined) yield { at: entry };
        else if (/^[0-9.]+m$/.test(text)) {
          yield {
            at: entry,
            severity: "warning",
            says: msg`"${text}" means thousandths of a byte. Write ${text.slice(0, -1)}Mi.`,
          };
        }
      }
    },
  },
  {
    code: "R076-on-demand-incomplete",
    severity: "error",
    says: msg(
      "Spark creates an on-demand claim only if both storageClass and sizeLimit are set. Otherwise, the pod stays pending.",
    ),
    page: msg(
      "With `claimName=OnDemand`, each pod refers to a separate claim. Spark creates this claim only if its storage class and size are set.",
    ),
    hit: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path /data\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.sizeLimit 100Gi",
    miss: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path /data\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.storageClass gp3\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.sizeLimit 100Gi",
    *check(conf) {
      for (const volume of allVolumes(conf).filter(isOnDemand)) {
        const entry = volume.options.get("options.claimName");
        const without = ["options.storageClass", "options.sizeLimit"].filter(
          (name) => !volume.options.has(name),
        );
        if (entry === undefined || without.length === 0) continue;
        yield { at: entry, without: without.map((name) => volume.prefix + name), isTorn: true };
      }
    },
  },
  {
    code: "R077-shared-claim",
    severity: "warning",
    says: msg(
      "All executors mount the same claim: this requires storage that several nodes can mount.",
    ),
    page: msg(
      "Most storage can be mounted on one node at a time, so executors on other nodes wait. Use `OnDemand` for a separate claim per executor, or storage with the access mode ReadWriteMany.",
    ),
    hit: "spark.executor.instances 4\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path /data\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName shared",
    miss: "spark.executor.instances 1\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path /data\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName shared",
    *check(conf) {
      const count = executorsAtMost(conf);
      for (const volume of volumesOf(conf, "executor").filter(isFixedClaim)) {
        const entry = volume.options.get("options.claimName");
        const isReadOnly = option(volume, "mount.readOnly") === "true";
        if (entry === undefined || isReadOnly || (count !== undefined && count < 2)) continue;
        const isCounted = conf.flag(dynamic) === true || !conf.lacks("spark.executor.instances");
        yield isCounted ? { at: entry } : { at: entry, severity: "information" };
      }
    },
  },
  {
    code: "R079-claims-of-one-pod",
    severity: "warning",
    from: "4.0",
    says: msg(
      "In Spark 4.0 and later, on-demand claims use ReadWriteOncePod, which some storage drivers do not support.",
    ),
    page: msg(
      "If the storage class's driver does not support this access mode, set `spark.kubernetes.legacy.useReadWriteOnceAccessMode` to true.",
    ),
    hit: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand",
    miss: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand\nspark.kubernetes.legacy.useReadWriteOnceAccessMode true",
    *check(conf) {
      if (!conf.lacks("spark.kubernetes.legacy.useReadWriteOnceAccessMode")) return;
      const [volume] = allVolumes(conf).filter(isOnDemand);
      const entry = volume?.options.get("options.claimName");
      if (entry !== undefined) yield { at: entry, severity: "hint" };
    },
  },
  {
    code: "R080-reuse-without-own",
    severity: "warning",
    says: msg("Claims can be reused only if the driver owns them."),
    page: msg(
      "Set `spark.kubernetes.driver.ownPersistentVolumeClaim` to true as well, the default in Spark 3.4 and later.",
    ),
    hit: "spark.kubernetes.driver.reusePersistentVolumeClaim true\nspark.kubernetes.driver.ownPersistentVolumeClaim false",
    miss: "spark.kubernetes.driver.reusePersistentVolumeClaim true\nspark.kubernetes.driver.ownPersistentVolumeClaim true",
    *check(conf) {
      if (conf.lacks(reuseKey) || conf.flag(reuseKey) !== true || conf.flag(ownKey) !== false)
        return;
      yield* at(conf, reuseKey, { without: [ownKey] });
    },
  },
  {
    code: "R081-wait-without-reuse",
    severity: "warning",
    from: "3.4",
    says: msg(
      "Waiting for claims requires claims that the driver owns and reuses, and a maximum number of executors.",
    ),
    page: msg(
      "`waitToReusePersistentVolumeClaim` compares the number of claims with the maximum number of executors. Set `own…` and `reuse…` to true and, with dynamic allocation, set `spark.dynamicAllocation.maxExecutors`.",
    ),
    hit: "spark.kubernetes.driver.waitToReusePersistentVolumeClaim true\nspark.kubernetes.driver.reusePersistentVolumeClaim false",
    miss: "spark.kubernetes.driver.waitToReusePersistentVolumeClaim true",
    *check(conf) {
      if (conf.lacks(waitKey) || conf.flag(waitKey) !== true) return;
      const isUnbounded =
        conf.flag(dynamic) === true && conf.lacks("spark.dynamicAllocation.maxExecutors");
      if (conf.flag(ownKey) === false || conf.flag(reuseKey) === false) yield* at(conf, waitKey);
      else if (isUnbounded)
        yield* at(conf, waitKey, { without: ["spark.dynamicAllocation.maxExecutors"] });
    },
  },
  {
    code: "R082-wait-with-many-volumes",
    severity: "warning",
    from: "3.4",
    says: msg(
      "With several claims per executor, only some of the executors start, because the limit counts claims.",
    ),
    page: msg(
      "`waitToReusePersistentVolumeClaim` compares the number of claims with the number of executors. Use one on-demand volume per executor.",
    ),
    hit: "spark.kubernetes.driver.waitToReusePersistentVolumeClaim true\nspark.kubernetes.executor.volumes.persistentVolumeClaim.a.options.claimName OnDemand\nspark.kubernetes.executor.volumes.persistentVolumeClaim.b.options.claimName OnDemand",
    miss: "spark.kubernetes.driver.waitToReusePersistentVolumeClaim true\nspark.kubernetes.executor.volumes.persistentVolumeClaim.a.options.claimName OnDemand",
    *check(conf) {
      if (conf.lacks(waitKey) || conf.flag(waitKey) !== true) return;
      if (volumesOf(conf, "executor").filter(isOnDemand).length > 1) yield* at(conf, waitKey);
    },
  },
  {
    code: "R083-scratch-volume-name",
    severity: "warning",
    says: msg(
      "Spark uses a volume for scratch files only if its name begins with spark-local-dir-.",
    ),
    page: msg(
      "A volume with any other name is mounted, but Spark still writes scratch files to an empty directory. Name the volume `spark-local-dir-1`.",
    ),
    hit: "spark.kubernetes.executor.volumes.emptyDir.scratch.mount.path /scratch",
    miss: "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path /scratch",
    *check(conf) {
      if (scratch(conf).length > 0) return;
      const dirs = conf.list("spark.local.dir");
      for (const volume of volumesOf(conf, "executor")) {
        const path = option(volume, "mount.path") ?? "";
        const isLocalDir =
          dirs.some((dir) => dir === path || dir.startsWith(`${path}/`)) && path !== "";
        const isNamedSo = /^(?:spark-)?(?:local|scratch)(?:-?dirs?)?(?:-?[0-9]+)?$/.test(
          volume.name,
        );
        if (isLocalDir || isNamedSo)
          yield { at: volume.first, part: "key", severity: isLocalDir ? "information" : "warning" };
      }
    },
  },
  {
    code: "R084-local-dir-on-kubernetes",
    severity: "information",
    where: "kubernetes",
    says: msg("On Kubernetes, each of these paths becomes an empty directory of the pod."),
    page: msg(
      "To use your own disks, mount volumes whose names begin with `spark-local-dir-`. `spark.local.dir` is then not needed.",
    ),
    hit: "spark.local.dir /tmp/spark",
    miss: "spark.local.dir /data\nspark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path /data",
    *check(conf) {
      if (scratch(conf).length === 0) yield* at(conf, "spark.local.dir");
    },
  },
  {
    code: "R085-shuffle-recovery",
    severity: "warning",
    says: msg(
      "The plugin recovers shuffle files only from reused claims that are mounted at least two levels deep.",
    ),
    page: msg(
      "Set `spark.kubernetes.driver.reusePersistentVolumeClaim` to true explicitly, and mount a claim named `spark-local-dir-1` at a path such as `/data/spark-x/executor-x`.",
    ),
    hit: `spark.shuffle.sort.io.plugin.class ${recoveryPlugin}\nspark.kubernetes.driver.reusePersistentVolumeClaim false`,
    miss: `spark.shuffle.sort.io.plugin.class ${recoveryPlugin}\nspark.kubernetes.driver.reusePersistentVolumeClaim true\nspark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.mount.path /data/spark-x/executor-x`,
    *check(conf) {
      const key = "spark.shuffle.sort.io.plugin.class";
      if (conf.text(key) !== recoveryPlugin) return;
      const volumes = scratch(conf).filter(({ type }) => type === claim);
      const isShallow = volumes.some((volume) => {
        const path = option(volume, "mount.path");
        return path !== undefined && path.split("/").filter((part) => part !== "").length < 2;
      });
      if (isShallow || conf.text(reuseKey)?.toLowerCase() === "false") yield* at(conf, key);
      else if (conf.lacks(reuseKey)) yield* at(conf, key, { without: [reuseKey] });
      else if (volumes.length === 0) {
        yield* at(conf, key, {
          without: [
            "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.mount.path",
          ],
        });
      }
    },
  },
  {
    code: "R086-host-path",
    severity: "warning",
    says: msg("Many clusters reject hostPath volumes, and the data stays on the node."),
    page: msg(
      "The Baseline pod security standard forbids these volumes. Use a claim or an empty directory, unless you are the only user of the cluster.",
    ),
    hit: "spark.kubernetes.driver.volumes.hostPath.a.mount.path /data\nspark.kubernetes.driver.volumes.hostPath.a.options.path /mnt",
    miss: "spark.kubernetes.driver.volumes.emptyDir.a.mount.path /data",
    *check(conf) {
      for (const { type, first } of allVolumes(conf)) {
        if (type === "hostPath") yield { at: first, part: "key" };
      }
    },
  },
  {
    code: "R087-scratch-size-limit",
    severity: "information",
    says: msg("If scratch files exceed this limit, the pod is evicted."),
    page: msg(
      "The volume stores shuffle and spill data of an executor. Set the limit for the largest stage, or remove it.",
    ),
    hit: "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path /data\nspark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit 5Gi",
    miss: "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path /data",
    *check(conf) {
      for (const { type, options } of scratch(conf)) {
        const entry = options.get("options.sizeLimit");
        if (type === "emptyDir" && entry !== undefined) yield { at: entry };
      }
    },
  },
  {
    code: "R088-rights-on-claims",
    severity: "information",
    where: "kubernetes",
    says: msg(
      "For on-demand claims, the driver's service account needs permissions for persistentvolumeclaims.",
    ),
    page: msg(
      "The driver creates claims and lists them for reuse. Without the `list` permission, reuse is silently disabled. Without `deletecollection`, claims remain after the application ends.",
    ),
    hit: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand",
    miss: "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName shared",
    *check(conf) {
      const [volume] = volumesOf(conf, "executor").filter(isOnDemand);
      const entry = volume?.options.get("options.claimName");
      if (entry !== undefined) yield { at: entry, severity: "hint" };
    },
  },
  {
    code: "R089-named-claim-created-again",
    severity: "error",
    says: msg(
      "With a storage class and size, Spark creates this claim for every executor and fails at the second one.",
    ),
    page: msg(
      "For an existing claim, do not set `storageClass` and `sizeLimit`. For a separate claim per executor, use `OnDemand`.",
    ),
    hit: "spark.executor.instances 2\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.mount.path /d\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.claimName one\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.storageClass gp3\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.sizeLimit 9Gi",
    miss: "spark.executor.instances 2\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.mount.path /d\nspark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.claimName one",
    *check(conf) {
      const count = executorsAtMost(conf);
      for (const volume of volumesOf(conf, "executor").filter(isFixedClaim)) {
        const entry = volume.options.get("options.claimName");
        const isCreated =
          volume.options.has("options.storageClass") && volume.options.has("options.sizeLimit");
        if (entry === undefined || !isCreated || (count !== undefined && count < 2)) continue;
        yield {
          at: entry,
          without: ["spark.executor.instances"].filter(() => conf.flag(dynamic) !== true),
        };
      }
    },
  },
  {
    code: "R090-claims-of-sets",
    severity: "warning",
    says: msg(
      "With this allocator, on-demand claims become claim templates of the StatefulSet and remain after the application ends.",
    ),
    page: msg(
      "Kubernetes does not delete the claims of a StatefulSet. Delete them with a separate job, or use the direct allocator.",
    ),
    hit: "spark.kubernetes.allocation.pods.allocator statefulset\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand",
    miss: "spark.kubernetes.allocation.pods.allocator direct\nspark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName OnDemand",
    *check(conf) {
      if (conf.text("spark.kubernetes.allocation.pods.allocator") !== "statefulset") return;
      for (const volume of volumesOf(conf, "executor").filter(isOnDemand)) {
        const entry = volume.options.get("options.claimName");
        if (entry !== undefined) yield { at: entry };
      }
    },
  },
];

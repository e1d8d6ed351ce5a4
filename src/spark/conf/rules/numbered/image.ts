import { msg } from "../../../../base/message.ts";
import { at, atMaster, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { ConfRule } from "./confRule.ts";

const general = "spark.kubernetes.container.image";
const ofRole = (role: string): string => `spark.kubernetes.${role}.container.image`;
const policyKey = "spark.kubernetes.container.image.pullPolicy";

const tagOf = (image: string): string | undefined => {
  if (image.includes("@")) return "digest";
  return /:([^:/]+)$/.exec(image)?.[1];
};
const sparkIn = (image: string | undefined): string | undefined =>
  /(?:^|[^0-9.])([234]\.[0-9]+\.[0-9]+)(?![0-9.])/.exec(tagOf(image ?? "") ?? "")?.[1];
const lacksImage = (conf: RuleConf, role: string): boolean =>
  conf.lacks(general) && conf.lacks(ofRole(role));

/** Rules about pod images. */
export const imageConfRules: readonly ConfRule[] = [
  {
    code: "R019-no-image",
    severity: "error",
    where: "kubernetes",
    isAbout: "absence",
    says: msg("No container image is set here."),
    page: msg(
      "Spark has no default image. Set `spark.kubernetes.container.image`, or one image for each role. In client mode, only executors need one.",
    ),
    hit: "spark.submit.deployMode cluster\nspark.kubernetes.driver.container.image app:1.0",
    miss: "spark.submit.deployMode client\nspark.kubernetes.executor.container.image app:1.0",
    check: (conf) =>
      lacksImage(conf, "executor") || (conf.mode === "cluster" && lacksImage(conf, "driver"))
        ? atMaster(conf, [general])
        : [],
  },
  {
    code: "R021-moving-tag",
    severity: "warning",
    says: msg(
      "Nodes reuse the image that they have for this tag, so driver and executors may run different images.",
    ),
    page: msg(
      "By default, a node pulls an image only if it does not have it yet. With `latest` or without a tag, two nodes may have different images. Use a version or a digest, or set `spark.kubernetes.container.image.pullPolicy` to `Always`.",
    ),
    hit: "spark.kubernetes.container.image registry.example.com/etl:latest",
    miss: "spark.kubernetes.container.image registry.example.com:5000/etl:1.4.2",
    *check(conf) {
      if (conf.text(policyKey) === "Always" || conf.entry(policyKey)?.value.includes("$") === true)
        return;
      for (const key of [general, ...podRoles.map(ofRole)]) {
        const image = conf.text(key);
        if (image === undefined || image === "") continue;
        const tag = tagOf(image);
        if (tag === undefined || tag === "latest") yield* at(conf, key, { without: [policyKey] });
      }
    },
  },
  {
    code: "R022-role-images-differ",
    severity: "warning",
    says: msg(
      "Driver and executors must run the same Spark version, but these images have different ones.",
    ),
    page: msg(
      "Their communication format changes between versions. Build both images from the same Spark version.",
    ),
    hit: "spark.kubernetes.driver.container.image etl:3.5.1\nspark.kubernetes.executor.container.image etl:4.0.0",
    miss: "spark.kubernetes.driver.container.image etl-driver:4.0.0\nspark.kubernetes.executor.container.image etl-executor:4.0.0",
    *check(conf) {
      const driver = sparkIn(conf.text(ofRole("driver")) ?? conf.text(general));
      const executor = sparkIn(conf.text(ofRole("executor")) ?? conf.text(general));
      if (driver === undefined || executor === undefined || driver === executor) return;
      yield* at(conf, conf.lacks(ofRole("executor")) ? ofRole("driver") : ofRole("executor"));
    },
  },
  {
    code: "R023-never-pull",
    severity: "warning",
    says: msg("With Never, pods start only on nodes that already have the image."),
    page: msg(
      "That suits a single-node cluster into which the image was loaded. Otherwise, use `IfNotPresent`.",
    ),
    hit: "spark.kubernetes.container.image.pullPolicy Never",
    miss: "spark.kubernetes.container.image.pullPolicy IfNotPresent",
    *check(conf) {
      if (conf.text(policyKey) === "Never") yield* at(conf, policyKey);
    },
  },
];

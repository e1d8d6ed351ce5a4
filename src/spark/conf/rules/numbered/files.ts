import { msg } from "../../../../base/message.ts";
import { isPlaceholder } from "../../values/placeholders.ts";
import { at } from "./violations.ts";
import type { ConfRule } from "./confRule.ts";

const upload = "spark.kubernetes.file.upload.path";
const listKeys = ["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"];
const withFiles = "spark.kubernetes.executor.disableConfigMap";

const isLocal = (path: string): boolean =>
  path.startsWith("file:") || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path);

/** Rules about dependencies of an application. */
export const fileRules: readonly ConfRule[] = [
  {
    code: "R155-local-file-without-upload",
    severity: "error",
    where: "cluster",
    says: msg("A local file needs spark.kubernetes.file.upload.path to reach the pods."),
    page: msg(
      "Set it to shared storage such as an `s3a://` folder, or add the file to the image and use `local://`.",
    ),
    hit: "spark.jars /home/me/lib.jar",
    miss: "spark.jars local:///opt/lib.jar,https://example.com/lib.jar",
    *check(conf) {
      if (!conf.lacks(upload)) return;
      for (const key of listKeys) {
        if (conf.list(key).some(isLocal)) yield* at(conf, key, { without: [upload] });
      }
      const resource = conf.application.mainResource;
      if (
        resource !== undefined &&
        resource !== "" &&
        !/^\w+-(?:internal|shell)$/.test(resource) &&
        !isPlaceholder(resource) &&
        isLocal(resource)
      ) {
        yield* at(conf, "spark.submit.deployMode", {
          without: [upload],
          says: msg`"${resource}" is a local file and needs ${upload} to reach the driver.`,
        });
      }
    },
  },
  {
    code: "R157-local-in-workspace",
    severity: "warning",
    says: msg(
      "local:// refers to a file in the image, but this path looks like one on your machine.",
    ),
    page: msg(
      "Spark looks for `local://` paths in the container. Copy the file into the image, or omit the scheme so that spark-submit uploads the file.",
    ),
    hit: "spark.jars local:///home/me/project/target/app.jar",
    miss: "spark.jars local:///opt/spark/work-dir/app.jar",
    *check(conf) {
      for (const key of listKeys) {
        const isMine = (path: string): boolean =>
          /^local:\/+(?:home\/[^/]+\/|Users\/|[A-Za-z]:\/|mnt\/[a-z]\/|root\/)/.test(path) &&
          !/\/(?:spark|jovyan)\//.test(path);
        if (conf.list(key).some(isMine)) yield* at(conf, key);
      }
    },
  },
  {
    code: "R159-upload-to-own-disk",
    severity: "error",
    says: msg("Pods cannot read the disk of the submitting machine."),
    page: msg(
      "`spark.kubernetes.file.upload.path` must be shared storage such as `s3a://`, `gs://` or `hdfs://`. A file system path works only if the same folder is mounted in the pods.",
    ),
    hit: "spark.kubernetes.file.upload.path local:///tmp/uploads",
    miss: "spark.kubernetes.file.upload.path s3a://bucket/uploads",
    *check(conf) {
      const path = conf.text(upload);
      // A `file:` path gets only a warning, because the same folder may be mounted in the pods.
      if (path?.startsWith("local:") === true) yield* at(conf, upload);
      else if (path?.startsWith("file:") === true || path?.startsWith("/") === true) {
        yield* at(conf, upload, { severity: "warning" });
      }
    },
  },
  {
    code: "R162-no-executor-conf",
    severity: "warning",
    says: msg(
      "With this setting, executors get no files from the conf folder, such as log4j2.properties or metrics.properties.",
    ),
    page: msg(
      "Add the files to the image, or leave `spark.kubernetes.executor.disableConfigMap` at false.",
    ),
    hit: "spark.kubernetes.executor.disableConfigMap true\nspark.metrics.conf.*.sink.csv.class org.apache.spark.metrics.sink.CsvSink\nspark.executor.extraJavaOptions -Dlog4j2.configurationFile=/opt/spark/conf/log4j2.properties",
    miss: "spark.kubernetes.executor.disableConfigMap true",
    *check(conf) {
      if (conf.lacks(withFiles) || conf.flag(withFiles) !== true) return;
      const options = conf.text("spark.executor.extraJavaOptions") ?? "";
      if (options.includes("/opt/spark/conf/") || conf.text("spark.metrics.conf") !== undefined)
        yield* at(conf, withFiles);
    },
  },
];

// Uploads of a submission to a real S3 server.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { UploadTarget } from "../../src/engine/ports/files.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { ResolvedConf } from "../../src/spark/submit/conf/conf.ts";
import { uploadsFor } from "../../src/storage/door.ts";
import type { UploadProgress } from "../../src/engine/ports/files.ts";
import { startS3Server, type S3Server } from "./s3Server.ts";

const mebibyte = 1024 * 1024;
const never = new AbortController().signal;

describe("uploads to an S3 server", { timeout: 900_000 }, () => {
  let folder: string;
  let server: S3Server;
  let progress: UploadProgress[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-uploads-"));
    await mkdir(join(folder, "served/jars"), { recursive: true });
    server = await startS3Server(join(folder, "served"));
    progress = [];
  });

  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const uploadsWith = (more: Readonly<Record<string, string>> = {}): UploadTarget => {
    const settings = {
      "spark.hadoop.fs.s3a.endpoint": server.url,
      "spark.hadoop.fs.s3a.path.style.access": "true",
      "spark.hadoop.fs.s3a.access.key": server.accessKey,
      "spark.hadoop.fs.s3a.secret.key": server.secretKey,
      ...more,
    };
    const conf: ResolvedConf = new Map(
      Object.entries(settings).map(([key, value]) => [
        key,
        { value, origin: { kind: "computed" } },
      ]),
    );
    return uploadsFor(conf, {
      document: {
        written: Object.values(settings).join("\n"),
        isOfWorkspace: () => Promise.resolve(true),
        agree: () => Promise.resolve(false),
      },
      environment: {},
      homeDirectory: folder,
      clock: systemClock,
      random: Math.random,
      progress: (report) => progress.push(report),
    });
  };
  const fileOf = async (name: string, bytes: Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };
  const copy = async (path: string, key: string): Promise<void> => {
    const copied = await uploadsWith().copy({ path, target: `s3a://jars/${key}` }, never);
    assert.ok(copied.ok, copied.ok ? "" : copied.error.detail);
  };
  const served = (key: string): string => join(server.folder, "jars", key);

  test("small files arrive under their names with special characters", async () => {
    for (const name of ["app.jar", "a b+c.py", "50%41.py", "é数据😀.zip", "x'(1)*!~&=,;@:$.jar"]) {
      const bytes = randomBytes(1000);
      const path = await fileOf("small", bytes);
      await copy(path, `up/spark-upload-1/${name}`);
      assert.deepEqual(await readFile(served(`up/spark-upload-1/${name}`)), bytes, name);
    }
  });

  test("a multipart file arrives complete, and the next submission copies it on the server", async () => {
    const bytes = randomBytes(50 * mebibyte + 3);
    const path = await fileOf("large.jar", bytes);
    await copy(path, "up/spark-upload-2/large.jar");
    assert.ok((await readFile(served("up/spark-upload-2/large.jar"))).equals(bytes));
    progress = [];
    await copy(path, "up/spark-upload-3/large.jar");
    assert.ok(!progress.some(({ stage }) => stage === "sending"));
    assert.ok((await readFile(served("up/spark-upload-3/large.jar"))).equals(bytes));
  });

  test("a wrong key gives a readable error", async () => {
    const path = await fileOf("small", randomBytes(10));
    const uploads = uploadsWith({ "spark.hadoop.fs.s3a.secret.key": "wrong-key" });
    const copied = await uploads.copy({ path, target: "s3a://jars/up/x/small" }, never);
    assert.ok(!copied.ok);
    assert.match(
      copied.error.detail,
      /responded with status 403 .*check the access key and the secret key/,
    );
    assert.ok(!existsSync(served("up/x/small")));
  });

  test("a missing bucket is named", async () => {
    const path = await fileOf("small", randomBytes(10));
    const copied = await uploadsWith().copy({ path, target: "s3a://nowhere/up/x/small" }, never);
    assert.ok(!copied.ok);
    assert.match(copied.error.detail, /the bucket "nowhere" does not exist/);
  });

  test("a cancelled upload leaves nothing", async () => {
    const path = await fileOf("cancelled.jar", randomBytes(60 * mebibyte));
    const cancel = new AbortController();
    progress = [];
    const target = "s3a://jars/up/spark-upload-4/cancelled.jar";
    const copied = uploadsWith().copy({ path, target }, cancel.signal);
    const isUnderWay = (): boolean =>
      progress.some(({ stage, doneBytes }) => stage === "sending" && doneBytes > 10 * mebibyte);
    const timer = setInterval(() => {
      if (isUnderWay()) cancel.abort();
    }, 1);
    try {
      await assert.rejects(copied, { name: "AbortError" });
    } finally {
      clearInterval(timer);
    }
    assert.ok(!existsSync(served("up/spark-upload-4/cancelled.jar")));
    const left = await readdir(join(server.folder, "jars"), { recursive: true });
    assert.deepEqual(
      left.filter((name) => name.includes("cancelled")),
      [],
    );
  });

  test("a large file takes no more memory than the parts in flight", async (t) => {
    const size = 512 * mebibyte;
    const path = join(folder, "huge.jar");
    const file = await open(path, "w");
    await file.truncate(size);
    await file.close();
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 10);
    const begun = performance.now();
    try {
      await copy(path, "up/spark-upload-5/huge.jar");
    } finally {
      clearInterval(timer);
    }
    const seconds = (performance.now() - begun) / 1000;
    const grown = (peak - before) / mebibyte;
    t.diagnostic(`${(size / mebibyte / seconds).toFixed(0)} MiB/s, ${grown.toFixed(0)} MiB more`);
    assert.ok(grown < 200, `${grown} MiB`);
    await rm(served("up/spark-upload-5"), { recursive: true });
  });
});

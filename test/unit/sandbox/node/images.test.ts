import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { Images, type ImageOptions } from "../../../../src/sandbox/node/image/images.ts";

const none: ImageOptions = { distributions: [], images: {}, download: undefined, simulate: false };
const signal = AbortSignal.timeout(60_000);

/** Creates a folder that looks like an installation of this Spark version. */
async function installation(folder: string, name: string, version: string): Promise<string> {
  const home = join(folder, name);
  await mkdir(join(home, "jars"), { recursive: true });
  await writeFile(join(home, "jars", `spark-core_2.13-${version}.jar`), "");
  return home;
}

describe("an image", () => {
  let folder: string;
  let first: string;
  let second: string;
  let older: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-images-"));
    first = await installation(folder, "first", "4.3.0");
    second = await installation(folder, "second", "4.3.0");
    older = await installation(folder, "older", "3.5.9");
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  test("is found by the version in its tag, and the first installation of a version counts", async () => {
    const images = new Images({ ...none, distributions: [older, first, second] });
    assert.deepEqual(await images.find("apache/spark:4.3.0"), {
      kind: "spark",
      distribution: { home: first, version: "4.3.0" },
    });
    assert.equal(await images.find("apache/spark:4.2.0"), undefined);
    assert.equal(await images.find("apache/spark:latest"), undefined);
  });

  test("is found by its configured folder", async () => {
    const images = new Images({ ...none, images: { "etl/jobs:7": older } });
    assert.deepEqual(await images.find("etl/jobs:7"), {
      kind: "spark",
      distribution: { home: older, version: "3.5.9" },
    });
  });

  test("is simulated by its name, or by the setting if it is one of Spark", async () => {
    const simulating = new Images({ ...none, simulate: true, distributions: [first] });
    const real = new Images({ ...none, distributions: [first] });
    const simulation = { kind: "simulation", sparkVersion: "4.3.0" };
    assert.deepEqual(await real.find("spark-simulation:4.3.0"), simulation);
    assert.deepEqual(await simulating.find("apache/spark:4.3.0"), simulation);
    assert.deepEqual(await simulating.find("busybox"), { kind: "system" });
    assert.equal(await simulating.find("postgres:16"), undefined);
  });

  test("is not pulled if its configured folder contains no Spark", async () => {
    const images = new Images({ ...none, images: { "etl/jobs:7": folder } });
    assert.deepEqual(
      await images.pull("etl/jobs:7", signal),
      err(`"${folder}", which is configured for this image, contains no Spark`),
    );
  });

  test("is not pulled without a Spark version in its tag", async () => {
    const images = new Images({ ...none, download: () => Promise.reject(new Error("asked")) });
    for (const name of ["apache/spark:latest", "postgres:16.1.0"]) {
      const pulled = await images.pull(name, signal);
      assert.match(pulled.ok ? "" : pulled.error, /^the sandbox does not pull images/);
    }
  });

  test("is not downloaded without permission, and the message lists the installed versions", async () => {
    const message = async (distributions: readonly string[]): Promise<string> => {
      const images = new Images({ ...none, distributions });
      await images.find("apache/spark:4.2.0");
      const pulled = await images.pull("apache/spark:4.2.0", signal);
      return pulled.ok ? "pulled" : pulled.error;
    };
    assert.equal(
      await message([first, older]),
      "Spark 4.2.0 is not installed on this machine (installed: 3.5.9, 4.3.0), and downloads are not allowed",
    );
    assert.equal(
      await message([]),
      "Spark 4.2.0 is not installed on this machine (installed: none), and downloads are not allowed",
    );
  });

  test("is downloaded once with permission, and found afterwards", async () => {
    const asked: string[] = [];
    const distribution = { home: "/downloaded", version: "4.2.0" };
    const download = (version: string) => {
      asked.push(version);
      return Promise.resolve(ok(distribution));
    };
    const images = new Images({ ...none, download });
    assert.equal(await images.find("apache/spark:4.2.0"), undefined);
    const spark = { kind: "spark", distribution };
    assert.deepEqual(await images.pull("apache/spark:4.2.0", signal), ok(spark));
    assert.deepEqual(await images.find("apache/spark:4.2.0"), spark);
    assert.deepEqual(asked, ["4.2.0"]);
  });

  test("keeps the error of a failed download", async () => {
    const images = new Images({ ...none, download: () => Promise.resolve(err("no network")) });
    assert.deepEqual(await images.pull("apache/spark:4.2.0", signal), err("no network"));
    assert.equal(await images.find("apache/spark:4.2.0"), undefined);
  });
});

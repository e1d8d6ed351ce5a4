// Downloads Spark with the real pip from a local package index, which contains a minimal pyspark wheel.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { programOnPath } from "../../src/sandbox/node/image/programEnvironment.ts";
import { downloadPyspark } from "../../src/sandbox/node/image/pysparkDownload.ts";

const wheel = "pyspark-4.3.0-py3-none-any.whl";
// A wheel is a zip archive with metadata files.
const makeWheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("pyspark/jars/spark-core_2.13-4.3.0.jar", "")
    wheel.writestr("pyspark/__init__.py", "")
    about = "pyspark-4.3.0.dist-info/"
    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: pyspark\\nVersion: 4.3.0\\n")
    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(about + "RECORD", "")
`;

type Changed = Partial<Parameters<typeof downloadPyspark>[1]>;

describe("pyspark from an index", () => {
  let folder: string;
  let server: Server;
  let asked: string[];
  let environment: Readonly<Record<string, string | undefined>>;
  let hashes: ReadonlyMap<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-pip-"));
    await promisify(execFile)("python3", ["-c", makeWheel, join(folder, wheel)]);
    const bytes = await readFile(join(folder, wheel));
    hashes = new Map([["4.3.0", createHash("sha256").update(bytes).digest("hex")]]);
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/simple/pyspark/") {
        response.setHeader("content-type", "text/html");
        response.end(`<a href="/files/${wheel}">${wheel}</a>`);
      } else if (request.url === `/files/${wheel}`) {
        void readFile(join(folder, wheel)).then((bytes) => response.end(bytes));
      } else {
        response.statusCode = 404;
        response.end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { PATH } = process.env;
    const index = `http://127.0.0.1:${port}/simple`;
    environment = {
      PATH,
      HOME: folder,
      PIP_INDEX_URL: index,
      PIP_CONFIG_FILE: "/dev/null",
      PIP_RETRIES: "0",
    };
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const download = (version: string, lines: string[] = [], changed: Changed = {}) =>
    downloadPyspark(
      version,
      {
        python: programOnPath("python3", process.env) ?? "",
        hashes,
        environment,
        cacheFolder: join(folder, "cache"),
        ...changed,
        onProgress: ({ line }) => lines.push(line),
      },
      AbortSignal.timeout(60_000),
    );

  test("is downloaded with progress, and then taken from the cache", async () => {
    const lines: string[] = [];
    const brought = await download("4.3.0", lines);
    assert.ok(brought.ok, JSON.stringify(brought));
    assert.equal(brought.value.version, "4.3.0");
    assert.ok(
      lines.some((line) => line.startsWith("Downloading")),
      lines.join("\\n"),
    );
    const before = asked.length;
    assert.ok((await download("4.3.0")).ok);
    assert.equal(asked.length, before);
  });

  test("reports pip's error for an unknown version, and leaves no files", async () => {
    const known = new Map([["9.9.9", "0".repeat(64)]]);
    const refused = await download("9.9.9", [], { hashes: known });
    assert.ok(!refused.ok);
    assert.match(refused.error, /pip cannot install pyspark 9\.9\.9: ERROR: .*9\.9\.9/);
    const unknown = await download("9.9.9");
    assert.ok(!unknown.ok);
    assert.match(unknown.error, /^the checksum of pyspark 9\.9\.9 is unknown/);
    const wrong = await download("1; rm -rf /");
    assert.deepEqual(wrong, { ok: false, error: '"1; rm -rf /" is not a Spark version' });
  });

  test("refuses an archive with another checksum, and leaves no files", async () => {
    const cacheFolder = join(folder, "refused");
    const other = new Map([["4.3.0", "0".repeat(64)]]);
    const refused = await download("4.3.0", [], { cacheFolder, hashes: other });
    assert.ok(!refused.ok);
    assert.match(refused.error, /HASH/i);
    assert.deepEqual(await readdir(cacheFolder), []);
  });

  test("runs no code from the working directory or PYTHONPATH", async (t) => {
    const hostile = join(folder, "hostile");
    const marker = join(folder, "ran");
    await mkdir(hostile);
    for (const name of ["pip.py", "sitecustomize.py", "usercustomize.py"]) {
      await writeFile(
        join(hostile, name),
        `open(${JSON.stringify(marker)}, "a").write("${name}\\n")\n`,
      );
    }
    const before = process.cwd();
    process.chdir(hostile);
    t.after(() => {
      process.chdir(before);
    });
    const brought = await download("4.3.0", [], {
      cacheFolder: join(folder, "isolated"),
      environment: { ...environment, PYTHONPATH: hostile },
    });
    assert.equal(await readFile(marker, "utf8").catch(() => ""), "");
    assert.ok(brought.ok, JSON.stringify(brought));
  });
});

// Spark by the user's own pip, from an index on this machine that holds a package as small as can be.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { downloadPyspark } from "../../src/sandbox/node/image/pysparkDownload.ts";

const wheel = "pyspark-4.3.0-py3-none-any.whl";
// A wheel is an archive with a few files that describe it.
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

describe("pyspark from an index", () => {
  let folder: string;
  let server: Server;
  let asked: string[];
  let environment: Readonly<Record<string, string | undefined>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-pip-"));
    await promisify(execFile)("python3", ["-c", makeWheel, join(folder, wheel)]);
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

  const download = (version: string, lines: string[] = []) =>
    downloadPyspark(
      version,
      {
        python: "python3",
        environment,
        cacheFolder: join(folder, "cache"),
        onProgress: ({ line }) => lines.push(line),
      },
      AbortSignal.timeout(60_000),
    );

  test("comes with words on the way, and is not asked for again", async () => {
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

  test("tells what pip said of a version that is not there, and leaves nothing", async () => {
    const refused = await download("9.9.9");
    assert.ok(!refused.ok);
    assert.match(refused.error, /pip could not bring pyspark 9\.9\.9: ERROR: .*9\.9\.9/);
    const wrong = await download("1; rm -rf /");
    assert.deepEqual(wrong, { ok: false, error: '"1; rm -rf /" is no version of Spark' });
  });
});

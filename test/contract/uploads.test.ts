import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Result } from "../../src/base/result.ts";
import type { AgreeToTrust, TrustQuestion } from "../../src/engine/ports/connection.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { UploadError } from "../../src/engine/ports/files.ts";
import type { ResolvedConf } from "../../src/spark/submit/conf/conf.ts";
import type { FindingOrigin } from "../../src/spark/submit/plan/submissionFinding.ts";
import { uploadsFor } from "../../src/storage/door.ts";
import type { UploadProgress } from "../../src/engine/ports/files.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { ManualClock, realClock } from "./clocks.ts";
import { never, temporaryFolder } from "./rig.ts";
import {
  accessKey,
  bucket,
  type Fault,
  type S3Request,
  type S3Server,
  secretKey,
  startS3,
  xmlOf,
} from "./uploadsServer.ts";

const mebibyte = 1024 * 1024;

interface Rig {
  readonly server: S3Server;
  readonly folder: string;
  readonly progress: UploadProgress[];
  /** Uploads `path` to `u/spark-upload-<id>/<name>`. */
  readonly copy: (
    path: string,
    target?: string,
    signal?: AbortSignal,
  ) => Promise<Result<void, UploadError>>;
}

interface RigOptions {
  readonly server?: S3Server;
  readonly clock?: Clock;
  readonly conf?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The user's decision about trust; undefined if no prompt is expected. */
  readonly agree?: AgreeToTrust;
  readonly origin?: FindingOrigin;
}

const confOf = (
  values: Readonly<Record<string, string>>,
  origin: FindingOrigin = { kind: "computed" },
): ResolvedConf => new Map(Object.entries(values).map(([key, value]) => [key, { value, origin }]));

async function rigFor(t: TestContext, options: RigOptions = {}): Promise<Rig> {
  const server = options.server ?? (await startS3(t));
  const folder = await temporaryFolder(t);
  const progress: UploadProgress[] = [];
  const values = {
    "spark.hadoop.fs.s3a.endpoint": server.url,
    "spark.hadoop.fs.s3a.access.key": accessKey,
    "spark.hadoop.fs.s3a.secret.key": secretKey,
    ...options.conf,
  };
  const target = uploadsFor(confOf(values, options.origin), {
    document: {
      written: JSON.stringify(values),
      isOfWorkspace: (path) => Promise.resolve(path.startsWith("/workspace/")),
      agree: options.agree ?? (() => assert.fail("nothing to ask")),
    },
    environment: options.environment ?? {},
    homeDirectory: folder,
    clock: options.clock ?? realClock,
    random: () => 0,
    progress: (report) => progress.push(report),
  });
  return {
    server,
    folder,
    progress,
    copy: (path, address = "u/spark-upload-1/app.jar", signal = never) =>
      target.copy({ path, target: `s3a://${bucket}/${address}` }, signal),
  };
}

async function fileOf(folder: string, size: number): Promise<{ path: string; bytes: Buffer }> {
  const path = join(folder, `file-${size}`);
  const bytes = randomBytes(size);
  await writeFile(path, bytes);
  return { path, bytes };
}

function assertCopied(result: Result<void, UploadError>): void {
  assert.ok(result.ok, result.ok ? "" : result.error.detail);
}

function detailOf(result: Result<void, UploadError>): string {
  assert.ok(!result.ok, "a failure was expected");
  return result.error.detail;
}

interface HastyClock extends Clock {
  /** Returns the total length in ms of the waits that were skipped. */
  readonly waited: () => number;
}

/** Returns a clock with real time whose back-off waits end at once. */
function hastyClock(): HastyClock {
  let waited = 0;
  return {
    now: () => realClock.now(),
    // Waits above 12 s are timeouts of a connection; a wait of 10 s is a check of the 60 s inactivity timeout.
    sleep: async (ms, signal) => {
      if (ms > 12_000 || ms === 10_000) await realClock.sleep(ms, signal);
      else waited += ms;
    },
    waited: () => waited,
  };
}

const isAbortError = { name: "AbortError" };

/** Returns a handler that injects `fault` into the first `count` requests with this operation name. */
function firstTimes(name: string, count: number, fault: Fault): S3Server["fault"] {
  let left = count;
  return (request) => (request.name === name && left-- > 0 ? fault : undefined);
}

test("puts a small file at the planned address, with a signature over its bytes", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 1000);
  assertCopied(await copy(path));
  assert.deepEqual(server.names(), ["put"]);
  assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
});

test("puts an empty file", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  assertCopied(await copy((await fileOf(folder, 0)).path));
  assert.equal(server.objects.get("u/spark-upload-1/app.jar")?.body.length, 0);
});

test("keeps every character of an object name", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const small = await fileOf(folder, 10);
  const large = await fileOf(folder, 2 * mebibyte);
  const rows = [
    ["u/spark-upload-1/a b.jar", "u/spark-upload-1/a b.jar"],
    ["u//spark-upload-2/a+b%41.jar", "u/spark-upload-2/a+b%41.jar"],
    ["u/./spark-upload-3/é#?&=!'()*~.jar", "u/spark-upload-3/é#?&=!'()*~.jar"],
    ["u/v/../spark-upload-4/数据😀.py", "u/spark-upload-4/数据😀.py"],
  ] as const;
  for (const [address, key] of rows) {
    for (const { path, bytes } of [small, large]) {
      assertCopied(await copy(path, address));
      assert.deepEqual(server.objects.get(key)?.body, bytes, key);
    }
  }
});

test("sends a large file in parts with increasing progress", async (t) => {
  const { server, folder, progress, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 20 * mebibyte + 7);
  assertCopied(await copy(path));
  assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
  assert.equal(server.names().filter((name) => name === "part").length, 3);
  assert.equal(server.unfinished.size, 0);
  const sending = progress.filter(({ stage }) => stage === "sending");
  const done = sending.map(({ doneBytes }) => doneBytes);
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  );
  assert.deepEqual([done[0], done.at(-1), sending[0]?.totalBytes], [0, bytes.length, bytes.length]);
  assert.ok(done.length > 20 && done.length < 300, String(done.length));
});

test("copies an unchanged file inside the storage instead of sending it again", async (t) => {
  const { server, folder, progress, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 9 * mebibyte);
  assertCopied(await copy(path, "u/spark-upload-1/app.jar"));
  server.requests.length = 0;
  progress.length = 0;
  assertCopied(await copy(path, "u/spark-upload-2/other.jar"));
  assert.deepEqual(server.names(), ["head", "copy"]);
  assert.deepEqual(server.objects.get("u/spark-upload-2/other.jar")?.body, bytes);
  assert.ok(!progress.some(({ stage }) => stage === "sending"));
  assert.deepEqual(progress.at(-1)?.stage, "copying");
  assert.equal(progress.at(-1)?.doneBytes, bytes.length);
});

test("sends a changed file again", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 2 * mebibyte);
  assertCopied(await copy(path, "u/spark-upload-1/app.jar"));
  bytes[77] = (bytes[77] ?? 0) ^ 1;
  await writeFile(path, bytes);
  assertCopied(await copy(path, "u/spark-upload-2/app.jar"));
  assert.deepEqual(server.objects.get("u/spark-upload-2/app.jar")?.body, bytes);
});

test("sends the file again when the kept copy has another length or hash", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 2 * mebibyte);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const impostors: readonly (readonly [length: number, mark: string])[] = [
    [bytes.length, "0".repeat(64)],
    [bytes.length - 1, sha256],
  ];
  for (const [length, mark] of impostors) {
    server.fault = ({ name }) =>
      name === "head"
        ? {
            kind: "answer",
            status: 200,
            headers: { "content-length": String(length), "x-amz-meta-spark-k8s-sha256": mark },
          }
        : undefined;
    server.requests.length = 0;
    assertCopied(await copy(path));
    assert.deepEqual(server.names(), ["head", "put", "copy"]);
  }
});

test("sends the file each time if the storage cannot copy or forbids it", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path, bytes } = await fileOf(folder, 2 * mebibyte);
  server.fault = ({ name }) =>
    name === "copy"
      ? { kind: "answer", status: 501, body: xmlOf("NotImplemented", "no") }
      : undefined;
  assertCopied(await copy(path, "u/spark-upload-1/app.jar"));
  server.fault = ({ name }) => (name === "head" ? { kind: "answer", status: 403 } : undefined);
  assertCopied(await copy(path, "u/spark-upload-2/app.jar"));
  server.fault = ({ name }) => (name === "copy" ? { kind: "answer", status: 403 } : undefined);
  assertCopied(await copy(path, "u/spark-upload-3/app.jar"));
  for (const id of [1, 2, 3]) {
    assert.deepEqual(server.objects.get(`u/spark-upload-${id}/app.jar`)?.body, bytes);
  }
});

test("resends only the part whose connection was cut", async (t) => {
  const clock = hastyClock();
  const { server, folder, progress, copy } = await rigFor(t, { clock });
  const { path, bytes } = await fileOf(folder, 20 * mebibyte);
  server.fault = firstTimes("part", 2, { kind: "cutAt", bytes: 3 * mebibyte });
  assertCopied(await copy(path));
  assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
  assert.equal(server.names().filter((name) => name === "part").length, 3);
  const done = progress
    .filter(({ stage }) => stage === "sending")
    .map(({ doneBytes }) => doneBytes);
  assert.ok(done.every((value, index) => value > (done[index - 1] ?? -1)));
});

test("retries a busy storage with exponential back-off", async (t) => {
  const rows: readonly Fault[] = [
    { kind: "answer", status: 503, body: xmlOf("SlowDown", "Please reduce your request rate.") },
    { kind: "answer", status: 500 },
    { kind: "answer", status: 429 },
    { kind: "answer", status: 400, body: xmlOf("RequestTimeout", "idle") },
    { kind: "answer", status: 503, headers: { "retry-after": "9" } },
    { kind: "loseAnswer" },
  ];
  for (const fault of rows) {
    const clock = hastyClock();
    const { server, folder, copy } = await rigFor(t, { clock });
    const { path, bytes } = await fileOf(folder, 10);
    server.fault = firstTimes("put", 3, fault);
    assertCopied(await copy(path));
    assert.equal(server.requests.length, 4);
    assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
    // In total half of 0.4, 0.8 and 1.6 s, because random() is 0; or the sum of the storage's Retry-After values.
    assert.equal(clock.waited(), "headers" in fault ? 27_000 : 1_400);
  }
});

test("gives up on a storage that stays busy, and aborts the multipart upload", async (t) => {
  const clock = hastyClock();
  const { server, folder, copy } = await rigFor(t, { clock });
  const { path } = await fileOf(folder, 9 * mebibyte);
  server.fault = ({ name }) =>
    name === "part"
      ? { kind: "answer", status: 503, body: xmlOf("SlowDown", "Reduce your request rate.") }
      : undefined;
  const detail = detailOf(await copy(path));
  assert.match(detail, /responded with status 503 \(Reduce your request rate, SlowDown\)/);
  assert.equal(server.unfinished.size, 0);
  assert.equal(server.objects.size, 0);
});

test("reports a refusal with the storage's message and advice, without a retry", async (t) => {
  const rows = [
    [
      "AccessDenied",
      "Access Denied.",
      403,
      /\(Access Denied, AccessDenied\): the credentials have no permission to write to the bucket "jars"/,
    ],
    ["NoSuchBucket", "Not there", 404, /the bucket "jars" does not exist/],
    ["InvalidAccessKeyId", "Unknown", 403, /check the access key and the secret key/],
    [
      "ExpiredToken",
      "The token &lt;x&gt; &amp; all",
      400,
      /The token <x> & all, ExpiredToken\): the session has expired\. Sign in again/,
    ],
    ["RequestTimeTooSkewed", "Late", 403, /the clock of this machine is wrong/],
    [
      "EntityTooLarge",
      "Too large",
      400,
      /responded with status 400 \(Too large, EntityTooLarge\)$/,
    ],
  ] as const;
  for (const [code, message, status, expected] of rows) {
    for (const size of [10, 9 * mebibyte]) {
      const { server, folder, copy } = await rigFor(t);
      server.fault = ({ name }) =>
        name === "put" || name === "begin"
          ? { kind: "answer", status, body: xmlOf(code, message) }
          : undefined;
      const result = await copy((await fileOf(folder, size)).path);
      assert.match(detailOf(result), expected);
      assert.equal(server.names().filter((name) => name === "put" || name === "begin").length, 1);
    }
  }
});

test("does not show an HTML page as an error", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  server.fault = () => ({
    kind: "answer",
    status: 405,
    body: "<html><h1>Nothing here</h1></html>",
  });
  const detail = detailOf(await copy((await fileOf(folder, 10)).path));
  assert.match(
    detail,
    /responded with status 405: check that this is the address of an S3 storage$/,
  );
});

test("gives up on a silent storage after its timeouts", async (t) => {
  const clock = new ManualClock();
  const { server, folder, copy } = await rigFor(t, { clock });
  let asked = 0;
  server.fault = () => {
    asked += 1;
    return { kind: "silence" };
  };
  const copied = copy((await fileOf(folder, 10)).path);
  const tries = 7;
  for (let next = 1; next <= tries; next++) {
    while (asked < next) await wait(2);
    await clock.advance(59_000);
    assert.equal(server.open.size, 1);
    await clock.advance(1_000);
    // Longer than the back-off, shorter than the connection timeout.
    await clock.advance(8_000);
  }
  assert.match(detailOf(await copied), /does not respond: no data arrived for 60 s/);
  assert.equal(asked, tries);
});

test("gives up soon when the connection is refused", async (t) => {
  const clock = hastyClock();
  const conf = { "spark.hadoop.fs.s3a.endpoint": "http://127.0.0.1:1" };
  const { folder, copy } = await rigFor(t, { clock, conf });
  const detail = detailOf(await copy((await fileOf(folder, 10)).path));
  assert.match(detail, /the connection to 127\.0\.0\.1:1 was refused/);
  assert.ok(clock.waited() > 100 && clock.waited() < 2_000, String(clock.waited()));
});

test("sends nothing to a storage with an untrusted certificate, unless AWS_CA_BUNDLE has its CA", async (t) => {
  const authority = newAuthority("Storage Authority");
  const server = await startS3(t, authority.issue("storage"));
  const { folder, copy } = await rigFor(t, { server });
  const { path } = await fileOf(folder, 10);
  const detail = detailOf(await copy(path));
  assert.match(detail, /the certificate of 127\.0\.0\.1:\d+ is not trusted .*AWS_CA_BUNDLE/);
  assert.equal(server.requests.length, 0);

  const bundle = join(folder, "bundle.pem");
  await writeFile(bundle, authority.cert);
  const trusting = await rigFor(t, { server, environment: { AWS_CA_BUNDLE: bundle } });
  assertCopied(await trusting.copy(path));
  assert.equal(server.objects.size, 1);

  await writeFile(bundle, newAuthority("Another Authority").cert);
  const wrong = await rigFor(t, { server, environment: { AWS_CA_BUNDLE: bundle } });
  assert.match(detailOf(await wrong.copy(path)), /is not trusted/);
});

test("reports TLS to a plain HTTP storage with advice", async (t) => {
  const plain = await startS3(t);
  const conf = { "spark.hadoop.fs.s3a.endpoint": plain.url.replace("http:", "https:") };
  const { folder, copy } = await rigFor(t, { server: plain, conf });
  const detail = detailOf(await copy((await fileOf(folder, 10)).path));
  assert.match(detail, /did not send a valid TLS response .*connection\.ssl\.enabled/);
});

test("a canceled upload closes its sockets and leaves neither parts nor an object", async (t) => {
  const rows: readonly (readonly [string, number])[] = [
    ["head", 9 * mebibyte],
    ["begin", 9 * mebibyte],
    ["part", 20 * mebibyte],
    ["put", 2 * mebibyte],
  ];
  for (const [name, size] of rows) {
    const { server, folder, copy } = await rigFor(t);
    const { path } = await fileOf(folder, size);
    const cancel = new AbortController();
    server.fault = (request) => {
      if (request.name !== name) return undefined;
      setTimeout(() => {
        cancel.abort();
      }, 30);
      return { kind: "silence" };
    };
    await assert.rejects(copy(path, undefined, cancel.signal), isAbortError, name);
    assert.equal(server.unfinished.size, 0, name);
    assert.equal(server.objects.size, 0, name);
    for (let tries = 0; server.open.size > 0 && tries < 200; tries++) await wait(5);
    assert.equal(server.open.size, 0, name);
  }
});

test("finds and aborts an upload that began during cancellation", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path } = await fileOf(folder, 9 * mebibyte);
  const cancel = new AbortController();
  server.fault = ({ name }) => {
    if (name !== "begin") return undefined;
    cancel.abort();
    return { kind: "loseAnswer" };
  };
  await assert.rejects(copy(path, undefined, cancel.signal), isAbortError);
  assert.deepEqual(server.names(), ["head", "begin", "list", "abort"]);
  assert.equal(server.unfinished.size, 0);
});

test("a canceled copy sends no request", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path } = await fileOf(folder, 10);
  await assert.rejects(copy(path, undefined, AbortSignal.abort()), isAbortError);
  assert.equal(server.requests.length, 0);
});

test("cancellation ends a back-off wait", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  server.fault = () => ({ kind: "answer", status: 503, headers: { "retry-after": "20" } });
  const cancel = new AbortController();
  const begun = Date.now();
  const copied = copy((await fileOf(folder, 10)).path, undefined, cancel.signal);
  const rejected = assert.rejects(copied, isAbortError);
  while (server.requests.length === 0) await wait(2);
  await wait(50);
  cancel.abort();
  await rejected;
  assert.equal(server.requests.length, 1);
  assert.ok(Date.now() - begun < 10_000);
});

test("accepts a completed object although the response was lost", async (t) => {
  const clock = hastyClock();
  const { server, folder, copy } = await rigFor(t, { clock });
  const { path, bytes } = await fileOf(folder, 9 * mebibyte);
  server.fault = firstTimes("complete", 1, { kind: "loseAnswer" });
  assertCopied(await copy(path));
  assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
});

test("treats an error body in a 200 response as a failure", async (t) => {
  const clock = hastyClock();
  const { server, folder, copy } = await rigFor(t, { clock });
  const { path, bytes } = await fileOf(folder, 9 * mebibyte);
  const late = { kind: "answer", status: 200, body: xmlOf("InternalError", "try again") } as const;
  server.fault = firstTimes("complete", 1, late);
  assertCopied(await copy(path));
  assert.deepEqual(server.objects.get("u/spark-upload-1/app.jar")?.body, bytes);
  assert.equal(server.names().filter((name) => name === "complete").length, 2);

  server.fault = () => ({ kind: "answer", status: 200, body: xmlOf("AccessDenied", "no") });
  assert.match(detailOf(await copy(path, "u/spark-upload-2/app.jar")), /AccessDenied/);
});

test("a file that changes during the upload is not stored", async (t) => {
  const changes = {
    overwritten: (path: string) => {
      writeFileSync(path, randomBytes(64), { flag: "r+" });
    },
    longer: (path: string) => {
      appendFileSync(path, randomBytes(64));
    },
    shorter: (path: string) => {
      truncateSync(path, 5 * mebibyte);
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const size of [6 * mebibyte, 20 * mebibyte]) {
      const { server, folder, copy } = await rigFor(t);
      const { path } = await fileOf(folder, size);
      server.fault = (request) => {
        // Changes the file after it was read for its hash and before it is read again to be sent.
        if (request.name === "head") change(path);
        return undefined;
      };
      const detail = detailOf(await copy(path));
      assert.equal(detail, "it changed during the upload", `${name} ${size}`);
      assert.deepEqual([server.objects.size, server.unfinished.size], [0, 0]);
    }
  }
});

test("follows the storage to the bucket's region", async (t) => {
  const { server, folder, copy } = await rigFor(t);
  const { path } = await fileOf(folder, 10);
  const wrongRegion = ({ headers }: Pick<S3Request, "headers">): boolean =>
    !(headers.authorization ?? "").includes("/eu-west-3/");
  server.fault = (request) =>
    wrongRegion(request)
      ? {
          kind: "answer",
          status: 400,
          body: xmlOf("AuthorizationHeaderMalformed", "wrong").replace(
            "</Error>",
            "<Region>eu-west-3</Region></Error>",
          ),
        }
      : undefined;
  assertCopied(await copy(path));
  server.fault = (request) =>
    wrongRegion(request)
      ? { kind: "answer", status: 301, headers: { "x-amz-bucket-region": "eu-west-3" } }
      : undefined;
  assertCopied(await copy(path, "u/spark-upload-2/app.jar"));
  server.fault = () => ({
    kind: "answer",
    status: 301,
    headers: { "x-amz-bucket-region": "mars-1" },
    body: xmlOf("PermanentRedirect", "elsewhere"),
  });
  assert.match(
    detailOf(await copy(path)),
    /PermanentRedirect\): the bucket may not be in the region/,
  );
});

test("encrypts new objects and copies as the conf requires", async (t) => {
  const conf = {
    "spark.hadoop.fs.s3a.encryption.algorithm": "SSE-KMS",
    "spark.hadoop.fs.s3a.encryption.key": "key-1",
  };
  const { server, folder, copy } = await rigFor(t, { conf });
  const seen: string[] = [];
  server.fault = ({ name, headers }) => {
    const algorithm = headers["x-amz-server-side-encryption"] ?? "-";
    seen.push(
      `${name} ${String(algorithm)} ${String(headers["x-amz-server-side-encryption-aws-kms-key-id"] ?? "-")}`,
    );
    return undefined;
  };
  assertCopied(await copy((await fileOf(folder, 2 * mebibyte)).path));
  assert.deepEqual(seen, ["head - -", "put aws:kms key-1", "copy aws:kms key-1"]);
});

test("anonymous requests carry no signature", async (t) => {
  const provider = "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider";
  const conf = { "spark.hadoop.fs.s3a.aws.credentials.provider": provider };
  const { server, folder, copy } = await rigFor(t, { conf });
  server.fault = ({ headers }) =>
    headers.authorization === undefined ? { kind: "answer", status: 200 } : undefined;
  assertCopied(await copy((await fileOf(folder, 10)).path));
  assert.deepEqual(server.names(), ["put"]);
});

test("no error contains a key, wherever it is set and whether or not the storage echoes it", async (t) => {
  const canary = "canary-5f3a9c";
  const keys = {
    "spark.hadoop.fs.s3a.access.key": `${canary}-id`,
    "spark.hadoop.fs.s3a.secret.key": `${canary}/secret+`,
    "spark.hadoop.fs.s3a.session.token": `${canary}-token`,
  };
  const environment = {
    AWS_ACCESS_KEY_ID: `${canary}-id`,
    AWS_SECRET_ACCESS_KEY: `${canary}/secret+`,
    AWS_SESSION_TOKEN: `${canary}-token`,
  };
  const none = { "spark.hadoop.fs.s3a.access.key": "", "spark.hadoop.fs.s3a.secret.key": "" };
  const sources = [
    { conf: keys },
    { conf: { ...none, "spark.hadoop.fs.s3a.session.token": "" }, environment },
    { conf: { ...keys, "spark.hadoop.fs.s3a.endpoint": `http://${canary}:${canary}@127.0.0.1:1` } },
    { conf: { ...keys, "spark.hadoop.fs.s3a.endpoint": "http://127.0.0.1:1" } },
    {
      conf: {
        ...keys,
        "spark.hadoop.fs.s3a.encryption.algorithm": "SSE-C",
        "spark.hadoop.fs.s3a.encryption.key": canary,
      },
    },
    { conf: { ...none, "spark.hadoop.fs.s3a.secret.key": canary } },
  ];
  const signatures: string[] = [];
  for (const source of sources) {
    const clock = hastyClock();
    const agree = (): Promise<boolean> => Promise.resolve(true);
    const { server, folder, copy } = await rigFor(t, { ...source, clock, agree });
    server.fault = ({ headers, name }) => {
      signatures.push(/Signature=(\w+)/.exec(headers.authorization ?? "")?.[1] ?? "none");
      const secret = environment.AWS_SECRET_ACCESS_KEY;
      const echo = JSON.stringify(headers) + secret + encodeURIComponent(secret);
      return { kind: "answer", status: name === "put" ? 403 : 500, body: xmlOf("Echo", echo) };
    };
    for (const size of [10, 9 * mebibyte]) {
      const { path } = await fileOf(folder, size);
      const shown = JSON.stringify(await copy(path));
      assert.match(shown, /"ok":false/);
      assert.doesNotMatch(shown, /canary/, shown);
      for (const signature of signatures) assert.ok(!shown.includes(signature), shown);
    }
  }
  assert.ok(signatures.length > 4);
});

describe("keys of the user at a storage that a document chose", () => {
  const blank = { "spark.hadoop.fs.s3a.access.key": "", "spark.hadoop.fs.s3a.secret.key": "" };
  const environment = { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey };

  /** Uploads a file; the user accepts or declines the trust prompt. Returns the prompts, the result and the rig. */
  async function upload(
    t: TestContext,
    options: RigOptions,
    isYes: boolean,
  ): Promise<{ asked: TrustQuestion[]; result: Result<void, UploadError>; rig: Rig }> {
    const asked: TrustQuestion[] = [];
    const agree: AgreeToTrust = (question) => {
      asked.push(question);
      return Promise.resolve(isYes);
    };
    const rig = await rigFor(t, { agree, ...options });
    const result = await rig.copy((await fileOf(rig.folder, 10)).path);
    return { asked, result, rig };
  }

  test("sends nothing and reports why when the user declines", async (t) => {
    const { asked, result, rig } = await upload(t, { conf: blank, environment }, false);
    assert.deepEqual(asked, [
      {
        server: rig.server.url,
        credentials: [{ kind: "environment", name: "AWS_ACCESS_KEY_ID" }],
        changes: [{ kind: "otherServer", ownServer: undefined }, { kind: "notEncrypted" }],
        fingerprint: undefined,
      },
    ]);
    assert.match(detailOf(result), /did not agree to send your keys to http:\/\/127/);
    assert.deepEqual(rig.server.names(), []);
    assert.ok(!JSON.stringify(asked).includes(accessKey));
  });

  test("uploads when the user agrees", async (t) => {
    const { result, rig } = await upload(t, { conf: blank, environment }, true);
    assertCopied(result);
    assert.deepEqual(rig.server.names(), ["put"]);
  });

  test("asks for keys of an AWS profile by its name", async (t) => {
    const folder = await temporaryFolder(t);
    const path = join(folder, "credentials");
    const keys = `aws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`;
    await writeFile(path, `[work]\n${keys}`);
    const profile = { AWS_SHARED_CREDENTIALS_FILE: path, AWS_PROFILE: "work" };
    const { asked, rig } = await upload(t, { conf: blank, environment: profile }, false);
    assert.deepEqual(asked[0]?.credentials, [{ kind: "awsProfile", name: "work" }]);
    assert.deepEqual(rig.server.names(), []);
  });

  test("asks for keys that a reference puts into the document", async (t) => {
    const conf = {
      "spark.hadoop.fs.s3a.access.key": "${env.AWS_ACCESS_KEY_ID}",
      "spark.hadoop.fs.s3a.secret.key": "${env.AWS_SECRET_ACCESS_KEY}",
    };
    const { asked, rig } = await upload(t, { conf, environment }, false);
    assert.deepEqual(asked[0]?.credentials, [{ kind: "variable" }]);
    assert.deepEqual(rig.server.names(), []);
  });

  test("sends no user value in any other setting, and asks nothing", async (t) => {
    const secret = "canary-5f3a9c";
    const kms = "spark.hadoop.fs.s3a.encryption.algorithm";
    const provider = "spark.hadoop.fs.s3a.aws.credentials.provider";
    const anonymous = { [provider]: "AnonymousAWSCredentialsProvider" };
    const rows: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ["encryption.key", { [kms]: "SSE-KMS" }],
      ["encryption.key", { [kms]: "SSE-KMS", ...anonymous }],
      ["server-side-encryption.key", { [kms]: "SSE-KMS" }],
      [`bucket.${bucket}.encryption.key`, { [kms]: "SSE-KMS" }],
      ["endpoint.region", {}],
      ["endpoint.region", anonymous],
      ["endpoint", anonymous],
      ["aws.credentials.provider", {}],
    ];
    const references = [
      "${env.GITHUB_TOKEN}",
      "a${env.GITHUB_TOKEN:-x}",
      "${env.UNSET:-x}",
      "${other.key}",
      // The keys of the environment are conf values, too.
      "${fs.s3a.secret.key}",
    ];
    for (const [name, more] of rows) {
      for (const reference of references) {
        const conf = {
          "spark.hadoop.fs.s3a.access.key": accessKey,
          ...more,
          "spark.hadoop.other.key": "${env.GITHUB_TOKEN}",
          [`spark.hadoop.fs.s3a.${name}`]: reference,
        };
        const isOwnKey = reference.includes("secret.key");
        const values = isOwnKey
          ? { ...conf, "spark.hadoop.fs.s3a.secret.key": "${env.MINE}" }
          : conf;
        const variables = { GITHUB_TOKEN: secret, MINE: secret };
        const { asked, result, rig } = await upload(
          t,
          { conf: values, environment: variables },
          true,
        );
        assert.match(
          detailOf(result),
          /^"spark\.hadoop\.fs\.s3a\.[^"]+" refers to .*enter the value/,
        );
        assert.doesNotMatch(detailOf(result), /canary/);
        assert.deepEqual([asked, rig.server.names()], [[], []], `${name}=${reference}`);
      }
    }
  });

  test("resolves references in a user's conf file outside the workspace", async (t) => {
    const conf = {
      "spark.hadoop.fs.s3a.endpoint.region": "${env.REGION}-${part}",
      "spark.hadoop.part": "3",
    };
    const options = { conf, environment: { REGION: "eu-west" } };
    const outside = { kind: "file", path: "/home/ada/spark-defaults.conf" } as const;
    assertCopied((await upload(t, { ...options, origin: outside }, false)).result);
    const inside = { kind: "file", path: "/workspace/spark-defaults.conf" } as const;
    const refused = await upload(t, { ...options, origin: inside }, true);
    assert.match(detailOf(refused.result), /endpoint\.region" refers to/);
  });

  test("refuses a value that a variable put into the document", async (t) => {
    const folder = await temporaryFolder(t);
    const { path } = await fileOf(folder, 10);
    const server = await startS3(t);
    const values = {
      "spark.hadoop.fs.s3a.endpoint": server.url,
      "spark.hadoop.fs.s3a.access.key": accessKey,
      "spark.hadoop.fs.s3a.secret.key": secretKey,
    };
    const region = { "spark.hadoop.fs.s3a.endpoint.region": "canary" };
    const target = uploadsFor(confOf({ ...values, ...region }), {
      document: {
        written: `${JSON.stringify(values)} \${env:GITHUB_TOKEN}`,
        isOfWorkspace: () => Promise.resolve(true),
        agree: () => assert.fail("nothing to ask"),
      },
      environment: {},
      homeDirectory: folder,
      clock: realClock,
      random: () => 0,
    });
    const result = await target.copy({ path, target: `s3a://${bucket}/u/1/app.jar` }, never);
    assert.match(detailOf(result), /endpoint\.region" refers to/);
    assert.deepEqual(server.names(), []);
  });

  test("asks nothing when keys and endpoint are both the user's", async (t) => {
    const server = await startS3(t);
    const user = { ...environment, AWS_ENDPOINT_URL: server.url };
    const target = uploadsFor(new Map(), {
      document: {
        written: "",
        isOfWorkspace: () => Promise.resolve(false),
        agree: () => assert.fail("nothing to ask"),
      },
      environment: user,
      homeDirectory: "/nowhere",
      clock: realClock,
      random: () => 0,
    });
    const folder = await temporaryFolder(t);
    const { path } = await fileOf(folder, 10);
    assertCopied(await target.copy({ path, target: `s3a://${bucket}/u/1/app.jar` }, never));
  });

  test("asks only when the user's keys meet an endpoint from a conf file in the workspace", async (t) => {
    const keys = {
      "spark.hadoop.fs.s3a.access.key": accessKey,
      "spark.hadoop.fs.s3a.secret.key": secretKey,
    };
    const outside = { kind: "file", path: "/home/ada/spark-defaults.conf" } as const;
    const theirs = await upload(t, { conf: keys, origin: outside }, false);
    assertCopied(theirs.result);
    assert.deepEqual(theirs.asked, []);
    const inside = { kind: "file", path: "/workspace/spark-defaults.conf" } as const;
    const own = await upload(t, { conf: keys, origin: inside }, false);
    assertCopied(own.result);
    assert.deepEqual(own.asked, []);
    const mixed = await upload(t, { conf: blank, environment, origin: inside }, false);
    assert.equal(mixed.asked.length, 1);
  });

  test("asks before it uploads a file outside the workspace to a bucket chosen by the document", async (t) => {
    const uploadPath = { "spark.kubernetes.file.upload.path": `s3a://${bucket}/u` };
    const { asked, result, rig } = await upload(t, { conf: uploadPath }, false);
    assert.deepEqual(
      asked.map(({ server, credentials }) => [server, credentials.map(({ kind }) => kind)]),
      [[`s3a://${bucket} (${new URL(rig.server.url).host})`, ["upload"]]],
    );
    assert.match(detailOf(result), /did not agree to upload the file to s3a:/);
    assert.deepEqual(rig.server.names(), []);
    const outside = { kind: "file", path: "/home/ada/spark-defaults.conf" } as const;
    const theirs = await upload(t, { conf: uploadPath, origin: outside }, false);
    assertCopied(theirs.result);
  });

  test("never sends a session token over plain http to another machine, even after consent", async (t) => {
    const conf = { ...blank, "spark.hadoop.fs.s3a.endpoint": "http://storage.test" };
    const token = { ...environment, AWS_SESSION_TOKEN: "token" };
    const { asked, result } = await upload(t, { conf, environment: token }, true);
    assert.match(detailOf(result), /session token would be sent to jars\.storage\.test/);
    assert.deepEqual(asked, []);
  });
});

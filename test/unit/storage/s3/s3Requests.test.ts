// Tests addresses, URLs and failures of S3 requests.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestTimeout } from "../../../../src/io/http/exchange.ts";
import { encodeKey, objectUrl } from "../../../../src/storage/s3/objectUrl.ts";
import { parseS3Address } from "../../../../src/storage/s3/s3Address.ts";
import { failureOf, failureOfLoss } from "../../../../src/storage/s3/s3Failure.ts";
import type { S3Settings } from "../../../../src/storage/s3/s3Settings.ts";
import type { StorageAnswer } from "../../../../src/storage/s3/storageAnswer.ts";
import { elementsOf, xmlTextOf } from "../../../../src/storage/s3/xmlText.ts";

const settings: S3Settings = {
  bucket: "jobs",
  endpoint: undefined,
  isSecure: true,
  places: [],
  region: "eu-central-1",
  addressing: "path",
  identity: {
    ...{ kind: "keys", accessKeyId: "AKIAEXAMPLE", secretAccessKey: "se/cr+et-key" },
    ...{ sessionToken: "session-token", places: [] },
  },
  encryption: {},
  authorities: undefined,
};
const anonymous: S3Settings = { ...settings, identity: { kind: "anonymous" } };
const url = new URL("https://s3.example:9000/jobs/a");

const answered = (
  status: number,
  text = "",
  headers: StorageAnswer["headers"] = {},
): StorageAnswer => ({ kind: "answered", status, headers, text });
const xml = (code: string, message = ""): string =>
  `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
const detailOf = (status: number, text = "", of = settings): string =>
  failureOf(answered(status, text), url, of).detail;

describe("the failure of a refused request", () => {
  const start = "the storage at s3.example:9000 responded with status";
  for (const [status, text, of, detail] of [
    [404, "", settings, `${start} 404`],
    [404, "<html>", settings, `${start} 404`],
    [400, xml("", "Bad."), settings, `${start} 400 (Bad)`],
    [400, xml("Odd", " Bad. "), settings, `${start} 400 (Bad, Odd)`],
    [
      404,
      xml("NoSuchBucket", "None."),
      settings,
      `${start} 404 (None, NoSuchBucket): the bucket "jobs" does not exist`,
    ],
    [
      403,
      xml("AccessDenied"),
      settings,
      `${start} 403 (AccessDenied): the credentials have no permission to write to the bucket "jobs"`,
    ],
    [
      403,
      "",
      settings,
      `${start} 403: the credentials have no permission to write to the bucket "jobs"`,
    ],
    [403, "", anonymous, `${start} 403: the request had no credentials`],
    [
      400,
      xml("AuthorizationHeaderMalformed"),
      settings,
      `${start} 400 (AuthorizationHeaderMalformed): the bucket may not be in the region "eu-central-1" ("spark.hadoop.fs.s3a.endpoint.region")`,
    ],
    [405, "", settings, `${start} 405: check that this is the address of an S3 storage`],
    ...["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity"].map(
      (code) =>
        [
          403,
          xml(code),
          settings,
          `${start} 403 (${code}): check the access key and the secret key`,
        ] as const,
    ),
    ...["ExpiredToken", "InvalidToken", "TokenRefreshRequired"].map(
      (code) =>
        [
          400,
          xml(code),
          settings,
          `${start} 400 (${code}): the session has expired. Sign in again`,
        ] as const,
    ),
    [
      403,
      xml("RequestTimeTooSkewed"),
      settings,
      `${start} 403 (RequestTimeTooSkewed): the clock of this machine is wrong`,
    ],
  ] as const) {
    const title = `${status} ${text} ${of === anonymous ? "without" : "with"} credentials`;
    test(title, () => {
      assert.equal(detailOf(status, text, of), detail);
    });
  }

  for (const [status, code, retry] of [
    [500, "", "many"],
    [503, "SlowDown", "many"],
    [501, "", "never"],
    [501, "SlowDown", "never"],
    [429, "", "many"],
    [428, "", "never"],
    [499, "", "never"],
    ...[
      ...["RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable"],
      ...["ThrottlingException", "OperationAborted"],
    ].map((one) => [400, one, "many"] as const),
    [400, "Odd", "never"],
  ] as const) {
    test(`${status} ${code} is retried: ${retry}`, () => {
      const failure = failureOf(answered(status, code && xml(code)), url, settings);
      assert.deepEqual(
        [failure.status, failure.code, failure.retry],
        [status, code || undefined, retry],
      );
    });
  }

  test("waits as long as the storage asks, at most 20 s", () => {
    const waits = ["3", "20", "21", "0", "soon", undefined].map(
      (text) =>
        failureOf(
          answered(503, "", text === undefined ? {} : { "retry-after": text }),
          url,
          settings,
        ).leastWaitMs,
    );
    assert.deepEqual(waits, [3000, 20_000, 20_000, 0, 0, 0]);
  });

  test("has no secrets, control characters or long texts", () => {
    const { length } = detailOf(400, xml("Odd", "x ".repeat(2000)));
    assert.equal(length, 600);
    const echoed = "AKIAEXAMPLE se/cr+et-key se%2Fcr%2Bet-key session-token";
    const detail = detailOf(400, xml("Odd", `got\u0007\n${echoed}`));
    assert.match(detail, /\(got \*/);
    assert.doesNotMatch(detail, /AKIA|cr\+et|2Bet|session-token/);
    assert.match(detailOf(400, xml("Odd", echoed), anonymous), /session-token/);
    const short: S3Settings = {
      ...settings,
      identity: {
        ...{ kind: "keys", accessKeyId: "abcd", secretAccessKey: "the", sessionToken: undefined },
        places: [],
      },
    };
    assert.match(detailOf(400, xml("Odd", "the abcd"), short), /\(the \*+/);
  });
});

describe("the failure of a lost connection", () => {
  test("names a silent storage", () => {
    const cause = new RequestTimeout("no data arrived for 30 s");
    assert.deepEqual(failureOfLoss({ cause, sent: true }, url), {
      status: undefined,
      code: undefined,
      detail: "the storage at s3.example:9000 does not respond: no data arrived for 30 s",
      retry: "many",
      leastWaitMs: 0,
    });
  });

  test("names the protocol that the other side does not speak", () => {
    const detail = (code: string, place: URL): string => {
      const cause = Object.assign(new Error("x"), { code });
      return failureOfLoss({ cause, sent: false }, place).detail;
    };
    assert.match(detail("EPROTO", url), /did not send a valid TLS response \(EPROTO\)/);
    const plain = new URL("http://s3.example");
    assert.match(
      detail("HPE_INVALID_CONSTANT", plain),
      /^s3\.example did not send a valid HTTP response \(HPE_INVALID_CONSTANT\): check/,
    );
    assert.match(detail("EAI_AGAIN", plain), /the host name "s3\.example" was not found/);
  });
});

describe("the URL of an object", () => {
  const urlOf = (more: Partial<S3Settings>, key = "a/b", query = {}, region = "eu-1"): string =>
    objectUrl({ ...settings, ...more }, region, key, query).href;
  const endpoint = new URL("https://s3.example:9000/base//");

  test("is at the endpoint of the region, or at the endpoint of the settings", () => {
    assert.equal(urlOf({}), "https://s3.eu-1.amazonaws.com/jobs/a/b");
    assert.equal(urlOf({ isSecure: false }), "http://s3.eu-1.amazonaws.com/jobs/a/b");
    assert.equal(urlOf({}, "a", {}, "cn-north-1"), "https://s3.cn-north-1.amazonaws.com.cn/jobs/a");
    assert.equal(urlOf({ endpoint }), "https://s3.example:9000/base/jobs/a/b");
  });

  test("has the bucket in the host of virtual hosts", () => {
    const addressing = "virtualHost";
    assert.equal(urlOf({ endpoint, addressing }), "https://jobs.s3.example:9000/base/a/b");
    assert.equal(urlOf({ addressing }, ""), "https://jobs.s3.eu-1.amazonaws.com/");
    assert.equal(urlOf({ addressing: "path" }, ""), "https://s3.eu-1.amazonaws.com/jobs");
  });

  test("has encoded keys and queries", () => {
    assert.equal(encodeKey("a b/(c)!'*~é"), "a%20b/%28c%29%21%27%2A~%C3%A9");
    assert.equal(
      urlOf({}, "a+b", { uploads: "", "part number": "1&2" }),
      "https://s3.eu-1.amazonaws.com/jobs/a%2Bb?uploads=&part%20number=1%262",
    );
  });
});

describe("the address of an object", () => {
  for (const [address, expected] of [
    ["s3a://jobs/a", "jobs a"],
    ["s3://jobs/a/b.py", "jobs a/b.py"],
    ["s3a://jobs//a/./b/../c/", "jobs a/c"],
    ["s3a://jobs/../a", "jobs a"],
    ["s3a://jobs/a%20b?c#d", "jobs a%20b?c#d"],
    ["s3a://J.o_b-s/a", "J.o_b-s a"],
    ["s3a://jobs", '"s3a://jobs" has no object key'],
    ["s3a://jobs/", '"s3a://jobs/" has no object key'],
    ["s3a://jobs/a/..", '"s3a://jobs/a/.." has no object key'],
    ["s3a:///a", '"s3a:///a" has no valid bucket name'],
    ["s3a://-jobs/a", '"s3a://-jobs/a" has no valid bucket name'],
    ["s3n://jobs/a", '"s3n://jobs/a" has no valid bucket name'],
    ["s3a://jobs/\ud800", '"s3a://jobs/\ud800" is not valid Unicode text'],
    ["s3a://jobs/\u{1f600}", "jobs \u{1f600}"],
  ] as const) {
    test(`${JSON.stringify(address)} is ${JSON.stringify(expected)}`, () => {
      const parsed = parseS3Address(address);
      const text = parsed.ok ? `${parsed.value.bucket} ${parsed.value.key}` : parsed.error;
      assert.equal(text, expected);
    });
  }

  test("must not have credentials", () => {
    const parsed = parseS3Address("s3a://key:secret@jobs/a");
    assert.ok(!parsed.ok);
    assert.match(parsed.error, /^the address of a bucket must not contain credentials/);
    assert.doesNotMatch(parsed.error, /secret@/);
  });
});

describe("XML of a storage", () => {
  for (const [text, expected] of [
    ["<A>1</A><A>2</A>", ["1", "2"]],
    ["<A x='1'\n>1</A>", ["1"]],
    ["<AB>1</AB><A>2</A>", ["2"]],
    ["<!-- <A>0</A> --><A>1</A><!--", ["1"]],
    ["<A>1<!-- x -->2</A>", ["12"]],
    ["<A><B>1</B></A>", ["<B>1</B>"]],
    ["<A>1", []],
    ["", []],
  ] as const) {
    test(`has the elements of ${text}`, () => {
      assert.deepEqual(elementsOf(text, "A"), expected);
    });
  }

  for (const [content, expected] of [
    ["&amp;&lt;&gt;&quot;&apos;", "&<>\"'"],
    ["&#65;&#x1F600;", "A\u{1f600}"],
    ["&#0;&#x110000;&#x10ffff;", "&#0;&#x110000;\u{10ffff}"],
    ["&none;", "&none;"],
    ["&amp;lt;", "&lt;"],
    [" <![CDATA[<&amp;>]]> ", "<&amp;>"],
    ["", ""],
  ] as const) {
    test(`has the text ${JSON.stringify(content)}`, () => {
      assert.equal(xmlTextOf(`<A>${content}</A>`, "A"), expected);
    });
  }
});

import assert from "node:assert/strict";
import { Redactor } from "../../../src/cluster/redactor.ts";
import { readFileSync } from "node:fs";
import type { Result } from "../../../src/base/result.ts";
import { readStatus } from "../../../src/cluster/apiMessages.ts";
import { ItemSplitter } from "../../../src/cluster/bytes/itemSplitter.ts";
import { parseWithoutManagedFields } from "../../../src/cluster/bytes/parseWithoutManagedFields.ts";
import { readExecCredential } from "../../../src/cluster/credentials/execPlugin.ts";
import { EventFrames, EventLines, type EventStream } from "../../../src/cluster/eventStream.ts";
import { BadFrame, clientFrame, FrameReader } from "../../../src/io/webSocket/frames.ts";
import { parseJson } from "../../../src/base/json.ts";
import { podDecoder } from "../../../src/cluster/podSource.ts";
import { errorOf, refusalOf } from "../../../src/cluster/statusError.ts";
import { WatchEvents } from "../../../src/cluster/watchEvents.ts";
import {
  decodeAllocation,
  decodeReported,
  targetIn,
} from "../../../src/spark/diagnosis/driverReport.ts";
import { decodeObjectEvent } from "../../../src/spark/diagnosis/objectEvents.ts";
import { diagnose } from "../../../src/spark/diagnosis/diagnose.ts";
import { describeApplication } from "../../../src/spark/pods/describeApplication.ts";
import { sharedValues } from "../../../src/spark/pods/sharedValues.ts";
import { applicationRows } from "../../../src/spark/pods/applicationRows.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { decodeOperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import { applyPodEvents, emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { trieValues } from "../../../src/spark/pods/trie.ts";
import { failureOf } from "../../../src/storage/s3/s3Failure.ts";
import { elementsOf, xmlTextOf } from "../../../src/storage/s3/xmlText.ts";
import { readZipBytes } from "../zipBytes.ts";
import { assertNoControls, chunksOf } from "../oracles.ts";
import type { FuzzTarget } from "../target.ts";

const recorded = JSON.parse(
  readFileSync(new URL("../../contract/podMessages/recorded.json", import.meta.url), "utf8"),
) as {
  readonly pods: readonly object[];
  readonly watch: string;
  readonly refusals: readonly { readonly status: object; readonly message: string }[];
  readonly expired: { readonly event: object; readonly watch: string };
};

const latin1 = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");
const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");
const podTexts = recorded.pods.map((pod) => JSON.stringify(pod));
const jsonWords = [
  ...[
    '{"',
    '":',
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "\\",
    "null",
    "1e999",
    "\n",
    '"items":[',
    '"managedFields":[',
  ],
  ...[
    '"metadata":{',
    '"kind":"Pod"',
    '"type":"ERROR"',
    '"object":',
    '"uid":"x"',
    '"spark-role":"driver"',
  ],
];

const now = Date.UTC(2026, 0, 2);

const pods: FuzzTarget = {
  name: "pods",
  form: "text",
  corpus: podTexts,
  words: jsonWords,
  maxLength: 262_144,
  check: (text) => {
    const json = parseJson(text);
    const value = json.ok ? json.value : undefined;
    const pod = decodePod(value, sharedValues());
    decodeWireObject(value);
    if (pod === undefined) return;
    const events = [pod, { ...pod, resourceVersion: `${pod.resourceVersion}1` }].map((one) => ({
      kind: "added" as const,
      pod: one,
    }));
    const { snapshot } = applyPodEvents(emptySnapshot, events);
    const resource = decodeOperatorResource("spark.apache.org/v1", "SparkApplication", value);
    const model = buildApplications(snapshot, resource === undefined ? [] : [resource]);
    const applications = [...trieValues(model.byKey)];
    applicationRows(applications);
    for (const application of applications) {
      describeApplication(application);
      const { driver } = application;
      if (driver === undefined) continue;
      diagnose({
        ...driver,
        role: "driver",
        isPython: undefined,
        events: [],
        application,
        report: undefined,
        now,
      });
    }
  },
};

function decodeWireObject(value: unknown): void {
  decodeObjectEvent(value);
  decodeReported(value);
  decodeAllocation(value);
  targetIn(value);
}

const subject = { verb: "list", resource: "pods", namespace: "jobs", name: "" } as const;

/** Returns all watch events in the chunks, followed by the error, if any. */
function watched(stream: EventStream, chunks: readonly Buffer[]): unknown {
  const events = new WatchEvents(
    stream,
    (status) => errorOf(refusalOf(status), subject, "https://server", new Redactor()),
    podDecoder(sharedValues()),
  );
  const told: unknown[] = [];
  for (const chunk of chunks) {
    const batch = events.read(chunk);
    told.push(...batch.events);
    if (batch.error) return [...told, batch.error];
  }
  const error = events.end();
  return error === undefined ? told : [...told, error];
}

const watchLines: FuzzTarget = {
  name: "watch-json",
  form: "bytes",
  corpus: [
    podTexts.map((pod) => `{"type":"ADDED","object":${pod}}\n`).join(""),
    `${JSON.stringify(recorded.expired.event)}\n`,
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"5"}}}\n',
  ],
  words: jsonWords,
  maxLength: 262_144,
  check: (text) => {
    const bytes = bytesOf(text);
    assert.deepEqual(
      watched(new EventLines(1 << 20), chunksOf(bytes)),
      watched(new EventLines(1 << 20), [Buffer.from(bytes)]),
    );
  },
};

const watchFrames: FuzzTarget = {
  name: "watch-messages",
  form: "bytes",
  corpus: [latin1(recorded.watch), latin1(recorded.expired.watch)],
  words: [
    "\0\0\0\u0010",
    "k8s\0",
    "\n\u0005ADDED",
    "\u0012\u00ff\u00ff\u00ff\u00ff\u000f",
    "\u0008\u0080\u0080",
    "\u000b",
  ],
  maxLength: 262_144,
  check: (text) => {
    const bytes = bytesOf(text);
    assert.deepEqual(
      watched(new EventFrames(1 << 20), chunksOf(bytes)),
      watched(new EventFrames(1 << 20), [Buffer.from(bytes)]),
    );
  },
};

const statuses: FuzzTarget = {
  name: "statuses",
  form: "bytes",
  corpus: [
    ...recorded.refusals.map(({ message }) => latin1(message)),
    ...recorded.refusals.map(({ status }) => JSON.stringify(status)),
  ],
  words: jsonWords,
  maxLength: 65_536,
  check: (text) => {
    const json = parseJson(text);
    const message = readStatus(bytesOf(text));
    for (const status of [message, json.ok ? json.value : undefined]) {
      errorOf(refusalOf(status), subject, "https://server", new Redactor());
    }
  },
};

const list = (items: readonly string[]): string =>
  `{"kind":"PodList","metadata":{"continue":"x"},"items":[${items.join(",")}],"a":"\\"items\\":["}`;

function split(chunks: readonly Buffer[]): unknown {
  const splitter = new ItemSplitter(1 << 18);
  const items: string[] = [];
  for (const chunk of chunks) {
    splitter.push(chunk, (item) => {
      items.push(item.toString("latin1"));
    });
    if (splitter.isBroken) return "broken";
  }
  return { items, envelope: splitter.takeEnvelope().toString("latin1") };
}

const lists: FuzzTarget = {
  name: "lists",
  form: "bytes",
  corpus: [list(podTexts), list([])],
  words: jsonWords,
  maxLength: 262_144,
  check: (text) => {
    const bytes = bytesOf(text);
    assert.deepEqual(split(chunksOf(bytes)), split([Buffer.from(bytes)]));
    const cut = parseWithoutManagedFields(bytes);
    const whole: Result<unknown, "notJson"> = parseJson(bytes.toString());
    if (whole.ok) assert.ok(cut.ok);
  },
};

const serverFrame = (first: number, payload: string): string => {
  const length =
    payload.length < 126
      ? String.fromCharCode(payload.length)
      : `\u007e${String.fromCharCode(payload.length >> 8, payload.length & 255)}`;
  return `${String.fromCharCode(first)}${length}${payload}`;
};

/** Returns the length of each complete message in bytes, or the error message for an invalid frame. */
function framesIn(chunks: readonly Buffer[]): readonly number[] | string {
  const reader = new FrameReader();
  const messages: number[] = [];
  let length = 0;
  try {
    for (const chunk of chunks) {
      for (const { payload, isLast } of reader.push(chunk)) {
        length += payload.length;
        if (!isLast) continue;
        messages.push(length);
        length = 0;
      }
    }
  } catch (error) {
    if (error instanceof BadFrame) return error.message;
    throw error;
  }
  return messages;
}

const frames: FuzzTarget = {
  name: "websocket-frames",
  form: "bytes",
  corpus: [
    serverFrame(0x82, "\u0001output") +
      serverFrame(0x89, "ping") +
      serverFrame(0x02, "\u0001a") +
      serverFrame(0x80, "b"),
    serverFrame(0x82, "x".repeat(300)) + serverFrame(0x88, "\u0003\u00e8"),
    clientFrame(2, [Buffer.from("masked")]).toString("latin1"),
  ],
  words: [
    "\u0082",
    "\u0002",
    "\u0089",
    "\u0088",
    "\u0080",
    "\u007e\u0001\u0000",
    "\u007f\0\0\0\0\0\u00ff\0\0",
    "\u00ff",
  ],
  maxLength: 65_536,
  check: (text) => {
    assert.deepEqual(framesIn(chunksOf(bytesOf(text))), framesIn([bytesOf(text)]));
  },
};

const execEntry = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "aws",
  args: [],
  env: {},
  installHint: undefined,
  providesClusterInfo: false,
  interactiveMode: "Never",
};

const execPlugin: FuzzTarget = {
  name: "exec-plugin",
  form: "text",
  corpus: [
    '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"abc","expirationTimestamp":"2026-01-02T03:04:05Z"}}',
    '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientCertificateData":"-----BEGIN CERTIFICATE-----\\nMII=\\n-----END CERTIFICATE-----","clientKeyData":"-----BEGIN PRIVATE KEY-----\\nMII=\\n-----END PRIVATE KEY-----"}}',
  ],
  words: [...jsonWords, "-----BEGIN ", "-----END ", "\\r\\n", "\\u0000"],
  maxLength: 65_536,
  check: (text) => {
    const read = readExecCredential(execEntry, text);
    if (!read.ok) return;
    const { token, expiresAt } = read.value;
    if (token !== undefined) assert.match(token, /^[\x21-\x7e]+$/);
    assert.ok(!Number.isNaN(expiresAt ?? 0));
  },
};

const s3Settings = {
  bucket: "b",
  endpoint: undefined,
  isSecure: true,
  places: [],
  region: "us-east-1",
  addressing: "path",
  identity: {
    kind: "keys",
    accessKeyId: "AKIA-of-mine",
    secretAccessKey: "secret-of-mine",
    sessionToken: undefined,
    places: [],
  },
  encryption: {},
  authorities: undefined,
} as const;

const s3: FuzzTarget = {
  name: "s3-xml",
  form: "text",
  corpus: [
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No &#x41;&amp;</Message><AWSAccessKeyId>AKIA-of-mine</AWSAccessKeyId></Error>',
    "<InitiateMultipartUploadResult xmlns='x'><!-- a --><UploadId><![CDATA[x]]></UploadId></InitiateMultipartUploadResult>",
  ],
  words: [
    "<Code>",
    "</Code>",
    "<Message>",
    "</Message>",
    "<Code ",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&#x",
    "&#",
    ";",
    "&amp;",
    "secret-of-mine",
  ],
  maxLength: 65_536,
  check: (text) => {
    elementsOf(text, "Code");
    xmlTextOf(text, "UploadId");
    const answer = {
      kind: "answered",
      status: 403,
      headers: { "retry-after": text.slice(0, 20) },
      text,
    } as const;
    const { detail, leastWaitMs } = failureOf(answer, new URL("https://s3.test/b"), s3Settings);
    assert.ok(!detail.includes("secret-of-mine"));
    assertNoControls(detail);
    assert.ok(leastWaitMs >= 0 && leastWaitMs <= 20_000);
  },
};

const zip: FuzzTarget = {
  name: "zip",
  form: "bytes",
  corpus: [
    latin1(
      // One uncompressed entry, META-INF/MANIFEST.MF.
      "UEsDBAoAAAAAAAAAIVoAAAAAAAAAAAAAAAAUAAAATUVUQS1JTkYvTUFOSUZFU1QuTUZQSwECHgMKAAAAAAAAACFaAAAAAAAAAAAAAAAAFAAAAAAAAAAAAAAApIEAAAAATUVUQS1JTkYvTUFOSUZFU1QuTUZQSwUGAAAAAAEAAQBCAAAAMgAAAAAA",
    ),
  ],
  words: [
    "PK\u0001\u0002",
    "PK\u0003\u0004",
    "PK\u0005\u0006",
    "PK\u0006\u0006",
    "PK\u0006\u0007",
    "\u00ff\u00ff\u00ff\u00ff",
    "META-INF/MANIFEST.MF",
  ],
  maxLength: 65_536,
  check: (text) => {
    readZipBytes(bytesOf(text), "META-INF/MANIFEST.MF");
  },
};

export const wireTargets: readonly FuzzTarget[] = [
  pods,
  watchLines,
  watchFrames,
  statuses,
  lists,
  frames,
  execPlugin,
  s3,
  zip,
];

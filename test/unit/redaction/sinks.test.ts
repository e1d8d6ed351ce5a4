import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Memento } from "vscode";
import { ok } from "../../../src/base/result.ts";
import { confText } from "../../../src/editor/describe/confText.ts";
import { readPodDocument } from "../../../src/editor/describe/podDocument.ts";
import { lastSent, SentHere } from "../../../src/editor/profiles/sentTexts.ts";
import { redactedLog } from "../../../src/editor/redactedLog.ts";
import {
  cleanStoredRuns,
  knownRun,
  lastRun,
  rememberLastRun,
  rememberRun,
  taskWithoutSecrets,
} from "../../../src/editor/submit/knownRuns.ts";
import { inputsForSecrets } from "../../../src/editor/submit/secretInputs.ts";
import type { LogItem, LogSource } from "../../../src/engine/ports/logs.ts";
import { redactedLogs } from "../../../src/engine/logs/redactedLogs.ts";
import { shortened } from "../../../src/spark/diagnosis/rule.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import {
  numberedMask,
  plainMask,
  redaction,
  defaultSecretRule,
  type Mask,
} from "../../../src/spark/redact.ts";
import { redactLine } from "../../../src/spark/redactLine.ts";
import { redactArguments, redactText, redactValue } from "../../../src/spark/redactText.ts";
import { comparableText, previewText } from "../../../src/spark/submit/preview/comparableText.ts";
import { printYaml } from "../../../src/spark/printYaml.ts";
import { redactObject } from "../../../src/spark/submit/preview/redactObject.ts";
import {
  missingSecrets,
  putBackInText,
  putBackSecrets,
  takeOutOfText,
} from "../../../src/spark/submit/profile/heldSecrets.ts";
import { fakeCluster } from "../engine/fakeCluster.ts";
import { driverFixture, podFixture } from "../pods/podFixture.ts";
import { conf, planOf, withOptions } from "../submit/prepared.ts";
import { needle, plantedText, secretNames, secretWord } from "./planted.ts";
import { inEnglish } from "../../../src/base/message.ts";
import { memoryMemento } from "../editor/memoryMemento.ts";

const { signal } = new AbortController();
const runs = { numRuns: 300 };

function hides(shown: string, input: unknown): void {
  assert.ok(!shown.includes(needle), `${JSON.stringify(input)} shows as ${shown}`);
}

const stored = (kept: Memento): string =>
  JSON.stringify(kept.keys().map((key) => [key, kept.get(key)]));

/** Returns an executor and its application. */
function subject() {
  const { snapshot } = replacePods(emptySnapshot, [podFixture({ uid: "uid-1" })]);
  const application = firstOf(buildApplications(snapshot).applications);
  const pod = application && firstOf(application.live);
  assert.ok(application && pod);
  return { application, pod, name: "" };
}

// ---- Documents ---------------------------------------------------------------------------------

describe("documents hide planted secrets", () => {
  const place = {
    environment: { SPARK_CONF_DIR: "/conf" },
  };

  test("in the preview of a submission and in its comparable text", () => {
    fc.assert(
      fc.property(plantedText, secretNames, secretWord, (text, name, word) => {
        const plan = planOf(
          [
            ...withOptions(
              ...conf(
                `spark.my.value=${text.replaceAll("\n", "\\n")}`,
                `spark.kubernetes.driverEnv.DATABASE_URL=${text.replaceAll("\n", "\\n")}`,
                `spark.executorEnv.${name}=${word}`,
                `spark.kubernetes.driver.annotation.note=${text.replaceAll("\n", "\\n")}`,
              ),
            ),
            "--dsn",
            text,
            `--${name}`,
            word,
          ],
          {
            ...place,
            files: {
              "/conf/app.properties": `a.url=${text}\n${name}=${word}\n`,
              "/conf/app.yaml": `a:\n  ${name}: ${word}\n  url: ${JSON.stringify(text)}\n`,
            },
          },
        );
        hides(previewText(plan, [], inEnglish), text);
        hides(comparableText(plan, [], inEnglish, numberedMask()), text);
      }),
      { numRuns: 60 },
    );
  });

  async function podWith(text: string, name: string, word: string): Promise<string> {
    const container = {
      name: "x",
      image: "registry/my-token:1.2",
      env: [
        { name: "DATABASE_URL", value: text },
        { name, value: word },
      ],
      args: ["--dsn", text, `--${name}`, word, `--${name}=${word}`],
      lifecycle: { postStart: { exec: { command: ["sh", "-c", `${name}=${word} run`, text] } } },
    };
    const applied = { apiVersion: "v1", kind: "Pod", spec: { containers: [container] } };
    const applySecret = { apiVersion: "v1", kind: "Secret", data: { a: word } };
    const body = {
      metadata: {
        uid: "uid-1",
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(applied),
          other: JSON.stringify(applySecret),
          note: text,
        },
      },
      spec: {
        containers: [container],
        initContainers: [container],
        ephemeralContainers: [container],
      },
      status: {
        containerStatuses: [{ state: { terminated: { message: `failed with ${text}` } } }],
      },
    };
    const { objects } = fakeCluster();
    const connection = {
      objects: {
        ...objects,
        read: (object: Parameters<typeof objects.read>[0]) =>
          Promise.resolve(ok({ ...object, uid: "uid-1", resourceVersion: "9", body })),
      },
    };
    const read = await readPodDocument(connection, subject(), plainMask, signal);
    assert.ok(read.ok);
    return printYaml(read.value);
  }

  test("in the document of a pod", async () => {
    await fc.assert(
      fc.asyncProperty(plantedText, secretNames, secretWord, async (text, name, word) => {
        hides(await podWith(text, name, word), [text, name]);
      }),
      runs,
    );
  });

  test("and keep harmless fields of a pod", () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        uid: "0b9c0a52-6ac6-4b3a-8f6e-9d7f2f6b1c11",
        resourceVersion: "123456789",
        annotations: { "a/checksum": "sha256:e3b0c44298fc1c149afbf4c8996fb924" },
      },
      spec: {
        serviceAccountName: "spark",
        containers: [
          {
            image: "registry/my-token:1.2@sha256:e3b0c44298fc1c149afbf4c8996fb924",
            env: [
              { name: "PASS", valueFrom: { secretKeyRef: { name: "db-secret", key: "password" } } },
              { name: "HOME", value: "/opt/spark" },
              { name: "PWD", value: "/opt/spark" },
            ],
            args: ["driver", "--class", "org.apache.spark.Pi", "local:///a.jar"],
            volumeMounts: [{ mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
          },
        ],
        volumes: [
          { secret: { secretName: "db-secret", items: [{ key: "token", path: "token" }] } },
        ],
      },
    };
    assert.deepEqual(redactObject(pod, { isSecret: defaultSecretRule }), pod);
  });

  test("in the conf of a run", () => {
    fc.assert(
      fc.property(plantedText, secretNames, secretWord, (text, name, word) => {
        const entries = new Map([
          ["spark.my.value", text],
          ["spark.jars.repositories", text],
          [`spark.kubernetes.driverEnv.${name}`, word],
        ]);
        hides(confText(subject(), entries, { comments: [`from ${text}`], show: inEnglish }), text);
      }),
      runs,
    );
  });

  test("and show in a comparison that a secret differs", () => {
    const text = (secret: string, mask: Mask): string =>
      printYaml(
        redactObject(
          {
            args: [`--dsn=postgres://u:${secret}@h`],
            env: [
              { name: "DB_PASS", value: secret },
              { name: "A", value: "same" },
            ],
          },
          { isSecret: defaultSecretRule, mask },
        ),
      );
    const mask = numberedMask();
    const [one, again, other] = ["hunter1", "hunter1", "hunter2"].map((secret) =>
      text(secret, mask),
    );
    assert.equal(one, again);
    assert.notEqual(one, other);
    assert.doesNotMatch(`${one}${other}`, /hunter/);
    assert.match(one ?? "", /postgres:\/\/u:\*+\(redacted\)#1@h/);
  });
});

// ---- Logs and errors ---------------------------------------------------------------------------

describe("logs and errors hide planted secrets", () => {
  async function linesOf(lines: readonly string[]): Promise<string> {
    const source: LogSource = {
      async *readLog() {
        await Promise.resolve();
        const item: LogItem = {
          kind: "lines",
          take: () => lines.map((text) => ({ timestamp: "1", text })),
        };
        yield item;
      },
    };
    const request = {
      namespace: "etl",
      pod: "p",
      container: undefined,
      follow: false,
      previous: false,
      tailLines: undefined,
      sinceTime: undefined,
    };
    const shown: string[] = [];
    const logs = redactedLogs(source, () => Promise.resolve(ok(defaultSecretRule)));
    for await (const item of logs.readLog(request, signal)) {
      if (item.kind === "lines") shown.push(...item.take().map(({ text }) => text));
    }
    return shown.join("\n");
  }

  test("in log lines, which are also the kept ones", async () => {
    await fc.assert(
      fc.asyncProperty(plantedText, secretNames, secretWord, async (text, name, word) => {
        const lines = [`INFO App: ${text}`, `${name}=${word}`].flatMap((line) => line.split("\n"));
        hides(await linesOf(lines), lines);
      }),
      runs,
    );
  });

  test("in private key lines that arrive one by one", async () => {
    const full = `${"MIIEvQIBADANBgkqhkiG9w0B".repeat(2)}${needle}Ab3dEfGh`;
    const lines = [
      "INFO App: -----BEGIN RSA PRIVATE KEY-----",
      full,
      `Ab3=${needle}`.slice(4),
      "-----END RSA PRIVATE KEY-----",
      "INFO App: done",
    ];
    assert.equal(full.length, 64);
    assert.equal(
      await linesOf(lines),
      [lines[0], redaction, redaction, lines[3], lines[4]].join("\n"),
    );
    hides(await linesOf([full]), "a log that is followed from the middle of a key");
    const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert.equal(await linesOf([digest]), digest);
  });

  test("in the output channel, including stack traces", () => {
    fc.assert(
      fc.property(plantedText, (text) => {
        const written: string[] = [];
        const write = (line: string | Error): void => {
          written.push(String(line));
        };
        const log = redactedLog(() => ({ debug: write, warn: write, error: write }));
        log.debug(text);
        log.warn(`refused: ${text}`);
        log.error(new Error(`cannot reach ${text}`));
        log.error(text);
        assert.equal(written.length, 4);
        hides(written.join("\n"), text);
      }),
      runs,
    );
  });

  test("in the text of a diagnosis", () => {
    fc.assert(
      fc.property(plantedText, (text) => {
        hides(inEnglish(shortened(text, 500)), text);
      }),
      runs,
    );
  });
});

// ---- Stored state ------------------------------------------------------------------------------

describe("stored state holds no planted secret", () => {
  const definitionWith = (text: string, name: string, word: string) => ({
    type: "spark",
    application: text,
    args: ["--dsn", text, `--${name}`, word, `--${name}=${word}`],
    conf: { "spark.my.value": text, [`spark.executorEnv.${name}`]: word, "spark.a": "b" },
    contexts: { dev: { conf: { "spark.my.value": text } } },
  });

  test("of the last run, which Run Last Again restores with its secrets", async () => {
    await fc.assert(
      fc.asyncProperty(plantedText, secretNames, secretWord, async (text, name, word) => {
        const kept = memoryMemento();
        const definition = definitionWith(text, name, word);
        const run = { kind: "definition", definition } as const;
        const driver = driverFixture();
        await rememberLastRun(kept, run);
        await rememberRun(kept, driver, run);
        hides(stored(kept), definition);
        const known = lastRun(kept);
        assert.deepEqual(known, knownRun(kept, { namespace: "jobs", id: "spark-1" }));
        assert.ok(known?.kind === "definition");
        const { value, secrets } = taskWithoutSecrets(definition);
        assert.deepEqual(known.definition, value);
        assert.equal(missingSecrets(value).size, secrets.length);
        assert.deepEqual(putBackSecrets(value, secrets), definition);
      }),
      runs,
    );
  });

  test("of a suggested answer", () => {
    fc.assert(
      fc.property(plantedText, secretNames, secretWord, (text, name, word) => {
        const answer = `--dsn ${text} --${name} ${word} --day 1`;
        const { value, secrets } = takeOutOfText(answer);
        hides(value, answer);
        assert.equal(putBackInText(value, secrets), answer);
      }),
      runs,
    );
  });

  test("of the last submission, while this window still detects a changed secret", async () => {
    const kept = memoryMemento();
    const here = new SentHere();
    const write =
      (secret: string) =>
      (mask: Mask): string =>
        comparableText(
          planOf(withOptions(...conf(`spark.kubernetes.driverEnv.DB_PASS=${secret}`))),
          [],
          inEnglish,
          mask,
        );
    await here.keep(kept, "etl", 1, write("hunter1"));
    assert.doesNotMatch(stored(kept), /hunter|#1/);
    assert.equal(lastSent(kept, "etl")?.text, write("hunter2")(plainMask));
    assert.equal(here.textOf("etl"), write("hunter1")(here.mask));
    assert.notEqual(here.textOf("etl"), write("hunter2")(here.mask));
  });

  test("that an earlier version has stored", async () => {
    const run = {
      kind: "definition",
      definition: definitionWith(`postgres://u:${needle}@h`, "DB_PASS", needle),
    };
    const kept = memoryMemento([
      ["submit.lastRun", run],
      ["submit.knownRuns", { "jobs/spark-1": run, "jobs/spark-2": { kind: "profile", name: "a" } }],
      ["submit.arguments", [`--password ${needle}`, "--day 1"]],
      ["profiles.sent", [{ name: "a", at: 1, text: `url: postgres://u:${needle}@h` }]],
      ["profiles.outcomes", [["a", { ok: true }]]],
    ]);
    await cleanStoredRuns(kept);
    hides(stored(kept), run);
    assert.deepEqual(kept.get("submit.arguments"), [`--password ${redaction}#1`, "--day 1"]);
    assert.deepEqual(kept.get("profiles.outcomes"), [["a", { ok: true }]]);
    assert.equal(knownRun(kept, { namespace: "jobs", id: "spark-2" })?.kind, "profile");
    const before = stored(kept);
    await cleanStoredRuns(kept);
    assert.equal(stored(kept), before);
  });

  test("keeps variables, which are resolved at each run", () => {
    const definition = {
      type: "spark",
      args: ["--dsn=postgres://u:${env:DB_PASS}@h", "--password", "${input:password}"],
      application: "https://h/a.jar?token=${env:TOKEN}&user=u",
      conf: { "spark.x.password": "${env:DB_PASS}" },
    };
    assert.deepEqual(taskWithoutSecrets(definition), { value: definition, secrets: [] });
  });
});

describe("a profile of a pasted command", () => {
  test("asks for planted secrets, and restores the command with the answers", () => {
    fc.assert(
      fc.property(plantedText, secretNames, secretWord, (text, name, word) => {
        const profile = {
          application: text,
          image: "spark:4.0.1",
          args: ["--dsn", text, `--${name}`, word],
          conf: { "spark.my.value": text, [`spark.executorEnv.${name}`]: word },
        };
        const words = { argument: "argument", application: "application" };
        const { profile: written, inputs } = inputsForSecrets(profile, defaultSecretRule, words);
        hides(JSON.stringify([written, inputs]), profile);
        const left = JSON.stringify(written).match(/\$\{input:([^}]+)\}/g) ?? [];
        assert.deepEqual(
          [...new Set(left)].sort(),
          inputs.map(({ id }) => `\${input:${id}}`).sort(),
        );
        assert.ok(inputs.every(({ password }) => password));
      }),
      runs,
    );
  });
});

// ---- Rules -------------------------------------------------------------------------------------

describe("the redactor", () => {
  test("is idempotent", () => {
    fc.assert(
      fc.property(plantedText, secretNames, secretWord, fc.string(), (text, name, word, more) => {
        const line = `${more} ${name}=${word} ${text} ${more}`;
        const once = redactLine(line, defaultSecretRule);
        assert.equal(redactLine(once, defaultSecretRule), once);
        const value = redactValue("spark.a", text, defaultSecretRule);
        assert.equal(redactValue("spark.a", value, defaultSecretRule), value);
        const args = redactArguments([text, `--${name}`, word], defaultSecretRule);
        assert.deepEqual(redactArguments(args, defaultSecretRule), args);
        const file = redactText(`${more}\n${name}: ${word}\n${text}`, defaultSecretRule);
        assert.equal(redactText(file, defaultSecretRule), file);
      }),
      { numRuns: 1_000 },
    );
  });

  test("leaves texts without secrets unchanged", () => {
    const words = fc.constantFrom(
      ...["INFO", "Executor", "stage", "1.0", "10.1.2.3:7078", "s3a://lake/day=2026-01-02", "key"],
      ...["spark.app.name=orders", "bypass=on", "compass", "passed", "a@b", "https://h:443/x", "{"],
      ...["sha256:e3b0c44298fc1c149afbf4c8996fb924", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
      ...["0b9c0a52-6ac6-4b3a-8f6e-9d7f2f6b1c11", '"id":"7"', "(TID 7)", "}", "sas7bdat", "sign=1"],
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const text = parts.join(" ");
        assert.equal(redactLine(text, defaultSecretRule), text);
        assert.equal(redactText(text, defaultSecretRule), text);
        assert.equal(redactValue("spark.a", text, defaultSecretRule), text);
        assert.deepEqual(redactArguments(parts, defaultSecretRule), parts);
      }),
      { numRuns: 2_000 },
    );
  });
});

import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { sparkPodSelector } from "../../../src/spark/labels.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";
import { sentLabel } from "./sentLabel.ts";

const never = new AbortController().signal;
const plain = { dryRun: false, charset: false };
const requestsAWriter = 3;
const attempts = 5;
/** One of this many changes deletes a pod and creates it again; the others set a label. */
const changesAReplacement = 5;

/** Executor pods of one application. Their scheduler does not exist, so they stay pending and need no node. */
export interface ManyPods {
  readonly namespace: string;
  readonly writers: readonly Connection[];
  readonly count: number;
}

/** Creates the pods that are missing in the namespace, and returns how many were missing. */
export async function makePods({ namespace, writers, count }: ManyPods): Promise<number> {
  const there = await indexesThere(writers, namespace);
  const missing = Array.from({ length: count }, (_, index) => index).filter(
    (index) => !there.has(index),
  );
  let next = 0;
  const work = async (writer: Connection): Promise<void> => {
    for (let index = missing[next++]; index !== undefined; index = missing[next++]) {
      await makePod(writer, namespace, index);
    }
  };
  await Promise.all(
    writers.flatMap((writer) => Array.from({ length: requestsAWriter }, () => work(writer))),
  );
  return missing.length;
}

/**
 * Changes or replaces pods at a constant rate for `forMs` milliseconds. `aMinute` is the share of the pods that is
 * changed each minute. Each change sets `sentLabel` to the time at which it was sent.
 */
export async function changePods(
  { namespace, writers, count }: ManyPods,
  { aMinute, forMs }: { readonly aMinute: number; readonly forMs: number },
): Promise<void> {
  const perMs = (count * aMinute) / 60_000;
  const began = performance.now();
  let done = 0;
  for (let passed = 0; passed < forMs; passed = performance.now() - began) {
    const due = Math.floor(passed * perMs);
    const batch: Promise<unknown>[] = [];
    for (; done < due; done += 1) {
      const writer = writers[done % writers.length];
      const change = done % changesAReplacement === 0 ? replace : touch;
      if (writer) batch.push(change(writer, namespace, (done * 7919) % count));
    }
    await Promise.all(batch);
    await wait(20);
  }
}

const nameOf = (index: number): string => `bench-exec-${index}`;

async function indexesThere(
  [reader]: readonly Connection[],
  namespace: string,
): Promise<ReadonlySet<number>> {
  const there = new Set<number>();
  let continueToken: string | undefined;
  do {
    const selection = { namespace, labelSelector: sparkPodSelector };
    const request = { ...selection, resourceVersion: undefined, limit: 1_000, continueToken };
    const page = await reader?.pods.listPods(request, never);
    if (page?.ok !== true) throw new Error(page?.error.detail ?? "no connection");
    for (const { name } of page.value.pods) there.add(Number(name.slice(nameOf(0).length - 1)));
    ({ continueToken } = page.value);
  } while (continueToken);
  return there;
}

async function makePod(writer: Connection, namespace: string, index: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const made = await writer.objects.create(namespace, podOf(index), plain, never);
    if (made.ok || made.error.kind === "conflict") return;
    if (attempt >= attempts) throw new Error(made.error.detail);
    await wait(500 * 2 ** attempt);
  }
}

async function touch(writer: Connection, namespace: string, index: number): Promise<void> {
  const manifest: Manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: nameOf(index), labels: { [sentLabel]: String(Date.now()) } },
  };
  const options = { ...plain, fieldManager: "bench", force: true };
  await writer.objects.apply(namespace, manifest, options, never);
}

async function replace(writer: Connection, namespace: string, index: number): Promise<void> {
  const old = { apiVersion: "v1", kind: "Pod", namespace, name: nameOf(index) };
  const atOnce = { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: 0 };
  const gone = await writer.objects.delete(old, atOnce, never);
  const come = await writer.objects.create(namespace, podOf(index, Date.now()), plain, never);
  for (const done of [gone, come]) if (!done.ok) console.error(done.error.detail);
}

const podOf = (index: number, sentAt?: number): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: nameOf(index),
    labels: {
      "spark-app-selector": "spark-bench",
      "spark-app-name": "bench",
      "spark-role": "executor",
      "spark-exec-id": String(index),
      "spark-exec-resourceprofile-id": "0",
      "spark-version": "4.3.0",
      ...(sentAt !== undefined && { [sentLabel]: String(sentAt) }),
    },
  },
  spec: {
    schedulerName: "nobody",
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    containers: [
      {
        name: "spark-kubernetes-executor",
        image: "spark:4.3.0",
        args: ["executor"],
        env: Array.from({ length: 14 }, (_, at) => ({
          name: `SPARK_SETTING_${at}`,
          value: `a value of ordinary length, number ${at}`,
        })),
        resources: { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } },
      },
    ],
  },
});

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as realSleep } from "node:timers/promises";
import { DisposableStore } from "../../../src/base/disposable.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import type { LifecycleContext } from "../../../src/editor/lifecycle/context.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { OperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { executorsOf } from "../../../src/spark/pods/applicationRun.ts";
import { settle } from "../engine/virtualClock.ts";
import { scriptedScreen, type ScriptedScreen } from "./screenFixture.ts";
import {
  recordedObjects,
  sessionFixture,
  strictLog,
  type SessionFixture,
} from "./sessionFixture.ts";

export interface LifecycleFixture extends SessionFixture {
  readonly screen: ScriptedScreen;
  readonly context: LifecycleContext;
  /**
   * Runs a command on the rows named `driver`, `executor 1`, or like an application; without rows, as from the palette.
   */
  readonly run: (
    command: (context: LifecycleContext, nodes: readonly TreeNode[]) => Promise<void>,
    rows?: readonly string[],
  ) => Promise<void>;
  /** Returns the displayed texts and the written objects. */
  readonly transcript: () => string;
}

export interface Cluster {
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly refused?: Readonly<Record<string, ClusterError>>;
  readonly ports?: Partial<Connection>;
  readonly resources?: readonly OperatorResource[];
  readonly context?: Partial<LifecycleContext>;
}

/** A command scene: the cluster, the selected rows, and the user's answers to prompts. */
export interface CommandScene<Command> extends Cluster {
  readonly name: string;
  readonly pods: readonly PodRecord[];
  /** Undefined: run from the command palette. */
  readonly rows?: readonly string[];
  readonly answers?: readonly (string | undefined)[];
  /** Replaces the command of the group. */
  readonly command?: Command;
}

export async function lifecycleFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  script: readonly (string | undefined)[] = [],
  { bodies, refused, ports, resources, context: own }: Cluster = {},
): Promise<LifecycleFixture> {
  const { objects, written } = recordedObjects(bodies, refused);
  const screen = scriptedScreen(...script);
  const fixture = await sessionFixture(
    t,
    pods,
    {
      objects,
      evictions: {
        evict: ({ name }) => {
          written.push(`evict ${name}`);
          return objects.delete(
            { apiVersion: "policy/v1", kind: "Eviction", namespace: "", name },
            { uid: undefined, propagationPolicy: undefined, gracePeriodSeconds: undefined },
            new AbortController().signal,
          );
        },
      },
      ...ports,
    },
    resources,
  );
  const context: LifecycleContext = {
    session: fixture.session,
    screen,
    clock: fixture.clock,
    log: strictLog,
    documents: {
      show: (path: string, text: string) => {
        screen.shown.push(`document ${path}\n${text}`);
        return Promise.resolve();
      },
    } as unknown as LifecycleContext["documents"],
    canResubmit: () => Promise.resolve(true),
    resubmit: ({ name }, target) => {
      written.push(`resubmit ${name}${target === undefined ? "" : ` to ${target}`}`);
      return Promise.resolve(true);
    },
    wasSubmittedHere: () => true,
    openText: ({ language, content }) => {
      screen.shown.push(`untitled ${language}\n${content}`);
      return Promise.resolve();
    },
    terminals: new DisposableStore(),
    ...own,
  };
  const nodeOf = (row: string): TreeNode => {
    for (const application of fixture.session.applications) {
      const { key, name, driver } = application;
      if (row === name) return { kind: "application", id: `application:${key}`, key };
      if (row === "driver" && driver !== undefined) {
        return { kind: "driver", id: "driver", key, uid: driver.pod.uid };
      }
      for (const { executorId, pod } of executorsOf(application)) {
        if (row === `executor ${executorId ?? ""}`) {
          return { kind: "executor", id: pod.uid, key, uid: pod.uid };
        }
      }
    }
    if (row === "namespace")
      return { kind: "namespace", id: "n", context: "dev", namespace: "jobs" };
    return assert.fail(`no row "${row}"`);
  };
  return {
    ...fixture,
    screen,
    context,
    run: async (command, rows = []) => {
      const work = command(context, rows.map(nodeOf));
      const state = { isDone: false };
      const done = (): void => {
        state.isDone = true;
      };
      work.then(done, done);
      // Yielding the event loop takes real time. If the clock advanced meanwhile, the updates would start within it.
      for (let turn = 0; turn < 30 && !state.isDone; turn += 1) await realSleep(1);
      await fixture.clock.advanceUntil(work);
      await settle();
    },
    transcript: () =>
      [...screen.shown, ...(written.length === 0 ? [] : [`wrote: ${written.join(", ")}`])].join(
        "\n\n",
      ),
  };
}

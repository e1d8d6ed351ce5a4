import { l10n, window } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Connection } from "../../engine/ports.ts";
import { previewStop, stopApplication } from "../../engine/stopApplication.ts";
import { isAlive, type Application, type SparkPod } from "../../spark/pods/application.ts";
import type { WhatGoes } from "../../spark/pods/whatGoes.ts";
import type { Log } from "../log.ts";
import { mayChange } from "../guard.ts";
import { showClusterError } from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { applicationsViewId } from "../ids.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { pickApplication } from "./pick.ts";
import type { TreeNode } from "./treeNode.ts";

/** Stops the applications of the given rows, or one that is picked; asks for each, naming what goes with it. */
export async function stopApplications(
  session: ClusterSession,
  nodes: readonly TreeNode[],
  log: Log,
): Promise<void> {
  for (const application of await chosenApplications(session, nodes)) {
    const { state } = session;
    if (state.kind !== "connected") return;
    const { driver } = application;
    if (driver === undefined) {
      void window.showWarningMessage(
        l10n.t(
          '"{0}" has no driver pod to stop: its driver runs outside the cluster or was deleted. Kill its executors one by one.',
          application.name,
        ),
      );
      continue;
    }
    const { connection } = state;
    const action = l10n.t('Stop "{0}"', application.name);
    const ask = (): Promise<boolean> => confirm(connection, application, driver);
    if (!(await mayChange(connection.context, action, ask))) continue;
    const signal = new AbortController().signal;
    const deletion = await stopApplication(connection.objects, driver, signal);
    switch (deletion.kind) {
      case "deleted":
        break;
      case "alreadyGone":
      case "replaced":
        void window.showInformationMessage(
          l10n.t('"{0}" was gone already: nothing was deleted.', application.name),
        );
        break;
      case "failed":
        void showClusterError(
          l10n.t('"{0}" was not stopped', application.name),
          deletion.error,
          log,
        );
        break;
      default:
        assertNever(deletion);
    }
  }
}

async function chosenApplications(
  session: ClusterSession,
  nodes: readonly TreeNode[],
): Promise<readonly Application[]> {
  if (nodes.length === 0) {
    const picked = await pickApplication(session, l10n.t("Stop Application"), isAlive);
    return picked === undefined ? [] : [picked];
  }
  const keys = new Set(
    nodes.flatMap((node) =>
      node.kind === "application" || node.kind === "driver" ? [node.key] : [],
    ),
  );
  return [...keys]
    .map((key) => session.find(key))
    .filter((application) => application !== undefined);
}

async function confirm(
  { objects }: Connection,
  application: Application,
  driver: SparkPod,
): Promise<boolean> {
  const goes = await window.withProgress({ location: { viewId: applicationsViewId } }, (_, token) =>
    withSignal(token, (signal) => previewStop(objects, application, driver, signal)),
  );
  const button = l10n.t("Stop application");
  const chosen = await window.showWarningMessage(
    l10n.t('Stop "{0}"?', application.name),
    { modal: true, detail: detailOf(goes, application) },
    button,
  );
  return chosen === button;
}

function detailOf(
  { driver, executors, objects }: WhatGoes,
  { namespace, name }: Application,
): string {
  const lines = [
    l10n.t('Deleted in namespace "{0}":', namespace),
    l10n.t("driver pod {0}", driver),
    ...(executors.length === 0 ? [] : [executorWords(executors)]),
    ...objects.map((object) => `${object.kind} ${object.name}`),
  ];
  const end = l10n.t('What "{0}" has not written yet is lost. This cannot be undone.', name);
  return `${lines.join("\n")}\n\n${end}`;
}

function executorWords(executors: readonly string[]): string {
  const [first = ""] = executors;
  return executors.length === 1
    ? l10n.t("executor pod {0}", first)
    : l10n.t("{0} executor pods", executors.length);
}

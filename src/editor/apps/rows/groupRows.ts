import { dotted, msg, type Message } from "../../../base/message.ts";
import { assertNever } from "../../../base/assertNever.ts";
import type { Application, ExecutorPod } from "../../../spark/pods/application.ts";
import { stateClassOf } from "../../../spark/pods/applicationFilter.ts";
import { contextValues } from "../../ids.ts";
import { rowsAPage, type PageFacts } from "../executorRows.ts";
import type { ExecutorList } from "../treeNode.ts";
import type { PagedRows } from "../treeRows.ts";
import type { Row } from "./row.ts";

export function endedExecutorsRow(ended: readonly ExecutorPod[]): Row {
  const failed = ended.filter(({ state }) => state.kind === "failed").length;
  const label = ended.length === 1 ? msg("1 ended executor") : msg`${ended.length} ended executors`;
  const description = failed === 0 ? undefined : failedText(failed);
  return {
    label,
    state: "collapsed",
    description: description ?? "",
    icon: { id: "archive" },
    contextValue: contextValues.endedExecutors,
    spoken: dotted([label, description]),
  };
}

export function executorPageRow(
  list: ExecutorList,
  { size, firstId, lastId, failed, running }: PageFacts,
): Row {
  const label = msg`executors ${firstId ?? "?"} to ${lastId ?? "?"}`;
  const description = list === "ended" ? failedText(failed) : msg`${running} of ${size} running`;
  return {
    label,
    state: "collapsed",
    description,
    icon: { id: "layers" },
    contextValue: list === "ended" ? contextValues.endedExecutors : contextValues.executorPage,
    spoken: msg`${label}: ${description}`,
  };
}

export function earlierRunsRow(runs: readonly Application[]): Row {
  const [newest] = runs;
  const name = newest?.name ?? "";
  const label =
    runs.length === 1 ? msg`1 earlier run of ${name}` : msg`${runs.length} earlier runs of ${name}`;
  const failed = runs.filter((run) => stateClassOf(run) === "failed").length;
  const succeeded = runs.every(({ state }) => state.kind === "succeeded");
  const description = failed > 0 ? failedText(failed) : succeeded ? msg("succeeded") : undefined;
  return {
    label,
    state: "collapsed",
    description: description ?? "",
    icon: { id: "history" },
    contextValue: "earlierRuns",
    spoken: dotted([label, description]),
  };
}

/** Returns the row of a page. `page`: counts from 0. `count`: the number of rows on all pages. */
export function applicationPageRow(
  page: number,
  { count, of }: { readonly count: number; readonly of: PagedRows },
): Row {
  const first = page * rowsAPage + 1;
  const last = Math.min(count, first + rowsAPage - 1);
  const label = pageLabel(of, first, last);
  const state = page === 0 ? "expanded" : "collapsed";
  return {
    label,
    state,
    description: "",
    icon: { id: "layers" },
    contextValue: "applicationPage",
    spoken: label,
  };
}

function pageLabel(of: PagedRows, first: number, last: number): Message {
  switch (of) {
    case "applications":
      return msg`applications ${first} to ${last}`;
    case "runs":
      return msg`runs ${first} to ${last}`;
    case "namespaces":
      return msg`namespaces ${first} to ${last}`;
    default:
      return assertNever(of);
  }
}

export function namespaceRow(namespace: string, context: Message | undefined): Row {
  return {
    label: namespace,
    state: "expanded",
    name: namespace,
    description: context ?? "",
    icon: { id: "symbol-namespace" },
    contextValue: "namespace",
    spoken: dotted([msg`Namespace ${namespace}`, context]),
  };
}

const failedText = (count: number): Message => msg`${count} failed`;

import { assertNever } from "../../../base/assertNever.ts";
import type { ApplicationState } from "../../../spark/pods/application.ts";
import type { ResourcePhase } from "../../../spark/pods/operatorResource.ts";

/** An icon of VS Code. `color`: the id of a theme color. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

export const runningIcon: RowIcon = { id: "play-circle", color: "charts.green" };

function resourceIcon(outlook: ResourcePhase): RowIcon {
  switch (outlook) {
    case "waiting":
      return { id: "clock", color: "charts.yellow" };
    case "running":
      return runningIcon;
    case "failed":
      return { id: "error", color: "charts.red" };
    case "succeeded":
      return { id: "pass" };
    case "suspended":
      return { id: "debug-pause" };
    default:
      return assertNever(outlook);
  }
}

export function iconOf(state: ApplicationState): RowIcon {
  switch (state.kind) {
    case "running":
      return runningIcon;
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
      return { id: "clock", color: "charts.yellow" };
    case "blocked":
      return { id: "warning", color: "list.warningForeground" };
    case "failed":
      return { id: "error", color: "charts.red" };
    case "succeeded":
      return { id: "pass" };
    case "terminating":
      return { id: "sign-out" };
    case "stopped":
    case "deleted":
      return { id: "circle-slash" };
    case "unknown":
    case "orphaned":
      return { id: "question" };
    case "driverElsewhere":
      return runningIcon;
    case "operated":
      return resourceIcon(state.resource.outlook);
    default:
      return assertNever(state);
  }
}

/** Returns the icon of an application: in the warning color if it runs and gets no executors. */
export function applicationIcon(state: ApplicationState, isStarved: boolean): RowIcon {
  const icon = iconOf(state);
  return isStarved && icon === runningIcon ? { ...icon, color: "list.warningForeground" } : icon;
}

export const greyed = ({ id }: RowIcon): RowIcon => ({ id, color: "disabledForeground" });

import { ThemeColor, ThemeIcon } from "vscode";
import { assertNever } from "../../../base/assertNever.ts";
import type { ApplicationState } from "../../../spark/pods/application.ts";
import type { Outlook } from "../../../spark/pods/operatorResource.ts";

function resourceIcon(outlook: Outlook): ThemeIcon {
  switch (outlook) {
    case "waiting":
      return new ThemeIcon("clock", new ThemeColor("charts.yellow"));
    case "running":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    case "succeeded":
      return new ThemeIcon("pass");
    case "suspended":
      return new ThemeIcon("debug-pause");
    default:
      return assertNever(outlook);
  }
}

export function iconOf(state: ApplicationState): ThemeIcon {
  switch (state.kind) {
    case "running":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
      return new ThemeIcon("clock", new ThemeColor("charts.yellow"));
    case "blocked":
      return new ThemeIcon("warning", new ThemeColor("charts.orange"));
    case "failed":
      return new ThemeIcon("error", new ThemeColor("charts.red"));
    case "succeeded":
      return new ThemeIcon("pass");
    case "terminating":
      return new ThemeIcon("sign-out");
    case "stopped":
    case "deleted":
      return new ThemeIcon("circle-slash");
    case "unknown":
    case "orphaned":
      return new ThemeIcon("question");
    case "driverElsewhere":
      return new ThemeIcon("play-circle", new ThemeColor("charts.green"));
    case "operated":
      return resourceIcon(state.resource.outlook);
    default:
      return assertNever(state);
  }
}

export const greyed = ({ id }: ThemeIcon): ThemeIcon =>
  new ThemeIcon(id, new ThemeColor("disabledForeground"));

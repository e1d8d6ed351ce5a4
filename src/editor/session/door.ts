import { workspace } from "vscode";
import { window } from "../ui/window.ts";
import { sessionsOf, type OpenSessions } from "./openSessions.ts";
import { Selections } from "./runSelection.ts";
import type { SessionContext } from "./sessionContext.ts";

export const openSessions = (context: SessionContext): OpenSessions =>
  sessionsOf(context, {
    selections: new Selections(context),
    isTrustedWorkspace: () => workspace.isTrusted,
    createItem: (id) => window.createStatusBarItem(id),
  });

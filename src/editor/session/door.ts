import { workspace } from "vscode";
import { window } from "../ui/window.ts";
import { openSessions as openIn, type OpenSessions } from "./openSessions.ts";
import { Selections } from "./runSelection.ts";
import type { SessionContext } from "./sessionContext.ts";

export const openSessions = (context: SessionContext): OpenSessions =>
  openIn(context, {
    selections: new Selections(context),
    isTrusted: () => workspace.isTrusted,
    createItem: (id) => window.createStatusBarItem(id),
  });

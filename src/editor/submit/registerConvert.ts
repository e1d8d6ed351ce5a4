import { l10n, ProgressLocation, window, workspace } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { commands, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import { registerCommand } from "../registerCommand.ts";
import { withSignal } from "../withSignal.ts";
import type * as submitDoor from "./door.ts";
import { placeOf } from "./manifestPlace.ts";
import type { RunOptions } from "./submissionRun.ts";

export interface ConvertSurroundings {
  readonly connect: RunOptions["connect"];
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<{
    readonly surroundings: (workingDirectory: string) => Surroundings;
  }>;
  readonly log: Log;
}

/** One command between all forms of a submission. It changes nothing, so that it needs no trust. */
export function registerConvert({
  connect,
  loadSubmit,
  loadDisk,
  log,
}: ConvertSurroundings): Disposable {
  const cluster = async (): Promise<{ context: string; server: string } | undefined> => {
    // What a workspace says is not asked for there, and a kubeconfig can name programs to run.
    if (!workspace.isTrusted) return undefined;
    const connected = await window.withProgress(
      { location: ProgressLocation.Window, title: l10n.t("Reading the kubeconfig") },
      (_, token) => withSignal(token, (signal) => connect(undefined, signal)),
    );
    // Without one the line is as good as any other without a master.
    if (!connected.ok) return undefined;
    const { context, server } = connected.value;
    connected.value.dispose();
    return { context, server };
  };
  return registerCommand(
    commands.convert,
    async (argument) => {
      const place = argument === undefined ? undefined : await placeOf(argument);
      const [{ convertSubmission }, disk] = await Promise.all([loadSubmit(), loadDisk()]);
      const { files } = disk.surroundings("/");
      await convertSubmission(place, {
        sparkVersion: `${sparkVersion()}.0`,
        cluster,
        readText: (path) => files.text(path)?.text,
      });
    },
    log,
  );
}

const sparkVersion = (): string =>
  workspace.getConfiguration(settingsSection).get<string>("sparkVersion", "4.3");

import { l10n, workspace } from "vscode";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import { settingsSection } from "../ids.ts";
import type { CommandHandler } from "../commandArguments.ts";
import type * as submitDoor from "./door.ts";
import { manifestPlaceOf } from "./manifestPlace.ts";
import type { RunClusters } from "./prepareRun.ts";
import { inStatusBar } from "../progress.ts";

export interface ConvertOptions {
  readonly clusters: Pick<RunClusters, "target">;
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<{
    readonly surroundings: (workingDirectory: string) => SubmissionEnvironment;
  }>;
}

/** Handles Convert Submission. It works in untrusted workspaces, as it changes nothing. */
export function convertHandler({
  clusters,
  loadSubmit,
  loadDisk,
}: ConvertOptions): CommandHandler<"convert"> {
  const cluster = async (): Promise<{ context: string; server: string } | undefined> => {
    // A kubeconfig can run programs, and the workspace may choose the kubeconfig.
    if (!workspace.isTrusted) return undefined;
    const target = await inStatusBar(l10n.t("Reading the kubeconfig"), (signal) =>
      clusters.target(undefined, signal),
    );
    return target.ok ? target.value : undefined;
  };
  return async (argument) => {
    const place = argument === undefined ? undefined : await manifestPlaceOf(argument);
    const [{ convertSubmission }, disk] = await Promise.all([loadSubmit(), loadDisk()]);
    const { files } = disk.surroundings("/");
    await convertSubmission(place, {
      sparkVersion: `${sparkVersion()}.0`,
      cluster,
      readText: (path) => files.text(path)?.text,
    });
  };
}

const sparkVersion = (): string =>
  workspace.getConfiguration(settingsSection).get<string>("sparkVersion", "4.3");

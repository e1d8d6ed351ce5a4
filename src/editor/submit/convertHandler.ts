import { workspace } from "vscode";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import { settingsSection } from "../ids.ts";
import type { CommandHandler } from "../commandArguments.ts";
import type * as submitDoor from "./door.ts";
import { manifestPlaceOf } from "./manifestPlace.ts";
import type { RunClusters } from "./prepareRun.ts";

export interface ConvertOptions {
  readonly clusters: Pick<RunClusters, "target">;
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<{
    readonly submissionEnvironment: (workingDirectory: string) => SubmissionEnvironment;
  }>;
}

/** Handles Convert Submission. Works in untrusted workspaces, because it changes nothing. */
export const convertHandler =
  ({ clusters, loadSubmit, loadDisk }: ConvertOptions): CommandHandler<"convert"> =>
  async (argument) => {
    const place = argument === undefined ? undefined : await manifestPlaceOf(argument);
    const [{ convertSubmission, convertWindow }, disk] = await Promise.all([
      loadSubmit(),
      loadDisk(),
    ]);
    const { files } = disk.submissionEnvironment("/");
    const readText = (path: string): string | undefined => files.text(path)?.text;
    const given = { sparkVersion: `${sparkVersion()}.0`, clusters, readText };
    await convertSubmission(place, given, convertWindow);
  };

const sparkVersion = (): string =>
  workspace.getConfiguration(settingsSection).get<string>("sparkVersion", "4.3");

import { l10n, ProgressLocation, window, type Memento } from "vscode";
import type { Result } from "../../base/result.ts";
import { withSignal } from "../withSignal.ts";
import type { Ground, SandboxWish } from "./sandboxes.ts";

/** With what a sandbox is to begin. */
export interface ChosenSpark {
  readonly ground: Ground;
  readonly wish: SandboxWish;
}

/** The user's word on downloads, which counts for later sandboxes, too. */
const mayDownloadKey = "sandbox.mayDownload";

/**
 * With what to run applications: the Spark that is here; where there is none, the user is asked whether to download it.
 * An error is a sentence; undefined: the user left it.
 */
export async function chooseSpark(
  ground: Ground,
  memory: Memento,
): Promise<Result<ChosenSpark, string> | undefined> {
  const mayDownload = memory.get<boolean>(mayDownloadKey) ?? false;
  const chosen = (on: Ground, rehearse: boolean): Result<ChosenSpark, string> => ({
    ok: true,
    value: {
      ground: on,
      wish: { rehearse, mayDownload: memory.get<boolean>(mayDownloadKey) ?? mayDownload },
    },
  });
  const { suits, sparkVersions, lacksJava } = ground;
  if (!lacksJava && sparkVersions.length > 0) return chosen(ground, false);
  if (suits === undefined) return chosen(ground, true);
  const download = l10n.t("Download Spark {0}", suits);
  const rehearse = l10n.t("Rehearse Only");
  const detail = l10n.t(
    "pip would bring the package pyspark {0} (some 450 MB) from the index that it is set up for, once. Without it, applications are rehearsed: their pods come and go and print logs, and nothing is computed.",
    suits,
  );
  const answer = await window.showInformationMessage(
    l10n.t("There is no Spark on this machine for the sandbox cluster to run."),
    { modal: true, detail },
    download,
    rehearse,
  );
  if (answer === undefined) return undefined;
  if (answer !== download) return chosen(ground, true);
  await memory.update(mayDownloadKey, true);
  const brought = await showDownload(ground, suits);
  return brought.ok ? chosen(brought.value, false) : brought;
}

const showDownload = (ground: Ground, sparkVersion: string): Promise<Result<Ground, string>> =>
  Promise.resolve(
    window.withProgress(
      {
        location: ProgressLocation.Notification,
        title: l10n.t("Downloading Spark {0}", sparkVersion),
        cancellable: true,
      },
      (progress, token) => {
        let shown = 0;
        return withSignal(token, (signal) =>
          ground.download(
            sparkVersion,
            ({ line, share = 0 }) => {
              const percent = Math.floor(share * 100);
              // The editor adds up what it is told.
              progress.report({ message: line, increment: Math.max(0, percent - shown) });
              shown = Math.max(shown, percent);
            },
            signal,
          ),
        );
      },
    ),
  );

import { l10n, type Memento } from "vscode";
import type { Result } from "../../base/result.ts";
import type { SandboxChoices, SandboxWish } from "./sandboxes.ts";
import { window } from "../ui/window.ts";
import { inNotification } from "../progress.ts";

/** The software on this machine, and the user's choice for a new sandbox. */
export interface ChosenSpark {
  readonly machine: SandboxChoices;
  readonly wish: SandboxWish;
}

/** Key of the stored consent to downloads, which also applies to later sandboxes. */
const mayDownloadKey = "sandbox.mayDownload";

/**
 * Chooses the Spark installation for a new sandbox: an installed one, or a download that the user confirms. Undefined
 * if the user cancels. An error is a sentence for the user.
 */
export async function chooseSpark(
  machine: SandboxChoices,
  memory: Memento,
): Promise<Result<ChosenSpark, string> | undefined> {
  const mayDownload = memory.get<boolean>(mayDownloadKey) ?? false;
  const chosen = (on: SandboxChoices, simulate: boolean): Result<ChosenSpark, string> => ({
    ok: true,
    value: {
      machine: on,
      wish: { simulate, mayDownload: memory.get<boolean>(mayDownloadKey) ?? mayDownload },
    },
  });
  const { suits, sparkVersions, lacksJava } = machine;
  if (!lacksJava && sparkVersions.length > 0) return chosen(machine, false);
  if (suits === undefined) return chosen(machine, true);
  const download = l10n.t("Download Spark {0}", suits);
  const simulate = l10n.t("Simulate Only");
  const detail = l10n.t(
    "pip downloads the package pyspark {0} (about 450 MB) once, from its configured index. Without Spark, applications are simulated: their pods start, print logs and end, but compute nothing.",
    suits,
  );
  const answer = await window.showInformationMessage(
    l10n.t("No Spark for the sandbox cluster was found on this machine."),
    { modal: true, detail },
    download,
    simulate,
  );
  if (answer === undefined) return undefined;
  if (answer !== download) return chosen(machine, true);
  await memory.update(mayDownloadKey, true);
  const downloaded = await showDownload(machine, suits);
  return downloaded.ok ? chosen(downloaded.value, false) : downloaded;
}

const showDownload = (
  machine: SandboxChoices,
  sparkVersion: string,
): Promise<Result<SandboxChoices, string>> =>
  Promise.resolve(
    inNotification(l10n.t("Downloading Spark {0}", sparkVersion), (signal, report) => {
      let shown = 0;
      return machine.download(
        sparkVersion,
        ({ line, share = 0 }) => {
          const percent = Math.floor(share * 100);
          // `increment` is relative to the previous report.
          report({ message: line, increment: Math.max(0, percent - shown) });
          shown = Math.max(shown, percent);
        },
        signal,
      );
    }),
  );

import { commands, extensions, l10n, Uri } from "vscode";
import { fieldAt, itemsOf, textAt } from "../../base/json.ts";
import type { PythonDebugger } from "../../spark/submit/debug/debugRequest.ts";
import { sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import { showProblems } from "../showError.ts";
import { window } from "../ui/window.ts";
import type { DebugContext } from "./debugContext.ts";
import { inNotification } from "../progress.ts";

const pythonExtension = "ms-python.debugpy";
const javaExtension = "vscjava.vscode-java-debug";

/** Returns true if an installed extension debugs the language. Otherwise offers to install such an extension. */
export async function hasDebugExtension(language: "python" | "java"): Promise<boolean> {
  const [type, id, name] =
    language === "python"
      ? (["debugpy", pythonExtension, "Python Debugger"] as const)
      : (["java", javaExtension, "Debugger for Java"] as const);
  const isThere = extensions.all.some(({ packageJSON }: { readonly packageJSON: unknown }) =>
    itemsOf(fieldAt(fieldAt(packageJSON, "contributes"), "debuggers")).some(
      (one) => textAt(one, "type") === type,
    ),
  );
  if (isThere) return true;
  const install = l10n.t("Install");
  const chosen = await window.showErrorMessage(
    l10n.t('Debugging requires the extension "{0}" ({1}), which is not installed.', name, id),
    install,
  );
  if (chosen === install)
    await commands.executeCommand("workbench.extensions.installExtension", id);
  return false;
}

/**
 * Returns the debugpy to send with a Python application: that of the Python Debugger extension, or for Spark 3 the
 * downloaded one. If it is missing, offers to download it. If the user declines, returns the extension's debugpy, if
 * any. If the download fails, shows the error and returns undefined. `definition`: the task definition of the profile.
 */
export async function pythonDebugger(
  definition: unknown,
  { loadDebuggers, log }: Pick<DebugContext, "loadDebuggers" | "log">,
): Promise<PythonDebugger | undefined> {
  const debuggers = await loadDebuggers();
  const extension = extensions.getExtension(pythonExtension);
  const own =
    extension &&
    (await debuggers.fromFolder(
      Uri.joinPath(extension.extensionUri, "bundled", "libs", "debugpy").fsPath,
    ));
  // Prefer the downloaded debugpy for Spark 3: images may have Python 3.8, for which the extension's debugpy can be too
  // new.
  const version =
    textAt(definition, "sparkVersion") ?? sparkVersionOfImage(textAt(definition, "image") ?? "");
  if (own !== undefined && version?.startsWith("3.") !== true) return own;
  const known = await debuggers.downloaded();
  if (known !== undefined) return known;
  const download = l10n.t("Download");
  const detail = l10n.t(
    "The debugger debugpy runs in the driver's or executor's container and is sent with the application. pip downloads it once from its configured index (5 MB).",
  );
  const chosen = await window.showInformationMessage(
    l10n.t("Download the Python debugger for the cluster?"),
    { modal: true, detail },
    download,
  );
  if (chosen !== download) return own;
  const downloaded = await inNotification(l10n.t("Downloading debugpy"), (signal) =>
    debuggers.download(signal),
  );
  if (downloaded.ok) return downloaded.value;
  await showProblems(l10n.t("Cannot download debugpy"), [downloaded.error], log);
  return undefined;
}

import { l10n, workspace } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { binarySize } from "../../spark/binarySize.ts";
import type { PlannedCode } from "../../spark/submit/code/plannedCode.ts";
import { translated } from "../ui/translated.ts";
import { countWords, deliveryWords, resendWords } from "./deliveryWords.ts";
import {
  codeDirectory,
  totalSize,
  type LeftOutReason,
  type SentFile,
} from "../../spark/submit/code/sentCode.ts";

/** The document of Show What Is Sent: each file with its size, its place in the driver and the reason for it. */
export function sentWords(code: PlannedCode | undefined): string {
  if (code === undefined) {
    return `${l10n.t("No local files are sent: the application is in the image or at a URL.")}\n`;
  }
  const { files, leftOut } = code;
  const advice = resendWords(code);
  const rows = files.flatMap((file) => [
    row(file.size, `${codeDirectory}/${file.name}`, reasonOf(file)),
    ...file.members.map(({ name, size, reason }) =>
      row(size, `  ${name}`, reason === "" ? "" : l10n.t("for {0}", reason)),
    ),
  ]);
  return [
    l10n.t(
      "{0}, {1}, {2}",
      translated(countWords(files.length)),
      binarySize(totalSize(files)),
      translated(deliveryWords(code)),
    ),
    ...(advice === undefined ? [] : [translated(advice)]),
    "",
    ...rows,
    ...(leftOut.length === 0 ? [] : ["", l10n.t("Not sent:")]),
    ...leftOut.map(({ path, reason }) =>
      row(undefined, workspace.asRelativePath(path), leftOutWords(reason)),
    ),
    "",
  ].join("\n");
}

function reasonOf({ role }: SentFile): string {
  switch (role.kind) {
    case "requested":
      return workspace.asRelativePath(role.path);
    case "data":
      return l10n.t(
        "{0}, included by the profile or named by the program",
        workspace.asRelativePath(role.path),
      );
    case "folder":
      return l10n.t('folder "{0}" of the working directory', role.folder);
    case "modules":
      return l10n.t("modules that the application imports");
    case "packages":
      return l10n.t(
        "Python packages of {0} that the image lacks",
        workspace.asRelativePath(role.declaredIn),
      );
    case "support":
      return "";
    default:
      return assertNever(role);
  }
}

function leftOutWords(reason: LeftOutReason): string {
  switch (reason) {
    case "ignored":
      return l10n.t("listed in .sparkignore");
    case "gitIgnored":
      return l10n.t("listed in .gitignore");
    case "excluded":
      return l10n.t("excluded by the profile");
    case "toolFolder":
      return l10n.t("in a folder of a tool");
    case "secret":
      return l10n.t("the name looks like that of a secret");
    case "outside":
      return l10n.t("a link out of the workspace");
    case "native":
      return l10n.t("a compiled module, which cannot be imported from an archive");
    case "large":
      return l10n.t('named by the program, but large; add it to "include" to send it');
    case "unreadable":
      return l10n.t("not readable");
    default:
      return assertNever(reason);
  }
}

const row = (size: number | undefined, name: string, reason: string): string =>
  `${(size === undefined ? "" : binarySize(size)).padStart(10)}  ${name}${reason === "" ? "" : `  (${reason})`}`;

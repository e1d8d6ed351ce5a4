import { msg, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { binarySize } from "../../spark/binarySize.ts";
import type { PlannedCode } from "../../spark/submit/code/plannedCode.ts";
import type { Screen } from "../screen.ts";
import { countWords, deliveryWords, resendWords } from "./deliveryWords.ts";
import {
  codeDirectory,
  totalSize,
  type LeftOutReason,
  type SentFile,
} from "../../spark/submit/code/sentCode.ts";

type SentScreen = Pick<Screen, "relativePath" | "translated">;

/** Returns the document of Show What Is Sent: each file with its size, its path in the driver and the reason. */
export function sentWords(code: PlannedCode | undefined, screen: SentScreen): string {
  const { relativePath, translated } = screen;
  if (code === undefined) {
    return `${translated(msg("No local files are sent: the application is in the image or at a URL."))}\n`;
  }
  const { files, leftOut } = code;
  const advice = resendWords(code);
  const rows = files.flatMap((file) => [
    row(file.size, `${codeDirectory}/${file.name}`, translated(reasonOf(file, relativePath))),
    ...file.members.map(({ name, size, reason }) =>
      row(size, `  ${name}`, reason === "" ? "" : translated(msg`for ${reason}`)),
    ),
  ]);
  return [
    translated(
      msg`${countWords(files.length)}, ${binarySize(totalSize(files))}, ${deliveryWords(code)}`,
    ),
    ...(advice === undefined ? [] : [translated(advice)]),
    "",
    ...rows,
    ...(leftOut.length === 0 ? [] : ["", translated(msg("Not sent:"))]),
    ...leftOut.map(({ path, reason }) =>
      row(undefined, relativePath(path), translated(leftOutWords(reason))),
    ),
    "",
  ].join("\n");
}

function reasonOf({ role }: SentFile, relativePath: SentScreen["relativePath"]): Message {
  switch (role.kind) {
    case "requested":
      return verbatim(relativePath(role.path));
    case "data":
      return msg`${relativePath(role.path)}, included by the profile or referenced by the program`;
    case "folder":
      return msg`folder "${role.folder}" of the working directory`;
    case "modules":
      return msg("modules that the application imports");
    case "packages":
      return msg`Python packages of ${relativePath(role.declaredIn)} that the image lacks`;
    case "support":
      return verbatim("");
    default:
      return assertNever(role);
  }
}

function leftOutWords(reason: LeftOutReason): Message {
  switch (reason) {
    case "ignored":
      return msg("listed in .sparkignore");
    case "gitIgnored":
      return msg("listed in .gitignore");
    case "excluded":
      return msg("excluded by the profile");
    case "toolFolder":
      return msg("in a tool's folder");
    case "secret":
      return msg("the name suggests a secret");
    case "outside":
      return msg("a link to a target outside the workspace");
    case "native":
      return msg("a compiled module, which cannot be imported from an archive");
    case "large":
      return msg('referenced by the program, but large; add it to "include" to send it');
    case "unreadable":
      return msg("not readable");
    default:
      return assertNever(reason);
  }
}

const row = (size: number | undefined, name: string, reason: string): string =>
  `${(size === undefined ? "" : binarySize(size)).padStart(10)}  ${name}${reason === "" ? "" : `  (${reason})`}`;

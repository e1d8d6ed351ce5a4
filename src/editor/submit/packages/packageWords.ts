import { msg, type MessageText } from "../../../base/message.ts";
import { assertNever } from "../../../base/assertNever.ts";
import type { AskImageFailure } from "../../../engine/submit/askImage.ts";
import type { PackagesState } from "../../../engine/submit/packagesState.ts";
import { minorVersion } from "../../../spark/submit/packages/imagePython.ts";
import type { InstallFailure } from "../../../spark/submit/packages/installFailure.ts";
import type { MissingPackage } from "../../../spark/submit/packages/missingPackages.ts";
import type { Screen } from "../../screen.ts";

/** The parts of `Screen` that texts about packages use. */
export type PackageScreen = Pick<Screen, "explainClusterError" | "relativePath" | "translated">;

/** Returns lines about the Python packages, for a preview and for Show What Is Sent. */
export function packagesLines(
  state: PackagesState,
  isSent: boolean,
  screen: Omit<PackageScreen, "explainClusterError">,
): readonly string[] {
  const { translated } = screen;
  switch (state.kind) {
    case "none":
      return [];
    case "unknown":
      return [
        translated(
          msg`Python packages of ${screen.relativePath(state.needs.path)}: unknown. The next run checks the image "${state.question.image}" once.`,
        ),
      ];
    case "complete":
      return [
        translated(
          msg`The image "${state.question.image}" has all Python packages of ${screen.relativePath(state.needs.path)}.`,
        ),
        ...condaLines(state.conda, screen),
      ];
    case "missing":
      return [
        isSent
          ? translated(
              msg`Python packages that the image lacks are sent: ${missingWords(state.missing, screen)}`,
            )
          : translated(
              msg`Python packages that the image lacks, not sent: ${missingWords(state.missing, screen)}`,
            ),
        ...unsendableLines(state.missing, screen),
        ...condaLines(state.conda, screen),
      ];
    default:
      return assertNever(state);
  }
}

const maxNamed = 12;

/** Returns a list such as `numpy==1.26.4 (image: 1.24.0), six`. */
export function missingWords(
  missing: readonly MissingPackage[],
  { translated }: Pick<Screen, "translated">,
): string {
  const named = missing.slice(0, maxNamed).map((one) => translated(packageText(one)));
  const others = missing.length - named.length;
  return [...named, ...(others > 0 ? [translated(msg`${others} more`)] : [])].join(", ");
}

function packageText({ needed: { name, specifier }, installed }: MissingPackage): MessageText {
  const wanted = `${name}${specifier}`;
  return installed === undefined ? wanted : msg`${wanted} (image: ${installed})`;
}

/** Returns a warning about packages that the lock file takes from a repository or a URL; empty if there are none. */
export function unsendableLines(
  missing: readonly MissingPackage[],
  screen: Pick<Screen, "translated">,
): readonly string[] {
  const names = missing.filter(({ needed }) => needed.isUnsendable);
  return names.length === 0
    ? []
    : [
        screen.translated(
          msg`Not sent, because the lock file references a repository or a URL for them: ${missingWords(names, screen)}. Add them to the image.`,
        ),
      ];
}

/** Returns a warning about conda packages; empty if there are none. */
export const condaLines = (
  names: readonly string[],
  { translated }: Pick<Screen, "translated">,
): readonly string[] =>
  names.length === 0
    ? []
    : [
        translated(
          msg`Not sent, because they are conda packages: ${names.slice(0, maxNamed).join(", ")}. Add them to the image, or list them under "pip:".`,
        ),
      ];

/** Returns the message that explains why the image's packages are unknown. */
export function askFailureWords(
  failure: AskImageFailure,
  image: string,
  { explainClusterError, translated }: Omit<PackageScreen, "relativePath">,
): string {
  const failed = translated(msg`Cannot read the Python packages of the image "${image}".`);
  switch (failure.kind) {
    case "cluster":
      return `${failed} ${explainClusterError(failure.error)}`;
    case "notPulled":
      return translated(msg`Cannot pull the image "${image}": ${failure.detail}`);
    case "notStarted":
      return `${failed} ${translated(msg`Its pod did not start: ${failure.detail}`)}`;
    case "noPython":
      return `${failed} ${translated(msg`It has no Python 3.8 or later: ${failure.detail}`)}`;
    default:
      return assertNever(failure);
  }
}

/** Returns the message that explains why the packages could not be installed, and the next step. */
export function installFailureWords(
  failure: InstallFailure,
  { image, question, needs }: Extract<PackagesState, { kind: "missing" }>,
  { relativePath, translated }: Omit<PackageScreen, "explainClusterError">,
): string {
  const failed = translated(
    msg`Cannot install the Python packages of ${relativePath(needs.path)}.`,
  );
  const { python } = image;
  switch (failure.kind) {
    case "noTool":
      return `${failed} ${translated(msg('Neither uv nor pip was found on this machine. Install one of them, add the packages to the image, or set "pythonPackages" to "none".'))}`;
    case "unreachable":
      return `${failed} ${translated(msg`The package index cannot be reached. Check the network, the proxy and the configuration of uv or pip. Message: ${failure.detail}`)}`;
    case "noWheel":
      return `${failed} ${translated(msg`A package has no wheel for Python ${minorVersion(python)} on ${python.machine} (${python.libc}), which the image "${question.image}" uses. Choose another version of the package, or add it to the image. Message: ${failure.detail}`)}`;
    case "notFound":
      return `${failed} ${translated(msg`No version of a package matches, or it has no wheel for Python ${minorVersion(python)} on ${python.machine} (${python.libc}), which the image "${question.image}" uses. Check the name and the version. Message: ${failure.detail}`)}`;
    case "wrongHash":
      return `${failed} ${translated(msg`A downloaded file differs from the lock file. Do not use it until you know why. Message: ${failure.detail}`)}`;
    case "tooLarge":
      return `${failed} ${translated(msg`They are too large to send: ${failure.detail}. Add them to the image.`)}`;
    case "other":
      return `${failed} ${translated(msg`Message: ${failure.detail}`)}`;
    default:
      return assertNever(failure);
  }
}

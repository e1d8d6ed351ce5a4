import { translated } from "../../ui/translated.ts";
import { l10n, workspace } from "vscode";
import { assertNever } from "../../../base/assertNever.ts";
import type { AskImageFailure } from "../../../engine/submit/askImage.ts";
import type { PackagesState } from "../../../engine/submit/packagesState.ts";
import { minorVersion } from "../../../spark/submit/packages/imagePython.ts";
import type { InstallFailure } from "../../../spark/submit/packages/installFailure.ts";
import type { MissingPackage } from "../../../spark/submit/packages/missingPackages.ts";
import type { PythonNeeds } from "../../../spark/submit/packages/pythonNeeds.ts";
import { explainClusterError } from "../../showError.ts";

/** Lines about the Python packages, for a preview and for Show What Is Sent. */
export function packagesLines(state: PackagesState, isSent: boolean): readonly string[] {
  switch (state.kind) {
    case "none":
      return [];
    case "unknown":
      return [
        l10n.t(
          'Python packages of {0}: unknown. The next run asks the image "{1}" once.',
          fileWords(state.needs),
          state.question.image,
        ),
      ];
    case "complete":
      return [
        l10n.t(
          'The image "{0}" has all Python packages of {1}.',
          state.question.image,
          fileWords(state.needs),
        ),
        ...condaLines(state.conda),
      ];
    case "missing":
      return [
        isSent
          ? l10n.t(
              "Python packages that the image lacks are sent: {0}",
              missingWords(state.missing),
            )
          : l10n.t(
              "Python packages that the image lacks, not sent: {0}",
              missingWords(state.missing),
            ),
        ...unsendableLines(state.missing),
        ...condaLines(state.conda),
      ];
    default:
      return assertNever(state);
  }
}

export const fileWords = ({ path }: Pick<PythonNeeds, "path">): string =>
  workspace.asRelativePath(path);

const maxNamed = 12;

/** `numpy==1.26.4 (image: 1.24.0), six`. */
export function missingWords(missing: readonly MissingPackage[]): string {
  const named = missing.slice(0, maxNamed).map(packageText);
  const others = missing.length - named.length;
  return [...named, ...(others > 0 ? [l10n.t("{0} more", others)] : [])].join(", ");
}

function packageText({ needed: { name, specifier }, installed }: MissingPackage): string {
  const wanted = `${name}${specifier}`;
  return installed === undefined ? wanted : l10n.t("{0} (image: {1})", wanted, installed);
}

/** Warnings about packages that no index has. */
export function unsendableLines(missing: readonly MissingPackage[]): readonly string[] {
  const names = missing.filter(({ needed }) => needed.isUnsendable);
  return names.length === 0
    ? []
    : [
        l10n.t(
          "Not sent, because the lock file takes them from a repository or a URL: {0}. Add them to the image.",
          missingWords(names),
        ),
      ];
}

/** Warnings about packages of conda. */
export const condaLines = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        l10n.t(
          'Not sent, because they are packages of conda: {0}. Add them to the image, or list them below "pip:".',
          names.slice(0, maxNamed).join(", "),
        ),
      ];

/** Why the image's packages are unknown. */
export function askFailureWords(failure: AskImageFailure, image: string): string {
  const failed = l10n.t('Cannot read the Python packages of the image "{0}".', image);
  switch (failure.kind) {
    case "cluster":
      return `${failed} ${explainClusterError(failure.error)}`;
    case "notStarted":
      return `${failed} ${l10n.t("Its pod did not start: {0}", translated(failure.detail))}`;
    case "noPython":
      return `${failed} ${l10n.t("It has no Python 3.8 or later: {0}", translated(failure.detail))}`;
    default:
      return assertNever(failure);
  }
}

/** Why the packages could not be installed, and what to do. */
export function installFailureWords(
  failure: InstallFailure,
  { image, question, needs }: Extract<PackagesState, { kind: "missing" }>,
): string {
  const failed = l10n.t("Cannot install the Python packages of {0}.", fileWords(needs));
  const { python } = image;
  switch (failure.kind) {
    case "noTool":
      return `${failed} ${l10n.t('Neither uv nor pip was found on this machine. Install one of them, add the packages to the image, or set "pythonPackages" to "none".')}`;
    case "unreachable":
      return `${failed} ${l10n.t("The package index cannot be reached. Check the network, the proxy and the settings of uv or pip. Message: {0}", failure.detail)}`;
    case "noWheel":
      return `${failed} ${l10n.t('A package has no wheel for Python {0} on {1} ({2}), which the image "{3}" has. Choose another version of the package, or add it to the image. Message: {4}', minorVersion(python), python.machine, python.libc, question.image, failure.detail)}`;
    case "notFound":
      return `${failed} ${l10n.t('No version of a package fits, or it has no wheel for Python {0} on {1} ({2}), which the image "{3}" has. Check the name and the version. Message: {4}', minorVersion(python), python.machine, python.libc, question.image, failure.detail)}`;
    case "wrongHash":
      return `${failed} ${l10n.t("A downloaded file differs from the lock file. Do not use it before you know why. Message: {0}", failure.detail)}`;
    case "tooLarge":
      return `${failed} ${l10n.t("They are too large to be sent: {0}. Add them to the image.", failure.detail)}`;
    case "other":
      return `${failed} ${l10n.t("Message: {0}", failure.detail)}`;
    default:
      return assertNever(failure);
  }
}

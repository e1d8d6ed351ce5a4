// Compares the Python packages that a program declares with those of its image. Uses only stored results and sends no
// request to the cluster.
import { imageQuestion, type ImageQuestion } from "../../spark/submit/packages/imagePod.ts";
import { installPlan, type InstallPlan } from "../../spark/submit/packages/installPlan.ts";
import {
  missingPackages,
  type MissingPackage,
} from "../../spark/submit/packages/missingPackages.ts";
import type { PackagesChoice } from "../../spark/submit/packages/packagesChoice.ts";
import type { PackageArchive } from "../../spark/submit/packages/packageArchive.ts";
import type { PythonNeeds } from "../../spark/submit/packages/pythonNeeds.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { KnownImage, PythonPackages } from "../ports/packages.ts";

export type PackagesState =
  /** The program declares no packages, the profile wants none, or the interpreter is not that of the image. */
  | { readonly kind: "none" }
  /** The image was not inspected yet. */
  | ({ readonly kind: "unknown" } & AskedPackages)
  | ({ readonly kind: "complete" } & ComparedPackages)
  | ({
      readonly kind: "missing";
      readonly missing: readonly MissingPackage[];
      /** The plan that installs the missing packages, except those that no index offers. */
      readonly install: InstallPlan;
      /** Undefined if the archive is not built yet. */
      readonly archive: PackageArchive | undefined;
    } & ComparedPackages);

export interface AskedPackages {
  readonly choice: PackagesChoice;
  readonly needs: PythonNeeds;
  readonly question: ImageQuestion;
}

export interface ComparedPackages extends AskedPackages {
  readonly image: KnownImage;
  /** Conda packages that the image lacks. Their names in an index are unknown. */
  readonly conda: readonly string[];
}

/** The Python program of a submission on the local disk. */
export interface LocalProgram {
  readonly path: string;
  /** The workspace folder. */
  readonly root: string;
  readonly choice: PackagesChoice;
}

export async function packagesState(
  program: LocalProgram | undefined,
  plan: Pick<SubmissionPlan, "conf" | "writes">,
  store: Pick<PythonPackages, "needs" | "image" | "archived">,
): Promise<PackagesState> {
  if (program === undefined || program.choice === "none") return { kind: "none" };
  const question = imageQuestion(plan);
  if (question === undefined) return { kind: "none" };
  const needs = await store.needs(program.path, program.root);
  if (needs === undefined) return { kind: "none" };
  const asked = { choice: program.choice, needs, question };
  const image = await store.image(question);
  if (image === undefined) return { kind: "unknown", ...asked };
  const conda = needs.conda.filter((name) => !Object.hasOwn(image.python.installed, name));
  const compared = { ...asked, image, conda };
  const missing = missingPackages(needs, image.python);
  if (missing.length === 0) return { kind: "complete", ...compared };
  const sendable = missing.filter(({ needed }) => !needed.isUnsendable);
  const install = installPlan(needs, sendable, image.python);
  const archive = sendable.length === 0 ? undefined : await store.archived(install, needs);
  return { kind: "missing", ...compared, missing, install, archive };
}

// Python packages: those that a program declares, those in the image, and archives of the missing ones.
import type { Result } from "../../base/result.ts";
import type { ImageQuestion } from "../../spark/submit/packages/imagePod.ts";
import type { ImagePython } from "../../spark/submit/packages/imagePython.ts";
import type { InstallFailure } from "../../spark/submit/packages/installFailure.ts";
import type { InstallPlan } from "../../spark/submit/packages/installPlan.ts";
import type { PackageArchive } from "../../spark/submit/packages/packageArchive.ts";
import type { PythonNeeds } from "../../spark/submit/packages/pythonNeeds.ts";

export interface KnownImage {
  /** The image's digest, in the form of `imageID` in the pod status. */
  readonly imageId: string;
  readonly python: ImagePython;
}

export interface PythonPackages {
  /**
   * Returns the packages that the nearest file declares: in the folder of the program, or in one above it up to `root`.
   * Undefined if there is no such file.
   */
  needs(program: string, root: string): Promise<PythonNeeds | undefined>;
  /** Returns the stored inspection result; undefined if the image was never inspected. */
  image(question: ImageQuestion): Promise<KnownImage | undefined>;
  keepImage(question: ImageQuestion, known: KnownImage): Promise<void>;
  forgetImage(question: ImageQuestion): Promise<void>;
  /** Returns a stored archive of the same plan; undefined if there is none. */
  archived(plan: InstallPlan, needs: PythonNeeds): Promise<PackageArchive | undefined>;
  /**
   * Installs with the user's own tool and stores the archive. Call it only in a trusted workspace, because workspace
   * files name the packages and the index. Rejects with an AbortError when `signal` aborts.
   */
  build(
    plan: InstallPlan,
    needs: PythonNeeds,
    signal: AbortSignal,
  ): Promise<Result<PackageArchive, InstallFailure>>;
}

// Maps image names to programs on this machine.
import { err, ok, type Result } from "../../../base/result.ts";
import { simulationImageName } from "../../../spark/simulation.ts";
import { readDistribution, type Distribution } from "./distributions.ts";
import { baseNameOf, isPlainSystem, looksLikeSpark, sparkVersionOf } from "./imageName.ts";

export type LocalImage =
  | { readonly kind: "spark"; readonly distribution: Distribution }
  /** The container runs programs that are installed on this machine. */
  | { readonly kind: "system" }
  /** No process runs: the container is simulated. */
  | { readonly kind: "simulation"; readonly sparkVersion: string };

/** Downloads Spark. The error is a message for the user. */
type Download = (
  sparkVersion: string,
  signal: AbortSignal,
) => Promise<Result<Distribution, string>>;

export interface ImageOptions {
  /** Folders of Spark installations. If several have the same version, the first one is used. */
  readonly distributions: readonly string[];
  /** Maps full image names to folders of Spark installations. */
  readonly images: Readonly<Record<string, string>>;
  readonly download: Download | undefined;
  /** True to simulate containers of Spark images, for example on machines without Java. */
  readonly simulate: boolean;
}

export const isSimulationImage = (image: string): boolean =>
  baseNameOf(image) === simulationImageName;

export class Images {
  readonly #options: ImageOptions;
  readonly #known = new Map<string, Distribution>();
  #read: Promise<void> | undefined;

  constructor(options: ImageOptions) {
    this.#options = options;
  }

  /** Finds the local equivalent of an image; undefined if it needs a download or does not exist. */
  async find(image: string): Promise<LocalImage | undefined> {
    const sparkVersion = sparkVersionOf(image) ?? "4.3.0";
    if (isSimulationImage(image)) return { kind: "simulation", sparkVersion };
    const home = this.#options.images[image];
    if (home !== undefined) {
      const distribution = await readDistribution(home);
      if (distribution !== undefined) return { kind: "spark", distribution };
    }
    if (isPlainSystem(image)) return { kind: "system" };
    if (!looksLikeSpark(image)) return undefined;
    if (this.#options.simulate) return { kind: "simulation", sparkVersion };
    await (this.#read ??= this.#readAll());
    const distribution = this.#known.get(sparkVersionOf(image) ?? "");
    return distribution === undefined ? undefined : { kind: "spark", distribution };
  }

  /** Downloads a missing Spark if permitted. The error is the message for `ErrImagePull`. */
  async pull(image: string, signal: AbortSignal): Promise<Result<LocalImage, string>> {
    const version = sparkVersionOf(image);
    const { download, images } = this.#options;
    const home = images[image];
    if (home !== undefined)
      return err(`"${home}", which is configured for this image, contains no Spark`);
    if (!looksLikeSpark(image) || version === undefined) {
      return err(
        "the sandbox does not pull images. It maps Spark images to Spark installations on this machine by the version in the tag. " +
          "Use a Spark image with the version in its tag",
      );
    }
    if (download === undefined) {
      const versions = [...this.#known.keys()].sort().join(", ");
      return err(
        `Spark ${version} is not installed on this machine (installed: ${versions === "" ? "none" : versions}), and downloads are not allowed`,
      );
    }
    const downloaded = await download(version, signal);
    if (!downloaded.ok) return downloaded;
    this.#known.set(version, downloaded.value);
    return ok({ kind: "spark", distribution: downloaded.value });
  }

  async #readAll(): Promise<void> {
    for (const home of this.#options.distributions) {
      const found = await readDistribution(home);
      if (found !== undefined && !this.#known.has(found.version))
        this.#known.set(found.version, found);
    }
  }
}

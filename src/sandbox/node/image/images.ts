// Which image is what on this machine.
import { err, ok, type Result } from "../../../base/result.ts";
import { rehearsalImageName } from "../../../spark/rehearsal.ts";
import { readDistribution, type Distribution } from "./distributions.ts";
import { baseNameOf, isPlainSystem, looksLikeSpark, sparkVersionOf } from "./imageName.ts";

export type LocalImage =
  | { readonly kind: "spark"; readonly distribution: Distribution }
  /** The machine's own programs. */
  | { readonly kind: "system" }
  /** Nothing runs: a part is acted. */
  | { readonly kind: "rehearsal"; readonly sparkVersion: string };

/** Brings Spark onto the machine; a refusal is a sentence. Undefined: it was not allowed to. */
export type Download = (
  sparkVersion: string,
  signal: AbortSignal,
) => Promise<Result<Distribution, string>>;

export interface ImageOptions {
  /** Folders with Spark in them. */
  readonly distributions: readonly string[];
  /** Images by their whole name, and the folder with Spark that each stands for. */
  readonly images: Readonly<Record<string, string>>;
  readonly download: Download | undefined;
  /** Whether Spark's images are acted: for machines without Java. */
  readonly rehearse: boolean;
}

export const isRehearsalImage = (image: string): boolean =>
  baseNameOf(image) === rehearsalImageName;

export class Images {
  readonly #options: ImageOptions;
  readonly #known = new Map<string, Distribution>();
  #read: Promise<void> | undefined;

  constructor(options: ImageOptions) {
    this.#options = options;
  }

  /** What is on the machine already. */
  async find(image: string): Promise<LocalImage | undefined> {
    const sparkVersion = sparkVersionOf(image) ?? "4.3.0";
    if (isRehearsalImage(image)) return { kind: "rehearsal", sparkVersion };
    const home = this.#options.images[image];
    if (home !== undefined) {
      const distribution = await readDistribution(home);
      if (distribution !== undefined) return { kind: "spark", distribution };
    }
    if (isPlainSystem(image)) return { kind: "system" };
    if (!looksLikeSpark(image)) return undefined;
    if (this.#options.rehearse) return { kind: "rehearsal", sparkVersion };
    await (this.#read ??= this.#readAll());
    const distribution = this.#known.get(sparkVersionOf(image) ?? "");
    return distribution === undefined ? undefined : { kind: "spark", distribution };
  }

  /** What is not there is brought, when that is allowed. A refusal is what `ErrImagePull` tells. */
  async pull(image: string, signal: AbortSignal): Promise<Result<LocalImage, string>> {
    const version = sparkVersionOf(image);
    const { download, images } = this.#options;
    const home = images[image];
    if (home !== undefined)
      return err(`there is no Spark in "${home}", which stands for this image`);
    if (!looksLikeSpark(image) || version === undefined) {
      return err(
        "the sandbox pulls no images: it maps those of Spark by the version in their tag to Spark on this machine; " +
          "name the folder with Spark that this one stands for",
      );
    }
    if (download === undefined) {
      const versions = [...this.#known.keys()].sort().join(", ");
      return err(
        `there is no Spark ${version} on this machine (${versions === "" ? "none at all" : `only ${versions}`}), and downloads were not allowed`,
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
      // The first one that is named wins.
      if (found !== undefined && !this.#known.has(found.version))
        this.#known.set(found.version, found);
    }
  }
}

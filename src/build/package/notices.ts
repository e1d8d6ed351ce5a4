import type { BundledPackage } from "./bundledPackages.ts";

/** Returns the text of `THIRD-PARTY-NOTICES.txt`. */
export function printNotices(packages: readonly BundledPackage[]): string {
  const head =
    "This extension contains parts of the packages below. Each stands under the license that follows its name.\n";
  const parts = packages.map(
    ({ name, version, license, texts }) =>
      `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${texts.join("\n\n").replaceAll("\r\n", "\n")}\n`,
  );
  return [head, ...parts].join("\n");
}

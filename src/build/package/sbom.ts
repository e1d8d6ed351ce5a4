import { createHash } from "node:crypto";
import type { BundledPackage } from "./bundledPackages.ts";

export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * Returns the bill of materials of exactly the bundled packages, as CycloneDX 1.6 JSON. It has no date, and its serial
 * number is derived from its content, so the same sources give the same bytes.
 */
export function printSbom(product: Product, packages: readonly BundledPackage[]): string {
  const productRef = refOf(product);
  const content = {
    version: 1,
    metadata: {
      component: { ...componentOf(product), type: "application" },
    },
    components: packages.map((one) => ({
      ...componentOf(one),
      hashes: [hashOf(one)],
    })),
    dependencies: [
      { ref: productRef, dependsOn: packages.map(refOf) },
      ...packages.map((one) => ({ ref: refOf(one), dependsOn: [] })),
    ],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
  const schema = "http://cyclonedx.org/schema/bom-1.6.schema.json";
  const document = { $schema: schema, bomFormat: "CycloneDX", specVersion: "1.6", serialNumber };
  return `${JSON.stringify({ ...document, ...content }, null, 2)}\n`;
}

/** Returns the package URL (purl) of an npm package. */
const refOf = ({ name, version }: Pick<Product, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

function componentOf(part: Product): Readonly<Record<string, unknown>> {
  const [, group, name = part.name] = /^(@[^/]+)\/(.*)$/.exec(part.name) ?? [];
  return {
    type: "library",
    "bom-ref": refOf(part),
    ...(group === undefined ? {} : { group }),
    name,
    version: part.version,
    licenses: [
      / (?:AND|OR|WITH) /.test(part.license)
        ? { expression: part.license }
        : { license: { id: part.license } },
    ],
    purl: refOf(part),
  };
}

/** Returns the SHA-512 of the archive that npm downloads. Throws if the lock file has none. */
function hashOf({ name, integrity }: BundledPackage): Readonly<Record<string, string>> {
  const [, base64] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`The lock file has no SHA-512 of "${name}".`);
  return { alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") };
}

/** Derives a UUID of version 8 (RFC 9562, custom bits) from text. */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

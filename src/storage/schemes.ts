/** Returns the scheme of a URI; undefined for a path, including one with a drive letter. */
export function schemeOf(address: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(address)?.[1];
}

/** Returns the error text for an unsupported URI scheme, with the alternatives. */
export function refuseScheme(address: string, usable: readonly string[]): string {
  const scheme = schemeOf(address) ?? "";
  const known = usable.map((name) => `"${name}:"`).join(", ");
  return (
    `files can be uploaded only to ${known} addresses, not to "${scheme}:". ` +
    `Choose another "spark.kubernetes.file.upload.path", or store the file where the driver can read it and ` +
    `specify that address: "local:///path" for a file in the image or on a mounted volume claim, or its ` +
    `"${scheme}:" address if the driver's image supports this scheme`
  );
}

const kibibyte = 1024;
const mebibyte = 1024 ** 2;

/** Formats a size with its unit: `312 B`, `1.5 KiB`, `37.0 MiB`. */
export function binarySize(bytes: number): string {
  if (bytes < kibibyte) return `${bytes} B`;
  // Without this margin, 1,048,575 bytes would be "1024.0 KiB".
  return bytes < mebibyte - kibibyte / 20
    ? `${(bytes / kibibyte).toFixed(1)} KiB`
    : `${inMebibytes(bytes)} MiB`;
}

/** Formats a size in MiB without the unit. */
export const inMebibytes = (bytes: number): string => (bytes / mebibyte).toFixed(1);

/** Formats the memory of a pod or node: `5.4 GiB`, `896 MiB`. */
export function describeBytes(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1
    ? `${Number(gibibytes.toFixed(1))} GiB`
    : `${Math.round(bytes / mebibyte)} MiB`;
}

/**
 * A reader's command, so that the reader has the processor before the servers of this machine whenever it wants it, as
 * an editor has whose cluster is elsewhere. Where the system does not allow that, the reader shares it with them.
 */
export const aheadOfServers = (
  program: string,
  args: readonly string[],
): readonly [string, readonly string[]] =>
  process.platform === "linux" ? ["nice", ["-n", "-20", program, ...args]] : [program, args];

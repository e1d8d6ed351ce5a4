/** Ends a `switch` over a union, so that the compiler reports a member without a case. Throws if it is reached. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

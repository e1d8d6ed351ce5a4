/** Ends a `switch` over a union: the compiler refuses it when a member is not handled. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/** The error for a file that changed after it was collected. Check `name`: `instanceof` fails across bundles. */
export class CodeChanged extends Error {
  override readonly name = "CodeChanged";
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`"${path}" changed while it was sent`, options);
    this.path = path;
  }
}

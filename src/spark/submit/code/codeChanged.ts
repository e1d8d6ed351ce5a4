/** A file changed after it was collected. The name identifies it, as each bundle has its own class. */
export class CodeChanged extends Error {
  override readonly name = "CodeChanged";
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`"${path}" changed while it was sent`, options);
    this.path = path;
  }
}

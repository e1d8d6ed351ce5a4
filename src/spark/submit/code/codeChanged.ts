/** A file changed after it was collected. Check `name`, not the class: each bundle has its own copy of the class. */
export class CodeChanged extends Error {
  override readonly name = "CodeChanged";
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`"${path}" changed while it was sent`, options);
    this.path = path;
  }
}

/** A registry that can't be read; the message is for the user, the detail for the log. */
export class RegistryError extends Error {
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.name = 'RegistryError';
    this.detail = detail;
  }
}

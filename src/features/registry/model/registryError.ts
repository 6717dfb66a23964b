import { UserError } from '../../../shared/failure';

/** A registry that can't be read; the message is for the user, the detail for the log. */
export class RegistryError extends UserError {
  override readonly name = 'RegistryError';

  constructor(
    message: string,
    readonly detail: string,
  ) {
    super({ code: 'told', title: message, detail: '', actions: ['showLog'] });
  }
}

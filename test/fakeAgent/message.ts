import type { Json } from './scenario';

/** A message from the client that is being handled. */
export class Message {
  readonly method: string;
  readonly params: { readonly [key: string]: Json };
  /** Absent for a notification. */
  readonly id: Json | undefined;
  answered = false;
  cancelled = false;
  #onCancel: (() => void) | undefined;

  constructor(raw: { readonly [key: string]: Json | undefined }) {
    this.method = typeof raw['method'] === 'string' ? raw['method'] : '';
    this.params = isObject(raw['params']) ? raw['params'] : {};
    this.id = raw['id'];
  }

  get sessionId(): string {
    return typeof this.params['sessionId'] === 'string' ? this.params['sessionId'] : '';
  }

  cancel(): void {
    this.cancelled = true;
    this.#onCancel?.();
  }

  untilCancelled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCancel = resolve;
      if (this.cancelled) {
        resolve();
      }
    });
  }

  /** `untilCancelled` is under way: the scenario itself says what cancelling means. */
  get awaitsCancel(): boolean {
    return this.#onCancel !== undefined;
  }

  /** Puts this message's values in the place of `$id`, `$sessionId`, `$cwd` and `$cursor`. */
  fill(value: Json | undefined): Json | undefined {
    if (typeof value === 'string') {
      return this.#variable(value);
    }
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map((item) => this.fill(item) ?? null);
    }
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]));
    }
    return value;
  }

  #variable(value: string): Json | undefined {
    switch (value) {
      case '$id':
        return this.id;
      case '$sessionId':
      case '$cwd':
      case '$cursor':
        return this.params[value.slice(1)];
      default:
        return value;
    }
  }
}

export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

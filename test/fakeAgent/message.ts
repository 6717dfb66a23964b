import {
  type AnswerBody,
  type ClientMessage,
  isObject,
  type Json,
} from '../../src/demoAgent/wire/message';

/** The message of steps that answer none. */
const nothing: ClientMessage = { method: '', params: {}, id: undefined };

/** A message from the client while it is being handled. */
export class ScriptedMessage implements ClientMessage {
  readonly method: string;
  readonly params: { readonly [key: string]: Json };
  /** Absent for a notification. */
  readonly id: Json | undefined;
  answered = false;
  /** Whether its steps are running, also after the answer. */
  isRunning = false;
  /** The client was told that the canceled work is over. */
  isIdle = false;
  /** The client's last answer to a request from a step with `wait`. */
  clientAnswer: Json = null;
  /** The answer to this message after the client has canceled it. */
  #cancelOutcome: AnswerBody | undefined;
  readonly #whenCancelled: Promise<void>;
  #onCancel: () => void = () => undefined;
  #awaitsCancel = false;

  constructor({ method, params, id }: ClientMessage = nothing) {
    this.method = method;
    this.params = params;
    this.id = id;
    this.#whenCancelled = new Promise((resolve) => {
      this.#onCancel = resolve;
    });
  }

  get sessionId(): string {
    return typeof this.params['sessionId'] === 'string' ? this.params['sessionId'] : '';
  }

  get cancelled(): boolean {
    return this.#cancelOutcome !== undefined;
  }

  get cancelOutcome(): AnswerBody | undefined {
    return this.#cancelOutcome;
  }

  cancel(outcome: AnswerBody): void {
    this.#cancelOutcome ??= outcome;
    this.#onCancel();
  }

  /** Resolves when the client cancels the message; from this call on, the scenario handles the cancellation. */
  untilCancelled(): Promise<void> {
    this.#awaitsCancel = true;
    return this.#whenCancelled;
  }

  /** Settles like `promise`, or with `undefined` if the client cancels this message while no step awaits that. */
  unlessCancelled<T>(promise: Promise<T>): Promise<T | undefined> {
    const cancelled = this.#whenCancelled.then(() => (this.#awaitsCancel ? promise : undefined));
    return Promise.race([promise, cancelled]);
  }

  /** Whether `untilCancelled` has been called. */
  get awaitsCancel(): boolean {
    return this.#awaitsCancel;
  }

  /** Replaces variable names with values of this message and of the client's last answer. */
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
      case '$prompt':
        return this.params[value.slice(1)];
      case '$answerText':
        return JSON.stringify(this.clientAnswer);
      default:
        return value === '$answer' || value.startsWith('$answer.')
          ? this.#inAnswer(value.split('.').slice(1))
          : value;
    }
  }

  #inAnswer(names: readonly string[]): Json | undefined {
    let found: Json | undefined = this.clientAnswer;
    for (const name of names) {
      found = isObject(found) ? found[name] : undefined;
    }
    return found;
  }
}

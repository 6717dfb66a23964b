import { readTraceLine } from '../../../protocol/trace/traceFormat';
import { isObject, type JsonObject } from '../../../util/json';

/** The modes, models and options of a session, from the last answer that has them and the updates after it (MO-1, CF-9). */
export class ReplayedOptions {
  readonly #sessionId: string;
  #modes: unknown;
  /** The mode since the answer with the modes; `undefined` if it is still the one in that. */
  #currentModeId: unknown;
  #models: unknown;
  #configOptions: unknown;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** The answer to the request that has opened the session, or to one that has set an option. */
  takeAnswer(line: string | undefined): void {
    const read = line === undefined ? undefined : readTraceLine(line);
    const result = read?.kind === 'message' ? read.message['result'] : undefined;
    if (isObject(result)) {
      if (result['modes'] !== undefined && result['modes'] !== null) {
        this.#modes = result['modes'];
        this.#currentModeId = undefined;
      }
      this.#models = result['models'] ?? this.#models;
      this.#configOptions = result['configOptions'] ?? this.#configOptions;
    }
  }

  takeUpdate({ sessionId, update }: JsonObject): void {
    if (sessionId !== this.#sessionId || !isObject(update)) {
      return;
    }
    if (update['sessionUpdate'] === 'config_option_update') {
      this.#configOptions = update['configOptions'];
    } else if (update['sessionUpdate'] === 'current_mode_update' && isObject(this.#modes)) {
      this.#currentModeId = update['currentModeId'];
    }
  }

  /** The options, as the answer to a load has them. */
  get result(): object {
    const currentModeId = this.#currentModeId;
    const modes =
      isObject(this.#modes) && currentModeId !== undefined
        ? { ...this.#modes, currentModeId }
        : this.#modes;
    return { modes, models: this.#models, configOptions: this.#configOptions };
  }
}

import type { FallenMode } from '../../shared/transcript/config';
import { cleanText } from '../text/titles';
import type { SessionFacts } from './sessionFacts';

/** A session's mode; `option` is the id of the config option that stands for it, if one does. */
export interface KeptMode {
  readonly option?: string;
  readonly value: string;
}

interface NamedMode extends KeptMode {
  readonly name: string;
}

type Facts = Pick<SessionFacts, 'configOptions' | 'modes'>;

/**
 * The modes of agents in which nothing is changed, by their ids: `plan` of Claude, Cline, Gemini, Kilo and OpenCode,
 * `…#plan` of Copilot, `read-only` of Codex. Nothing else in the protocol says which mode is more careful.
 */
const careful = /(?:^|[#/])(?:plan|read-?only)$/i;

/** Whether nothing is changed in a mode with this id. */
export function isCareful(modeId: string): boolean {
  return careful.test(modeId);
}

/** Remembers that a session is in a careful mode, and notices when it comes back in another one. */
export class CarefulMode {
  /** The mode that the session was in last, if that is a careful one. */
  #kept: NamedMode | undefined;
  #isFallen = false;
  /** The agent has opened the session without telling its mode. */
  #isUntold = false;

  /** What is kept across windows. */
  get kept(): KeptMode | undefined {
    return this.#kept;
  }

  /** Whether the session has come back in a mode that is less careful, and the user hasn't decided yet. */
  get isFallen(): boolean {
    return this.#isFallen;
  }

  /** What is to be said about it. */
  describe(facts: Facts): FallenMode | undefined {
    const [from, now] = [this.#kept, findMode(facts)];
    return this.#isFallen && from !== undefined && now !== undefined
      ? { from: { ...from, name: shorten(nameOf(facts, from)) }, now: shorten(now.name) }
      : undefined;
  }

  /** An earlier window has left the session in this mode. */
  expect({ option, value }: KeptMode): void {
    if (careful.test(value)) {
      this.#kept = { ...(option !== undefined && { option }), value, name: value };
    }
  }

  /** The agent has opened the session, or what is expected of it has become known. */
  opened(facts: Facts): void {
    const mode = findMode(facts);
    this.#isUntold = mode === undefined;
    this.#isFallen = this.#kept !== undefined && mode !== undefined && !careful.test(mode.value);
    this.#take(mode);
  }

  /** The agent has said something about the open session. */
  note(facts: Facts): void {
    if (this.#isUntold) {
      this.opened(facts);
    } else {
      this.#take(findMode(facts));
    }
  }

  #take(mode: NamedMode | undefined): void {
    if (mode === undefined) {
      return;
    }
    if (careful.test(mode.value)) {
      const isSame = this.#kept?.value === mode.value && this.#kept.option === mode.option;
      this.#kept = isSame ? this.#kept : mode;
      this.#isFallen = false;
    } else if (!this.#isFallen) {
      this.#kept = undefined;
    }
  }

  /** The user has chosen this option, or a mode, or to go on in the one that there is. */
  chose(facts: Facts, option?: string): void {
    if (option === findMode(facts)?.option) {
      this.goOn(facts);
    }
  }

  goOn(facts: Facts): void {
    this.#isFallen = false;
    this.#take(findMode(facts));
  }
}

/** A name as part of a sentence and of a button. */
function shorten(name: string): string {
  return cleanText(name, 40);
}

function findMode(facts: Facts): NamedMode | undefined {
  const option = facts.configOptions.find(({ category, id }) => (category ?? id) === 'mode');
  if (option?.type === 'select') {
    const mode = { option: option.id, value: option.value };
    return { ...mode, name: nameOf(facts, mode) };
  }
  const value = facts.modes?.currentModeId;
  return value === undefined ? undefined : { value, name: nameOf(facts, { value }) };
}

/** The name of a mode, if it is offered, otherwise its id. */
function nameOf({ configOptions, modes }: Facts, { option, value }: KeptMode): string {
  const found = configOptions.find(({ id }) => id === option);
  const choices = found?.type === 'select' ? found.groups.flatMap((group) => group.choices) : [];
  return (
    choices.find((choice) => choice.value === value)?.name ??
    modes?.modes.find(({ id }) => id === value)?.name ??
    value
  );
}

import { type AnswerBody, isObject } from '../../src/demoAgent/wire/message';
import type { ScriptedMessage } from './message';
import type { Json, Scenario, Step } from './scenario';

type Updates = readonly Json[];

/** What forks of sessions replay, for a scenario with `forks`. */
export class FakeForks {
  readonly #scenario: Scenario;
  readonly #replays = new Map<string, Updates>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** The steps of a fork's load. */
  replayOf(sessionId: string): readonly Step[] | undefined {
    const updates = this.#replays.get(sessionId);
    return updates && [{ updates }];
  }

  /** Keeps what the fork replays; an error if its message is unknown. */
  fork({ params, sessionId }: ScriptedMessage, fork: string): AnswerBody | undefined {
    const { forks } = this.#scenario;
    if (forks === undefined) {
      return undefined;
    }
    const messageId = messageIn(params['_meta']);
    const whole = this.#replays.get(sessionId) ?? this.#updatesOf(sessionId);
    const last = whole.findLastIndex((update) => member(update, 'messageId') === messageId);
    if (messageId === undefined || forks === 'whole') {
      this.#replays.set(fork, whole);
      return undefined;
    }
    if (last === -1) {
      const message = `Invalid params: Fork point message ${messageId} was not found in session ${sessionId}`;
      return { error: { code: -32602, message, data: { messageId } } };
    }
    this.#replays.set(
      fork,
      forks === 'message'
        ? whole.slice(0, last + 1).map((update) => withNewId(update, fork))
        : whole.slice(0, endOfTurn(whole, last)),
    );
    return undefined;
  }

  #updatesOf(sessionId: string): Updates {
    const { replays } = this.#scenario;
    const steps = replays?.[sessionId] ?? replays?.['*'] ?? [];
    return steps.flatMap((step) => ('updates' in step ? step.updates : []));
  }
}

function messageIn(meta: Json | undefined): string | undefined {
  const fork = ['jetbrains', 'air', 'fork'].reduce<Json | undefined>(member, meta);
  const messageId = member(fork, 'messageId');
  return typeof messageId === 'string' ? messageId : undefined;
}

function endOfTurn(updates: Updates, from: number): number {
  const next = updates.findIndex((update, index) => index > from && isPrompt(update));
  return next === -1 ? updates.length : next;
}

function withNewId(update: Json, fork: string): Json {
  return isPrompt(update) && isObject(update)
    ? { ...update, messageId: `${fork}-${JSON.stringify(update['messageId'])}` }
    : update;
}

function isPrompt(update: Json): boolean {
  return member(update, 'sessionUpdate') === 'user_message_chunk';
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

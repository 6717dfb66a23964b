import fs from 'node:fs';
import { Connection, getLines } from '../../src/demoAgent/wire/connection';
import { type AnswerBody, isObject } from '../../src/demoAgent/wire/message';
import { watchFile } from './files';
import { FakeForks } from './forks';
import type { AgentHost } from './host';
import { ScriptedMessage } from './message';
import { prepareUpdates } from './output';
import { type Json, mixes, type Scenario, type Step, update, update2 } from './scenario';
import { FakeSessions } from './sessions';
import { StepRunner } from './steps';

const defaultReplay: readonly Step[] = [
  { updates: [update.user('Hello?', 'u1'), update.agent('Hello!', 'a1')] },
];

const defaultTurn: readonly Step[] = [
  { update: update.agent('Done.') },
  { result: { stopReason: 'end_turn' } },
];

const defaultReplay2: readonly Step[] = [
  { updates: [update2.user('Hello?', 'u1'), update2.agent('Hello!', 'a1'), update2.idle()] },
];

/** `number` tells the messages of the prompts apart. */
function defaultTurn2(number: number): readonly Step[] {
  const messageId = `prompt-${number}`;
  return [
    { update: { sessionUpdate: 'user_message', messageId, content: '$prompt' } },
    { result: { messageId } },
    { updates: [update2.running, update2.agent('Done.', `answer-${number}`)] },
    { update: update2.idle('end_turn') },
  ];
}

const imageRefused = {
  code: -32603,
  message:
    'Internal error: API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Could not process image"}}',
};

/** Plays one scenario over its host's input and output. */
export class FakeAgent {
  readonly #scenario: Scenario;
  readonly #sessions: FakeSessions;
  readonly #forks: FakeForks;
  readonly #host: AgentHost;
  readonly #connection: Connection;
  readonly #steps: StepRunner;
  readonly #pending = new Map<Json, ScriptedMessage>();
  readonly #seen = new Map<string, number>();
  /** Sessions with an image that the provider refuses. */
  readonly #refused = new Set<string>();
  #speaks2 = false;
  #prompts = 0;

  constructor(scenario: Scenario, host: AgentHost) {
    this.#scenario = scenario;
    this.#host = host;
    this.#connection = new Connection(
      host.write,
      (message) => void this.#handle(new ScriptedMessage(message)),
    );
    this.#steps = new StepRunner(this.#connection, host);
    this.#sessions = new FakeSessions(scenario);
    this.#forks = new FakeForks(scenario);
  }

  run(): void {
    const { start, watch } = this.#scenario;
    this.#prepare(this.#scenario);
    for (const { file, steps } of watch ?? []) {
      watchFile(file, this.#host.ended, () => void this.#steps.run(steps, new ScriptedMessage()));
    }
    void this.#steps.run(start ?? [], new ScriptedMessage());
    void this.#read();
  }

  async #read(): Promise<void> {
    const { record, ignoreStdinEnd } = this.#scenario;
    for await (const lines of getLines(this.#host.input)) {
      for (const line of lines) {
        if (record) {
          fs.appendFileSync(record, `${line}\n`);
        }
        this.#connection.receive(line);
        await this.#steps.reading;
      }
    }
    if (!ignoreStdinEnd) {
      this.#host.exit(0);
    }
  }

  /** Generates all updates before the first request arrives. */
  #prepare(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) {
        this.#prepare(item);
      }
    } else if (isObject(value)) {
      const { generate, mix } = value;
      if (typeof generate === 'number') {
        prepareUpdates(generate, mixes.find((known) => known === mix) ?? 'mixed');
      }
      this.#prepare(Object.values(value));
    }
  }

  async #handle(message: ScriptedMessage): Promise<void> {
    if (message.id !== undefined) {
      this.#pending.set(message.id, message);
    }
    this.#steps.servers = message.params['mcpServers'] ?? this.#steps.servers;
    const scripted = this.#commanded(message) ?? this.#scripted(message.method);
    message.isRunning = true;
    await (scripted ? this.#steps.run(scripted, message) : this.#builtIn(message));
    message.isRunning = false;
    if (message.cancelOutcome && !message.awaitsCancel) {
      await this.#cancelled(message, message.cancelOutcome);
    }
  }

  #commanded({ method, params }: ScriptedMessage): readonly Step[] | undefined {
    const { commands } = this.#scenario;
    const { prompt } = params;
    const first: unknown = Array.isArray(prompt) && method === 'session/prompt' ? prompt[0] : null;
    const text = isObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
    return commands?.[text.split(/\s/, 1)[0] ?? ''];
  }

  #scripted(method: string): readonly Step[] | undefined {
    const lists = this.#scenario.on?.[method];
    if (!lists || !isListOfLists(lists)) {
      return lists;
    }
    const count = this.#seen.get(method) ?? 0;
    this.#seen.set(method, count + 1);
    return lists[Math.min(count, lists.length - 1)];
  }

  async #builtIn(message: ScriptedMessage): Promise<void> {
    switch (message.method) {
      case 'initialize': {
        this.#speaks2 =
          this.#scenario.version === 2 && Number(message.params['protocolVersion']) >= 2;
        const usual = this.#speaks2 ? goodInitialize2 : goodInitialize;
        return this.#steps.answer(message, {
          result: { ...usual, ...objectOf(this.#scenario.initialize) },
        });
      }
      case 'session/load':
        return this.#load(message);
      case 'session/resume':
        return message.params['replayFrom']
          ? this.#load(message)
          : this.#steps.answer(message, this.#sessions.answer(message));
      case 'session/fork': {
        const made = this.#sessions.answer(message);
        const refused = this.#forks.fork(message, this.#sessions.newest);
        return this.#steps.answer(message, refused ?? made);
      }
      case 'session/prompt':
        if (this.#refusesImageIn(message)) {
          return this.#steps.answer(message, { error: imageRefused });
        }
        return this.#steps.run(
          this.#speaks2 ? defaultTurn2(++this.#prompts) : defaultTurn,
          message,
        );
      case 'session/cancel':
        this.#cancelTurn(message.sessionId);
        return;
      case '$/cancel_request':
        this.#cancel(this.#pending.get(message.params['requestId'] ?? null), cancelledError);
        return;
      default:
        return this.#steps.answer(message, this.#sessions.answer(message));
    }
  }

  #refusesImageIn({ sessionId, params: { prompt } }: ScriptedMessage): boolean {
    const hasImage =
      Array.isArray(prompt) && prompt.some((block) => isObject(block) && block['type'] === 'image');
    if (hasImage && this.#scenario.refusesImages) {
      this.#refused.add(sessionId);
    }
    return this.#refused.has(sessionId);
  }

  async #load(message: ScriptedMessage): Promise<void> {
    const { replays } = this.#scenario;
    const known = this.#sessions.has(message.sessionId);
    const replay =
      this.#forks.replayOf(message.sessionId) ??
      replays?.[message.sessionId] ??
      replays?.['*'] ??
      (known ? (this.#speaks2 ? defaultReplay2 : defaultReplay) : undefined);
    if (!replay) {
      const data = { sessionId: message.sessionId };
      return this.#steps.answer(message, {
        error: { code: -32002, message: 'Resource not found', data },
      });
    }
    await this.#steps.run(replay, message);
    if (!message.cancelled) {
      await this.#steps.answer(message, { result: this.#scenario.setup ?? {} });
    }
  }

  #cancelTurn(sessionId: string): void {
    for (const message of this.#pending.values()) {
      if (message.method === 'session/prompt' && message.sessionId === sessionId) {
        this.#cancel(message, this.#speaks2 ? cancelledError : turnCancelled);
      }
    }
  }

  #cancel(pending: ScriptedMessage | undefined, outcome: AnswerBody): void {
    if (!pending || (pending.answered && !(this.#speaks2 && pending.isRunning))) {
      return;
    }
    pending.cancel(outcome);
    if (!pending.awaitsCancel) {
      void this.#cancelled(pending, outcome);
    }
  }

  /** Answers a canceled message. In version 2, a prompt whose work has begun ends with a state. */
  async #cancelled(message: ScriptedMessage, outcome: AnswerBody): Promise<void> {
    if (!this.#speaks2 || !message.answered) {
      await this.#steps.answer(message, outcome);
    } else if (message.method === 'session/prompt' && !message.isIdle) {
      message.isIdle = true;
      const step = { update: update2.idle('cancelled'), sessionId: message.sessionId };
      await this.#steps.run([step], new ScriptedMessage());
    }
  }
}

const turnCancelled: AnswerBody = { result: { stopReason: 'cancelled' } };

const cancelledError: AnswerBody = { error: { code: -32800, message: 'Request cancelled' } };

const goodInitialize: { [key: string]: Json } = {
  protocolVersion: 1,
  agentInfo: { name: 'fake-agent', title: 'Fake Agent', version: '1.0.0' },
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
  authMethods: [],
};

const goodInitialize2: { readonly [key: string]: Json } = {
  protocolVersion: 2,
  info: { name: 'fake-agent', title: 'Fake Agent', version: '1.0.0' },
  capabilities: { session: {} },
  authMethods: [],
};

function objectOf(value: Json | undefined): { readonly [key: string]: Json } {
  return isObject(value) ? value : {};
}

function isListOfLists(
  lists: readonly Step[] | readonly (readonly Step[])[],
): lists is readonly (readonly Step[])[] {
  return Array.isArray(lists[0]);
}

import fs from 'node:fs';
import process from 'node:process';
import readline from 'node:readline';
import { watchFile } from './files';
import { isObject, Message } from './message';
import { prepareUpdates } from './output';
import { type Json, type Scenario, type Step, update } from './scenario';
import { generateSessions, listPage } from './sessions';
import { answer, runSteps } from './steps';

const defaultReplay: readonly Step[] = [
  { updates: [update.user('Hello?', 'u1'), update.agent('Hello!', 'a1')] },
];

/** Carries out one scenario over this process's stdin and stdout. */
export class FakeAgent {
  readonly #scenario: Scenario;
  readonly #sessions: readonly Json[] | undefined;
  readonly #pending = new Map<Json, Message>();
  readonly #seen = new Map<string, number>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const { sessions } = scenario;
    this.#sessions = sessions && 'count' in sessions ? generateSessions(sessions) : sessions;
  }

  run(): void {
    const { pidFile, ignoreTerm, ignoreStdinEnd, start, watch } = this.#scenario;
    if (pidFile) {
      fs.writeFileSync(pidFile, String(process.pid));
    }
    if (ignoreTerm) {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.on(signal, () => undefined);
      }
    }
    // However stubborn: a test that fails leaves nothing behind for long.
    const life = setTimeout(() => process.exit(99), 600_000);
    if (!ignoreStdinEnd) {
      life.unref();
    }
    // A reader that has gone is the client's way to end: what follows is up to stdin's end.
    process.stdout.on('error', () => undefined);
    this.#prepare(this.#scenario);
    for (const { file, steps } of watch ?? []) {
      watchFile(file, () => void runSteps(steps, new Message({})));
    }
    void runSteps(start ?? [], new Message({}));
    const lines = readline.createInterface({ input: process.stdin });
    lines.on('line', (line) => this.#receive(line));
    lines.on('close', () => {
      if (!ignoreStdinEnd) {
        process.exit(0);
      }
    });
  }

  /** Makes all generated updates before anything is asked for. */
  #prepare(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) {
        this.#prepare(item);
      }
    } else if (isObject(value)) {
      const { generate, mix } = value;
      if (typeof generate === 'number') {
        prepareUpdates(generate, mix === 'text' || mix === 'messages' ? mix : 'mixed');
      }
      this.#prepare(Object.values(value));
    }
  }

  #receive(line: string): void {
    if (this.#scenario.record) {
      fs.appendFileSync(this.#scenario.record, `${line}\n`);
    }
    const raw: unknown = JSON.parse(line);
    if (!isObject(raw) || raw['method'] === undefined) {
      return;
    }
    void this.#handle(new Message(raw));
  }

  async #handle(message: Message): Promise<void> {
    if (message.id !== undefined) {
      this.#pending.set(message.id, message);
    }
    const scripted = this.#scripted(message.method);
    await (scripted ? runSteps(scripted, message) : this.#builtIn(message));
    if (message.cancelled && !message.awaitsCancel) {
      await answer(message, { error: { code: -32800, message: 'Request cancelled' } });
    }
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

  async #builtIn(message: Message): Promise<void> {
    switch (message.method) {
      case 'initialize':
        return answer(message, {
          result: { ...goodInitialize, ...objectOf(this.#scenario.initialize) },
        });
      case 'session/list':
        return answer(message, this.#list(message.params));
      case 'session/load':
        return this.#load(message);
      case 'session/close':
        return answer(message, { result: {} });
      case '$/cancel_request':
        this.#cancel(message);
        return;
      default:
        return answer(message, {
          error: { code: -32601, message: `Method not found: ${message.method}` },
        });
    }
  }

  #list(params: { readonly [key: string]: Json }): { [key: string]: Json } {
    return listPage(this.#sessions ?? [], this.#scenario.pageSize ?? 50, params);
  }

  async #load(message: Message): Promise<void> {
    const { replays } = this.#scenario;
    const known = this.#sessions?.some((row) => objectOf(row)['sessionId'] === message.sessionId);
    const replay =
      replays?.[message.sessionId] ?? replays?.['*'] ?? (known ? defaultReplay : undefined);
    if (!replay) {
      const data = { sessionId: message.sessionId };
      return answer(message, { error: { code: -32002, message: 'Resource not found', data } });
    }
    await runSteps(replay, message);
    if (!message.cancelled) {
      await answer(message, { result: {} });
    }
  }

  #cancel(message: Message): void {
    const pending = this.#pending.get(message.params['requestId'] ?? null);
    if (!pending || pending.answered) {
      return;
    }
    pending.cancel();
    if (!pending.awaitsCancel) {
      void answer(pending, { error: { code: -32800, message: 'Request cancelled' } });
    }
  }
}

const goodInitialize: { [key: string]: Json } = {
  protocolVersion: 1,
  agentInfo: { name: 'fake-agent', title: 'Fake Agent', version: '1.0.0' },
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
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

import type { ConfigOption } from '../../shared/transcript/config';
import type { Block } from '../../shared/transcript/content';
import { isObject } from '../../util/json';
import type {
  AgentCapabilities,
  AgentConnection,
  AgentInfo,
  AuthMethod,
  ForkTarget,
  OpenedSession,
  SessionPage,
  SessionPlace,
  SessionQuery,
  SessionSetup,
  SessionTarget,
  SteeringOutcome,
} from '../agentConnection';
import { AcpError } from '../errors';
import type { InitializeResult, LiveConnectionOptions } from '../protocolVersion';
import type { AgentRpc, RequestOptions } from '../rpc/agentRpc';
import type { ProtocolLog } from '../rpc/countedLog';
import { asSessionError } from '../rpc/rpcErrors';
import { PendingLoads } from '../shapes/pendingLoads';
import { readSessionPage } from '../shapes/sessionPage';
import { forkPoint, placeParams, promptParams } from './sessionParams';
import {
  readConfigAnswer,
  readForkedSession,
  readOpenedSession,
  readSessionSetup,
  readSteeringOutcome,
  readStopReason,
  readTitleAnswer,
} from './sessionResponses';

/** The methods of the protocol: each one checks its capability and its answer. */
export class LiveConnection implements AgentConnection {
  readonly protocolVersion = 1;
  readonly info: AgentInfo;
  readonly authMethods: readonly AuthMethod[];
  readonly onUpdate: AgentConnection['onUpdate'];
  readonly onListChanged: AgentConnection['onListChanged'];
  readonly onPrint: AgentConnection['onPrint'];
  readonly onClosed: AgentConnection['onClosed'];
  readonly #rpc: AgentRpc;
  #capabilities: AgentCapabilities;
  readonly #loads = new PendingLoads();
  readonly #log: ProtocolLog;
  readonly #setupTimeoutMs: number;
  readonly #isOpenElsewhere: LiveConnectionOptions['isOpenElsewhere'];
  /** For requests that a healthy agent answers at once. */
  readonly #limits: RequestOptions;

  constructor(
    rpc: AgentRpc,
    { info, capabilities, authMethods }: InitializeResult,
    options: LiveConnectionOptions,
  ) {
    this.#rpc = rpc;
    this.#capabilities = capabilities;
    this.info = info;
    this.authMethods = authMethods;
    this.#log = options.log;
    this.#setupTimeoutMs = options.setupTimeoutMs;
    this.#isOpenElsewhere = options.isOpenElsewhere;
    this.#limits = { timeoutMs: options.requestTimeoutMs };
    this.onUpdate = rpc.onUpdate;
    this.onListChanged = rpc.onListChanged;
    this.onPrint = rpc.onPrint;
    this.onClosed = rpc.onClosed;
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  async listSessions(query: SessionQuery, signal?: AbortSignal): Promise<SessionPage> {
    const limits = { ...this.#limits, signal };
    const result = await this.#call('list', 'session/list', query, limits);
    const { page, skipped } = readSessionPage(result, query.cwd);
    if (skipped > 0) {
      this.#log.warn(
        `session/list: ${skipped} entries without a usable id or folder were left out`,
      );
    }
    const sessions = page.sessions.map((info) =>
      this.#isOpenElsewhere?.(info.sessionId) ? { ...info, openElsewhere: true } : info,
    );
    return { ...page, sessions };
  }

  /** No time limit, because the replay shows its progress. */
  async loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    return readSessionSetup(await this.#reopen('load', target, { signal }));
  }

  async resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    const limits = { signal, timeoutMs: this.#setupTimeoutMs };
    return readSessionSetup(await this.#reopen('resume', target, limits));
  }

  whenLoadsEnded(sessionId: string): Promise<void> {
    return this.#loads.whenEnded(sessionId);
  }

  async newSession(place: SessionPlace, signal?: AbortSignal): Promise<OpenedSession> {
    const limits = { signal, timeoutMs: this.#setupTimeoutMs };
    const method = 'session/new';
    this.#check('prompt', method);
    return readOpenedSession(await this.#rpc.request(method, this.#place(place), limits), method);
  }

  async forkSession(target: ForkTarget, signal?: AbortSignal): Promise<OpenedSession> {
    const limits = { signal, timeoutMs: this.#setupTimeoutMs };
    const { sessionId, at } = target;
    const params = { sessionId, ...this.#place(target), ...(at !== undefined && forkPoint(at)) };
    const result = this.#call('fork', 'session/fork', params, limits);
    return readForkedSession(await aboutFork(result, at), sessionId);
  }

  async closeSession(sessionId: string): Promise<void> {
    if (!this.capabilities.close) {
      return;
    }
    try {
      await this.#call('close', 'session/close', { sessionId }, this.#limits);
    } catch (error) {
      this.#log.warn(`session/close: ${String(error)}`);
    }
  }

  async deleteSession(sessionId: string): Promise<void> {
    const deleted = this.#call('delete', 'session/delete', { sessionId }, this.#limits);
    try {
      await aboutSession(deleted);
    } catch (error) {
      if (!(error instanceof AcpError && error.code === 'gone')) {
        throw error;
      }
    }
  }

  async setArchived(sessionId: string, archived: boolean): Promise<void> {
    const method = archived ? 'session/archive' : 'session/unarchive';
    await aboutSession(this.#call('archive', method, { sessionId }, this.#limits));
  }

  async setTitle(sessionId: string, title: string): Promise<string> {
    const params = { sessionId, title };
    const result = this.#call('title', 'session/set_title', params, this.#limits);
    return readTitleAnswer(await aboutSession(result), title);
  }

  async prompt(sessionId: string, blocks: readonly Block[]): Promise<string> {
    this.#check('prompt', 'session/prompt');
    const params = { sessionId, prompt: promptParams(blocks, this.capabilities) };
    return readStopReason(await aboutSession(this.#rpc.request('session/prompt', params)));
  }

  async steer(sessionId: string, blocks: readonly Block[]): Promise<SteeringOutcome> {
    const prompt = promptParams(blocks, this.capabilities);
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const params = { sessionId, prompt, _meta };
    const result = this.#call('steering', '_session/steering', params, this.#limits);
    return readSteeringOutcome(await aboutSession(result));
  }

  cancel(sessionId: string): void {
    this.#rpc.notify('session/cancel', { sessionId });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    const params = { sessionId, modeId };
    await aboutSession(this.#rpc.request('session/set_mode', params, this.#limits));
  }

  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[]> {
    const kind = typeof value === 'boolean' ? { type: 'boolean' } : {};
    const params = { sessionId, configId, ...kind, value };
    const result = this.#rpc.request('session/set_config_option', params, this.#limits);
    return readConfigAnswer(await aboutSession(result));
  }

  async authenticate(methodId: string, signal?: AbortSignal): Promise<void> {
    const { type } = this.authMethods.find((method) => method.id === methodId) ?? {};
    if (type !== 'agent' && type !== 'apiKey') {
      throw new AcpError('unsupported', `The agent has no login of its own called ${methodId}`);
    }
    await this.#rpc.request('authenticate', { methodId }, { signal });
  }

  async logout(): Promise<void> {
    await this.#call('logout', 'logout', {}, this.#limits);
  }

  close(): Promise<void> {
    return this.#rpc.close();
  }

  dispose(): void {
    this.#rpc.dispose();
  }

  /** Without the capability, rejects with `unsupported` and sends nothing. */
  async #call(
    capability: keyof AgentCapabilities,
    method: string,
    params: object,
    options: RequestOptions,
  ): Promise<unknown> {
    this.#check(capability, method);
    try {
      return await this.#rpc.request(method, params, options);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'unsupported') {
        // A -32601 removes the capability for the rest of the connection (T-38).
        this.#capabilities = { ...this.#capabilities, [capability]: false };
      }
      throw error;
    }
  }

  #check(capability: keyof AgentCapabilities, method: string): void {
    if (!this.#capabilities[capability]) {
      throw new AcpError('unsupported', `The agent does not offer ${method}`);
    }
  }

  #place(place: SessionPlace): object {
    return placeParams(place, this.capabilities, this.#log);
  }

  async #reopen(
    capability: 'load' | 'resume',
    target: SessionTarget,
    limits: RequestOptions,
  ): Promise<unknown> {
    const { sessionId } = target;
    const method = `session/${capability}`;
    this.#check(capability, method);
    const params = { sessionId, ...this.#place(target) };
    const onAnswered = this.#loads.track(sessionId);
    return aboutSession(this.#call(capability, method, params, { ...limits, onAnswered }));
  }
}

/** Turns every error that reports a missing session into `gone` (ER-5). */
function aboutSession(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    throw error instanceof AcpError ? asSessionError(error) : error;
  });
}

/** As `aboutSession`, but an unknown message (-32602) isn't a missing session, although agents name that in the text. */
function aboutFork(answer: Promise<unknown>, at: string | undefined): Promise<unknown> {
  return answer.catch((error: unknown) => {
    const isAboutMessage =
      at !== undefined &&
      error instanceof AcpError &&
      error.code === 'invalidParams' &&
      (messageOf(error.facts.data) === at || error.message.includes(at));
    throw isAboutMessage || !(error instanceof AcpError) ? error : asSessionError(error);
  });
}

function messageOf(data: unknown): unknown {
  return isObject(data) ? data['messageId'] : undefined;
}

import type { ListedOption } from '../../../shared/transcript/config';
import { type Deferred, deferred } from '../../../util/async';
import { getStack } from '../../../util/getStack';
import type {
  AgentCapabilities,
  AgentConnection,
  AgentInfo,
  AuthMethod,
  ForkTarget,
  NewPlace,
  OpenedSession,
  SessionPage,
  SessionPlace,
  SessionQuery,
  SessionSetup,
  SessionTarget,
} from '../../agentConnection';
import { isWholeId } from '../../bounds';
import { AcpError } from '../../errors';
import type { InitializeResult, LiveConnectionOptions } from '../../protocolVersion';
import type { AgentRpc, RequestOptions } from '../../rpc/agentRpc';
import type { ProtocolLog } from '../../rpc/countedLog';
import type { BackgroundItem } from '../../updates';
import { readDraftedStatus } from '../readAccount';
import {
  checkConfigAnswer,
  checkFork,
  readOpenedSession,
  readTitleAnswer,
} from './commonResponses';
import { aboutFork, aboutSession } from './sessionErrors';
import { readSessionPage } from './sessionPage';
import { foldersParams, forkPoint, placeParams, type StdioMark } from './sessionParams';
import { systemPromptSetup } from './systemPrompt';

/** What differs between the versions in methods that they otherwise share. */
export interface ConnectionShape {
  readonly stdio: StdioMark;
  readonly login: string;
  readonly logout: string;
  /** Reads what an answer that opens a session has besides its id, and the answer to a change of an option. */
  readonly readSetup: (result: unknown) => SessionSetup;
  /** The value of an option as it is sent. */
  readonly optionValue: (value: string | boolean) => object;
}

/** How long a new session waits to be asked for its options, in ms: it begins without, otherwise. */
const optionsTimeoutMs = 10_000;

/**
 * The methods that are the same in all versions: each one checks its capability and its answer. A version adds the
 * others.
 */
export abstract class CommonConnection {
  readonly info: AgentInfo;
  readonly authMethods: readonly AuthMethod[];
  readonly onUpdate: AgentConnection['onUpdate'];
  readonly onListChanged: AgentConnection['onListChanged'];
  readonly onPrint: AgentConnection['onPrint'];
  readonly onClosed: AgentConnection['onClosed'];
  protected readonly rpc: AgentRpc;
  protected readonly log: ProtocolLog;
  /** The limits of requests that a healthy agent answers at once. */
  protected readonly limits: RequestOptions;
  protected readonly setupTimeoutMs: number;
  readonly #optionsTimeoutMs: number;
  readonly #shape: ConnectionShape;
  readonly #isOpenElsewhere: LiveConnectionOptions['isOpenElsewhere'];
  readonly #accountChanged: LiveConnectionOptions['accountChanged'];
  readonly #loads = new PendingLoads();
  #tellsAccount: boolean;
  #capabilities: AgentCapabilities;

  constructor(
    rpc: AgentRpc,
    { info, capabilities, authMethods, tellsAccount }: InitializeResult,
    options: LiveConnectionOptions,
    shape: ConnectionShape,
  ) {
    this.rpc = rpc;
    this.#capabilities = capabilities;
    this.info = info;
    this.authMethods = authMethods;
    this.log = options.log;
    this.setupTimeoutMs = options.setupTimeoutMs;
    this.#optionsTimeoutMs = Math.min(options.requestTimeoutMs, optionsTimeoutMs);
    this.limits = { timeoutMs: options.requestTimeoutMs };
    this.#isOpenElsewhere = options.isOpenElsewhere;
    this.#shape = shape;
    this.#accountChanged = options.accountChanged;
    this.#tellsAccount = tellsAccount;
    this.onUpdate = rpc.onUpdate;
    this.onListChanged = rpc.onListChanged;
    this.onPrint = rpc.onPrint;
    this.onClosed = rpc.onClosed;
    void this.#askAccount(false);
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  async listSessions(query: SessionQuery, signal?: AbortSignal): Promise<SessionPage> {
    const limits = { ...this.limits, signal };
    const result = await this.call('list', 'session/list', query, limits);
    const { page, skipped } = readSessionPage(result, query.cwd);
    if (skipped > 0) {
      this.log.warn(`session/list: ${skipped} entries without a usable id or folder were left out`);
    }
    const sessions = page.sessions.map((info) =>
      this.#isOpenElsewhere?.(info.sessionId) ? { ...info, openElsewhere: true } : info,
    );
    return { ...page, sessions };
  }

  whenLoadsEnded(sessionId: string): Promise<void> {
    return this.#loads.whenEnded(sessionId);
  }

  async newSession(place: NewPlace, signal?: AbortSignal): Promise<OpenedSession> {
    const limits = { signal, timeoutMs: this.setupTimeoutMs };
    const method = 'session/new';
    this.check('prompt', method);
    const params = { ...this.#place(place), ...this.#firstValues(place) };
    const result = await this.rpc.request(method, params, limits);
    return { ...readOpenedSession(result, method, this.#shape.readSetup), ...this.#sent(place) };
  }

  async newSessionOptions(
    place: Pick<SessionPlace, 'cwd' | 'additionalDirectories'>,
    signal?: AbortSignal,
  ): Promise<SessionSetup> {
    const limits = { signal, timeoutMs: this.#optionsTimeoutMs };
    const params = foldersParams(place, this.capabilities);
    return this.#shape.readSetup(await this.call('options', 'session/options', params, limits));
  }

  async forkSession(target: ForkTarget, signal?: AbortSignal): Promise<OpenedSession> {
    const limits = { signal, timeoutMs: this.setupTimeoutMs };
    const { sessionId, at } = target;
    const method = 'session/fork';
    const params = { sessionId, ...this.#place(target), ...(at !== undefined && forkPoint(at)) };
    const result = await aboutFork(this.call('fork', method, params, limits), at);
    const opened = readOpenedSession(result, method, this.#shape.readSetup);
    return { ...checkFork(opened, sessionId), ...this.#sent(target) };
  }

  async closeSession(sessionId: string): Promise<void> {
    if (!this.capabilities.close) {
      return;
    }
    try {
      await this.call('close', 'session/close', { sessionId }, this.limits);
    } catch (error) {
      this.log.warn(`session/close: ${getStack(error)}`);
    }
  }

  async deleteSession(sessionId: string): Promise<void> {
    const deleted = this.call('delete', 'session/delete', { sessionId }, this.limits);
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
    await aboutSession(this.call('archive', method, { sessionId }, this.limits));
  }

  async setTitle(sessionId: string, title: string): Promise<string> {
    const params = { sessionId, title };
    const result = this.call('title', 'session/set_title', params, this.limits);
    return readTitleAnswer(await aboutSession(result), title);
  }

  cancel(sessionId: string): void {
    this.rpc.notify('session/cancel', { sessionId });
  }

  async cancelWork(sessionId: string, item: BackgroundItem): Promise<void> {
    if (item.type === 'subagent') {
      this.cancel(item.sessionId);
    } else if (item.type === 'terminal' && isWholeId(item.terminalId)) {
      const { terminalId } = item;
      await this.rpc.request('terminal/cancel', { sessionId, terminalId }, this.limits);
    } else if (item.type === 'toolCall' && isWholeId(item.toolCallId)) {
      const { toolCallId } = item;
      await this.rpc.request('tool_call/cancel', { sessionId, toolCallId }, this.limits);
    } else {
      throw new AcpError('unsupported', 'This work can’t be stopped alone');
    }
  }

  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ListedOption[]> {
    const params = { sessionId, configId, ...this.#shape.optionValue(value) };
    const result = this.rpc.request('session/set_config_option', params, this.limits);
    return checkConfigAnswer(this.#shape.readSetup(await aboutSession(result)));
  }

  async authenticate(methodId: string, signal?: AbortSignal): Promise<void> {
    const { type } = this.authMethods.find((method) => method.id === methodId) ?? {};
    if (type !== 'agent' && type !== 'apiKey') {
      throw new AcpError('unsupported', `The agent has no login of its own called ${methodId}`);
    }
    await this.rpc.request(this.#shape.login, { methodId }, { signal });
    void this.#askAccount(true);
  }

  async logout(): Promise<void> {
    await this.call('logout', this.#shape.logout, {}, this.limits);
    void this.#askAccount(true);
  }

  close(): Promise<void> {
    return this.rpc.close();
  }

  dispose(): void {
    this.rpc.dispose();
  }

  /** Opens a session that exists, in a way that the capability stands for. */
  protected async reopen(
    capability: 'load' | 'resume',
    method: string,
    target: SessionTarget,
    more: { readonly params?: object; readonly limits: RequestOptions },
  ): Promise<SessionSetup> {
    const { sessionId } = target;
    this.check(capability, method);
    const params = { sessionId, ...this.#place(target), ...more.params };
    const onAnswered = this.#loads.track(sessionId);
    const answer = this.call(capability, method, params, { ...more.limits, onAnswered });
    return { ...this.#shape.readSetup(await aboutSession(answer)), ...this.#sent(target) };
  }

  /** Sends a request; without the capability, rejects with `unsupported` and sends nothing. */
  protected async call(
    capability: keyof AgentCapabilities,
    method: string,
    params: object,
    options: RequestOptions,
  ): Promise<unknown> {
    this.check(capability, method);
    try {
      return await this.rpc.request(method, params, options);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'unsupported') {
        this.withdraw(capability);
      }
      throw error;
    }
  }

  /** A -32601 removes the capability for the rest of the connection (T-38). */
  protected withdraw(capability: keyof AgentCapabilities): void {
    this.#capabilities = { ...this.#capabilities, [capability]: false };
  }

  protected check(capability: keyof AgentCapabilities, method: string): void {
    if (!this.#capabilities[capability]) {
      throw new AcpError('unsupported', `The agent does not offer ${method}`);
    }
  }

  /** AUTH-16; `isOther`: what was told before doesn't hold any more. */
  async #askAccount(isOther: boolean): Promise<void> {
    if (!this.#tellsAccount || this.#accountChanged === undefined) {
      return;
    }
    try {
      const account = readDraftedStatus(await this.rpc.request('auth/status', {}, this.limits));
      if (account !== undefined || isOther) {
        this.#accountChanged(account);
      }
    } catch (error) {
      // Without it, only the row says less. What the agent has written may name the account.
      const code = error instanceof AcpError ? error.code : 'unknown';
      this.#tellsAccount &&= code !== 'unsupported';
      this.log.info(`auth/status: ${code}`);
    }
  }

  #sent(place: SessionPlace): Pick<SessionSetup, 'systemPrompt'> {
    return systemPromptSetup(place, this.capabilities);
  }

  #firstValues({ options = {} }: NewPlace): object {
    const values = Object.entries(options).map(([configId, value]) => ({
      configId,
      ...this.#shape.optionValue(value),
    }));
    return this.capabilities.options && values.length > 0 ? { configOptions: values } : {};
  }

  #place(place: SessionPlace): object {
    return placeParams(place, this.capabilities, this.#shape.stdio, this.log);
  }
}

/** The loads of sessions that the agent hasn't answered yet, including aborted ones (T-10). */
class PendingLoads {
  readonly #loads = new Map<string, Set<Deferred<undefined>>>();

  /** Counts a load as pending until the returned function is called. */
  track(sessionId: string): () => void {
    const load = deferred<undefined>();
    const loads = this.#loads.get(sessionId) ?? new Set();
    this.#loads.set(sessionId, loads.add(load));
    return () => {
      load.resolve(undefined);
      loads.delete(load);
      if (loads.size === 0) {
        this.#loads.delete(sessionId);
      }
    };
  }

  async whenEnded(sessionId: string): Promise<void> {
    const loads = [...(this.#loads.get(sessionId) ?? [])];
    await Promise.all(loads.map((load) => load.promise));
  }
}

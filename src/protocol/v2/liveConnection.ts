import type { Block } from '../../shared/transcript/content';
import type { TurnUsage } from '../../shared/transcript/entries';
import type {
  AgentConnection,
  SessionSetup,
  SessionTarget,
  SteeringOutcome,
} from '../agentConnection';
import { boundedId } from '../bounds';
import { AcpError } from '../errors';
import type { InitializeResult, LiveConnectionOptions } from '../protocolVersion';
import type { AgentRpc } from '../rpc/agentRpc';
import { CommonConnection, type ConnectionShape } from '../shapes/sessions/commonConnection';
import { aboutSession } from '../shapes/sessions/sessionErrors';
import { promptParams } from '../shapes/sessions/sessionParams';
import { readSessionSetup } from './sessionSetup';
import { messageIdIn } from './sessionWork';
import { WorkOfSessions } from './workOfSessions';

const shape: ConnectionShape = {
  stdio: { type: 'stdio' },
  login: 'auth/login',
  logout: 'auth/logout',
  readSetup: readSessionSetup,
  optionValue: (value) => ({ type: typeof value === 'boolean' ? 'boolean' : 'id', value }),
};

const promptMethod = 'session/prompt';
const resumeMethod = 'session/resume';

/** The methods of the protocol: each one checks its capability and its answer. */
export class LiveConnection extends CommonConnection implements AgentConnection {
  readonly protocolVersion = 2;
  readonly #work: WorkOfSessions;

  constructor(rpc: AgentRpc, initialized: InitializeResult, options: LiveConnectionOptions) {
    super(rpc, initialized, options, shape);
    this.#work = new WorkOfSessions(rpc);
  }

  /** No time limit, because the replay shows its progress (V2-RES-1). */
  async loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    const params = { replayFrom: { type: 'start' } };
    try {
      return await this.reopen('load', resumeMethod, target, { params, limits: { signal } });
    } finally {
      this.#withdrawBoth();
    }
  }

  async resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    const limits = { signal, timeoutMs: this.setupTimeoutMs };
    try {
      return await this.reopen('resume', resumeMethod, target, { limits });
    } finally {
      this.#withdrawBoth();
    }
  }

  override async closeSession(sessionId: string): Promise<void> {
    await super.closeSession(sessionId);
    this.#work.forget(sessionId);
  }

  override async deleteSession(sessionId: string): Promise<void> {
    await super.deleteSession(sessionId);
    this.#work.forget(sessionId);
  }

  /** The answer comes when the prompt is inserted, and the end of the turn with the updates (V2-TURN-1). */
  async prompt(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
    used?: (usage: TurnUsage) => void,
  ): Promise<string> {
    this.check('prompt', promptMethod);
    const params = { sessionId, prompt: promptParams(blocks, this.capabilities) };
    try {
      return await this.#work.of(sessionId).prompt(this.#send(params, inserted), used);
    } catch (error) {
      if (error instanceof AcpError) {
        error.agentId ??= this.rpc.agentId;
      }
      throw error;
    }
  }

  /** Sends a prompt without a time limit, because the agent may insert it only after what it does now. */
  async steer(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
  ): Promise<SteeringOutcome> {
    this.check('steering', promptMethod);
    const params = { sessionId, prompt: promptParams(blocks, this.capabilities) };
    return this.#work.of(sessionId).steer(() => this.#send(params, inserted));
  }

  override cancel(sessionId: string): void {
    if (this.#work.cancelling(sessionId)) {
      super.cancel(sessionId);
    }
  }

  /** Modes are config options (V2-CONF-3). */
  setMode(): Promise<void> {
    return Promise.reject(new AcpError('unsupported', 'Version 2 has no session/set_mode'));
  }

  setModel(): Promise<void> {
    return Promise.reject(new AcpError('unsupported', 'Version 2 has no session/set_model'));
  }

  override close(): Promise<void> {
    const closed = super.close();
    this.#work.end();
    return closed;
  }

  override dispose(): void {
    super.dispose();
    this.#work.end();
  }

  #send(params: object, inserted: (messageId: string) => void = () => undefined): Promise<unknown> {
    const answer = aboutSession(this.rpc.request(promptMethod, params));
    answer.then(
      (result) => {
        const messageId = messageIdIn(result);
        if (messageId !== undefined) {
          inserted(boundedId(messageId));
        }
      },
      () => undefined,
    );
    return answer;
  }

  /** Load and resume are one method: without it the agent has neither (T-38). */
  #withdrawBoth(): void {
    const { load, resume } = this.capabilities;
    if (load !== resume) {
      this.withdraw('load');
      this.withdraw('resume');
    }
  }
}

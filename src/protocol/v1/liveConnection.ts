import type { Block } from '../../shared/transcript/content';
import type { TurnUsage } from '../../shared/transcript/entries';
import type {
  AgentConnection,
  SessionSetup,
  SessionTarget,
  SteeringOutcome,
} from '../agentConnection';
import type { InitializeResult, LiveConnectionOptions } from '../protocolVersion';
import type { AgentRpc } from '../rpc/agentRpc';
import { objectOrEmpty } from '../shapes/agentInfo';
import { CommonConnection, type ConnectionShape } from '../shapes/sessions/commonConnection';
import { readStopReason } from '../shapes/sessions/commonResponses';
import { aboutSession } from '../shapes/sessions/sessionErrors';
import { promptParams } from '../shapes/sessions/sessionParams';
import { readTurnUsage } from '../shapes/updates/readTurnUsage';
import { readSessionSetup, readSteeringOutcome } from './sessionResponses';

const shape: ConnectionShape = {
  stdio: {},
  login: 'authenticate',
  logout: 'logout',
  readSetup: readSessionSetup,
  optionValue: (value) => (typeof value === 'boolean' ? { type: 'boolean', value } : { value }),
};

/** The methods of the protocol: each one checks its capability and its answer. */
export class LiveConnection extends CommonConnection implements AgentConnection {
  readonly protocolVersion = 1;

  constructor(rpc: AgentRpc, initialized: InitializeResult, options: LiveConnectionOptions) {
    super(rpc, initialized, options, shape);
  }

  /** No time limit, because the replay shows its progress. */
  loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    return this.reopen('load', 'session/load', target, { limits: { signal } });
  }

  resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    const limits = { signal, timeoutMs: this.setupTimeoutMs };
    return this.reopen('resume', 'session/resume', target, { limits });
  }

  async prompt(
    sessionId: string,
    blocks: readonly Block[],
    _inserted?: (messageId: string) => void,
    used?: (usage: TurnUsage) => void,
  ): Promise<string> {
    this.check('prompt', 'session/prompt');
    const params = { sessionId, prompt: promptParams(blocks, this.capabilities) };
    const result = await aboutSession(this.rpc.request('session/prompt', params));
    const usage = readTurnUsage(objectOrEmpty(result));
    if (usage !== undefined) {
      used?.(usage);
    }
    return readStopReason(result);
  }

  async steer(sessionId: string, blocks: readonly Block[]): Promise<SteeringOutcome> {
    const prompt = promptParams(blocks, this.capabilities);
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const params = { sessionId, prompt, _meta };
    const result = this.call('steering', '_session/steering', params, this.limits);
    return readSteeringOutcome(await aboutSession(result));
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    const params = { sessionId, modeId };
    await aboutSession(this.rpc.request('session/set_mode', params, this.limits));
  }

  async setModel(sessionId: string, modelId: string): Promise<void> {
    const params = { sessionId, modelId };
    await aboutSession(this.rpc.request('session/set_model', params, this.limits));
  }
}

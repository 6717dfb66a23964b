import {
  type ContentBlock,
  type PromptRequest,
  RequestError,
} from '@agentclientprotocol/sdk/unstable';

const outcomes = ['injected', 'startedNewTurn', 'promptRequired', 'failed'] as const;

/** The answers to `_session/steering` that agents give. */
export type SteeringOutcome = (typeof outcomes)[number];

export function isSteeringOutcome(text: string): text is SteeringOutcome {
  return outcomes.some((outcome) => outcome === text);
}

/** The prompts of a session that were sent into its running turn. */
export class SteeringPrompts {
  /** How the next one is answered while a turn runs. */
  outcome: SteeringOutcome = 'injected';
  /** Whether one was answered since the turn began. */
  isAnswered = false;
  readonly #waiting: (readonly ContentBlock[])[] = [];

  add(prompt: readonly ContentBlock[]): void {
    this.#waiting.push(prompt);
  }

  /** The prompts that weren't taken yet, oldest first. */
  take(): readonly (readonly ContentBlock[])[] {
    return this.#waiting.splice(0);
  }
}

/** Parses the parameters of `_session/steering`, which the SDK doesn't know. */
export function steeringParams(params: unknown): PromptRequest {
  const { sessionId, prompt } = (params ?? {}) as Partial<PromptRequest>;
  if (typeof sessionId !== 'string' || !Array.isArray(prompt)) {
    throw new RequestError(-32602, 'A session and a prompt are needed');
  }
  return { sessionId, prompt };
}

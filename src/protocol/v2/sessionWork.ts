import type { TurnUsage } from '../../shared/transcript/entries';
import { asString, isObject } from '../../util/json';
import type { SteeringOutcome } from '../agentConnection';
import { boundedTitle } from '../bounds';
import { AcpError, cancelledCode, workFailed } from '../errors';
import { fromRpcError } from '../rpc/rpcErrors';
import type { SessionActivity } from '../updates';
import { SentPrompt, type WorkEnd } from './sentPrompt';

/** What the agent works on in one session, and which prompts wait for the end of it (V2-TURN-1 to V2-TURN-16). */
export class SessionWork {
  readonly #graceMs: number;
  readonly #sent = new Set<SentPrompt>();
  /** The activity as last reported; absent before the first report. */
  #activity: SessionActivity | undefined;

  /** `graceMs`: see `SentPrompt`. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get isPrompted(): boolean {
    return this.#sent.size > 0;
  }

  /** The agent says that it does nothing, and no prompt waits, so there is nothing to cancel. */
  get isAtRest(): boolean {
    return !this.isPrompted && this.#activity?.state === 'idle';
  }

  get #isBusy(): boolean {
    return this.#activity !== undefined && this.#activity.state !== 'idle';
  }

  /** The agent says what it does. */
  noteActivity(activity: SessionActivity): void {
    const before = this.#activity;
    this.#activity = activity;
    if (this.#isBusy) {
      for (const prompt of this.#sent) {
        prompt.noteWork();
      }
      return;
    }
    const mayBeRepeated = before?.state === 'idle' && before.stopReason === activity.stopReason;
    for (const prompt of this.#sent) {
      prompt.noteIdle({ end: endIn(activity), mayBeRepeated });
    }
  }

  /** A message of the user has come, or a part of one. */
  noteMessage(messageId: string | undefined): void {
    if (messageId !== undefined) {
      for (const prompt of this.#sent) {
        prompt.noteMessage(messageId);
      }
    }
  }

  /** `answer` is that to `session/prompt`. Resolves with the reason for which the work ended that took the prompt. */
  async prompt(answer: Promise<unknown>, used?: (usage: TurnUsage) => void): Promise<string> {
    const prompt = this.#begin();
    answer.then(
      (result) => this.#answered(prompt, result),
      (error: unknown) => prompt.settle(endOfRefused(error)),
    );
    try {
      const end = await prompt.done;
      if ('error' in end) {
        throw end.error;
      }
      if (end.usage !== undefined) {
        used?.(end.usage);
      }
      return end.stopReason ?? (prompt.isCancelled ? 'cancelled' : 'end_turn');
    } finally {
      this.#sent.delete(prompt);
    }
  }

  /** Sends a prompt for the running work; resolves once the agent has inserted it (V2-TURN-16). */
  async steer(send: () => Promise<unknown>): Promise<SteeringOutcome> {
    if (!this.isPrompted && !this.#isBusy) {
      return 'promptRequired';
    }
    const prompt = this.#begin();
    const settled = prompt.done.then((end): never => {
      throw 'error' in end ? end.error : new AcpError('cancelled', 'The session was closed');
    });
    try {
      const result = await Promise.race([send(), settled]);
      return prompt.isLater(messageIdIn(result)) ? 'startedNewTurn' : 'injected';
    } finally {
      this.#sent.delete(prompt);
    }
  }

  /** The work is being canceled: an `idle` without a reason is the end of that. */
  cancelling(): void {
    for (const prompt of this.#sent) {
      prompt.isCancelled = true;
    }
  }

  /** Ends whatever waits. */
  settle(end: WorkEnd): void {
    for (const prompt of this.#sent) {
      prompt.settle(end);
    }
  }

  #begin(): SentPrompt {
    const prompt = new SentPrompt(this.#isBusy, this.#graceMs);
    this.#sent.add(prompt);
    return prompt;
  }

  /** An agent that answers as in version 1 ends the turn with its answer (T-48). */
  #answered(prompt: SentPrompt, result: unknown): void {
    const messageId = messageIdIn(result);
    const stopReason = isObject(result) ? asString(result['stopReason']) : undefined;
    if (stopReason && (messageId === undefined || this.#activity === undefined)) {
      prompt.settle({ stopReason: boundedTitle(stopReason) });
    } else {
      prompt.inserted(messageId);
    }
  }
}

function endIn({ stopReason, error, usage }: SessionActivity): WorkEnd | undefined {
  if (stopReason !== 'error') {
    return stopReason === undefined ? undefined : { stopReason, ...(usage && { usage }) };
  }
  if (error === undefined) {
    return { error: new AcpError('rpc', 'The agent’s work failed') };
  }
  const said = error.code === undefined ? undefined : fromRpcError({ ...error, code: error.code });
  // Any other code is about what the agent asked others for.
  return { error: said?.code === 'authRequired' ? said : workFailed(error) };
}

/** A prompt that is canceled before it was inserted has not failed (V2-CLOSE-2, V2-TURN-15). */
function endOfRefused(error: unknown): WorkEnd {
  if (!(error instanceof AcpError)) {
    return { error: new AcpError('rpc', String(error), {}, { cause: error }) };
  }
  return error.facts.rpcCode === cancelledCode ? { stopReason: 'cancelled' } : { error };
}

export function messageIdIn(result: unknown): string | undefined {
  return (isObject(result) && asString(result['messageId'])) || undefined;
}

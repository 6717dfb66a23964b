import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackgroundWork } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type {
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  SendRequestOptions,
  StopReason,
  ToolCallContent,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import type { OpenSession } from '../sessions/openSession';
import type { DemoCapabilities, DemoClient, PermissionQuestion } from '../vocabulary/client';
import { endingOf } from '../vocabulary/errors';
import { ownedBy, type UpdateOwner } from '../vocabulary/updateOwner';
import type { DemoToolContent, DemoToolUpdate, DemoUpdate, Ending } from '../vocabulary/updates';

/** The script of a command; the turn ends with `end_turn` unless it returns another stop reason. */
export type Script = (turn: DemoTurn, argument: string) => Promise<StopReason | undefined>;

/** Parameters of a new tool call. Paths are relative to the session's folder. */
export interface ToolStart {
  readonly title: string;
  readonly kind: ToolKind;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: readonly DemoToolContent[];
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
}

interface TurnContext {
  readonly session: OpenSession;
  readonly client: DemoClient;
  readonly prompt: readonly ContentBlock[];
  /** Multiplies every pause; 0 removes them. */
  readonly pace: number;
  readonly signal: AbortSignal;
  /** Set for a subagent. */
  readonly owner?: UpdateOwner;
  /** Set for a turn that no prompt has begun: begins it with the first update. */
  readonly begin?: () => Promise<void>;
  /** Whether it goes on beside the turns of the session. */
  readonly isBeside?: boolean;
}

const wordsPerChunk = 4;

/**
 * A turn, as the scripts use it: its prompt and the means to answer it. The methods that send or
 * wait throw once the turn is canceled.
 */
export class DemoTurn {
  /** Distinguishes this turn's tool calls from those of others. */
  readonly id = randomUUID();
  readonly session: OpenSession;
  readonly client: DemoClient;
  readonly prompt: readonly ContentBlock[];
  readonly signal: AbortSignal;
  readonly #pace: number;
  readonly #context: TurnContext;

  constructor(context: TurnContext) {
    this.#context = context;
    this.session = context.session;
    this.client = context.client;
    this.prompt = context.prompt;
    this.signal = context.signal;
    this.#pace = context.pace;
  }

  /** That of the subagent, if it has a session of its own. */
  get sessionId(): string {
    const { owner } = this.#context;
    return owner !== undefined && 'session' in owner ? owner.session : this.session.meta.sessionId;
  }

  get capabilities(): DemoCapabilities {
    return this.client.capabilities;
  }

  /** The same turn, as a subagent in it speaks and acts; `signal` ends it alone. */
  subagent(owner: UpdateOwner, signal: AbortSignal): DemoTurn {
    return new DemoTurn({
      ...this.#context,
      owner,
      signal: AbortSignal.any([this.signal, signal]),
    });
  }

  /** Options for requests to the client: a canceled turn doesn't wait for the response. */
  get cancellable(): SendRequestOptions {
    return { cancellationSignal: this.signal, stopWaitingOnCancel: true };
  }

  /** The absolute path of a file in the session's folder. */
  path(relative: string): string {
    return path.join(this.session.meta.cwd, ...relative.split('/'));
  }

  async send(...updates: readonly DemoUpdate[]): Promise<void> {
    this.signal.throwIfAborted();
    const { owner, begin } = this.#context;
    await begin?.();
    await this.session.send(
      ...updates.map((update) => (owner === undefined ? update : ownedBy(update, owner))),
    );
  }

  /** A pause in milliseconds, scaled by the agent's pace. */
  paced(milliseconds: number): number {
    return Math.round(milliseconds * this.#pace);
  }

  async wait(milliseconds: number): Promise<void> {
    await this.#pause(milliseconds);
    if (this.#context.owner === undefined) {
      await this.answerSteering();
    }
  }

  /** Answers the prompts that were sent into the turn meanwhile. */
  async answerSteering(): Promise<void> {
    for (const prompt of this.session.steering.take()) {
      this.session.steering.isAnswered = true;
      const text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
      await this.say(`I take that into account: ${text}`);
    }
  }

  /** Asks the user; a turn that waits for nothing else says so. */
  ask(question: PermissionQuestion): Promise<string | undefined> {
    return this.#waiting(() => this.client.ask(question, this.cancellable));
  }

  elicit(request: CreateElicitationRequest): Promise<CreateElicitationResponse> {
    return this.#waiting(() => this.client.elicit(request, this.cancellable));
  }

  /** Something goes on beside the session's turns, if this isn't one itself, until the returned function is called. */
  beside(work: BackgroundWork): () => void {
    return this.#context.isBeside ? this.session.activity.beside(work) : () => undefined;
  }

  /** Goes on with something after the turn, which no prompt waits for: a turn of its own from its first update on. */
  later(work: (turn: DemoTurn) => Promise<void>, isDetached = false): void {
    const { activity } = this.session;
    this.session.work(async (signal) => {
      let begun: Promise<void> | undefined;
      const begin = (): Promise<void> => (begun ??= activity.begin());
      let ending: Ending = { stopReason: 'end_turn' };
      try {
        await work(new DemoTurn({ ...this.#context, signal, begin }));
      } catch (error) {
        ending = endingOf(error, signal);
      }
      if (begun !== undefined) {
        await begun;
        await activity.end(ending);
      }
    }, isDetached);
  }

  /** Goes on with something beside the turns of the session, which doesn't make it busy. */
  alongside(work: (turn: DemoTurn) => Promise<void>): void {
    const { activity } = this.session;
    this.session.work(async (signal) => {
      await work(new DemoTurn({ ...this.#context, signal, isBeside: true }));
      await activity.tell();
    }, this.capabilities.ownWork);
  }

  /** Sends a message in chunks of a few words. */
  async say(text: string): Promise<void> {
    await this.#stream('agent_message_chunk', text);
  }

  /** Says what the client couldn't show, if it couldn't. */
  async excuse(text: string): Promise<void> {
    if (!this.capabilities.ownWork) {
      await this.say(text);
    }
  }

  /** Sends thoughts, each as a separate message, as many as the session's settings allow. */
  async think(...thoughts: readonly string[]): Promise<void> {
    const { model, thinking } = this.session.meta.settings;
    const shown = model === 'fern' || thinking === 'off' ? 0 : thinking === 'brief' ? 1 : Infinity;
    for (const thought of thoughts.slice(0, shown)) {
      await this.#stream('agent_thought_chunk', thought);
    }
  }

  /** Sends a message that consists of a single block. */
  async show(content: ContentBlock): Promise<void> {
    await this.send({ sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content });
  }

  /** Announces a tool call as pending; `ToolRun.start` sets it in progress (TO-12). */
  async tool(start: ToolStart): Promise<ToolRun> {
    const toolCallId = randomUUID();
    await this.send({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: start.title,
      kind: start.kind,
      status: 'pending',
      ...(start.name !== undefined && { name: start.name }),
      ...(start.content !== undefined && { content: start.content }),
      ...(start.input !== undefined && { rawInput: start.input }),
      ...(start.locations !== undefined && {
        locations: start.locations.map((at) => ({ ...at, path: this.path(at.path) })),
      }),
    });
    return new ToolRun(this, toolCallId, start);
  }

  #waiting<T>(answer: () => Promise<T>): Promise<T> {
    const { owner, isBeside } = this.#context;
    return owner === undefined && !isBeside ? this.session.activity.waiting(answer) : answer();
  }

  async #pause(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#pace > 0) {
      await delay(this.paced(milliseconds), undefined, { signal: this.signal });
    }
  }

  async #stream(
    sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
    text: string,
  ): Promise<void> {
    const messageId = randomUUID();
    const words = text.match(/\s*\S+\s*/g) ?? [text];
    for (let at = 0; at < words.length; at += wordsPerChunk) {
      const chunk = words.slice(at, at + wordsPerChunk).join('');
      await this.send({ sessionUpdate, messageId, content: { type: 'text', text: chunk } });
      await this.#pause(35);
    }
  }
}

/** A tool call that has been announced. */
export class ToolRun {
  readonly id: string;
  /** As it was announced. */
  readonly announced: ToolStart;
  readonly #turn: DemoTurn;
  #content: readonly DemoToolContent[];

  constructor(turn: DemoTurn, id: string, start: ToolStart) {
    this.#turn = turn;
    this.id = id;
    this.announced = start;
    this.#content = start.content ?? [];
  }

  async update(change: Omit<DemoToolUpdate, 'toolCallId'>): Promise<void> {
    if (change.content !== undefined) {
      this.#content = change.content ?? [];
    }
    await this.#turn.send({ sessionUpdate: 'tool_call_update', toolCallId: this.id, ...change });
  }

  /** Tells one more piece of the call's content. */
  async add(content: DemoToolContent): Promise<void> {
    const before = this.#content;
    this.#content = [...before, content];
    await this.#turn.send({
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: this.id,
      before,
      content,
    });
  }

  async start(): Promise<void> {
    await this.#turn.wait(150);
    await this.update({ status: 'in_progress' });
    await this.#turn.wait(500);
  }

  async complete(change: Omit<DemoToolUpdate, 'toolCallId' | 'status'> = {}): Promise<void> {
    await this.update({ status: 'completed', ...change });
  }

  async fail(reason: string): Promise<void> {
    await this.update({ status: 'failed', content: [textContent(reason)] });
  }
}

/** Text as a tool call's content. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  SendRequestOptions,
  SessionUpdate,
  StopReason,
  ToolCallContent,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import type { OpenSession } from './openSession';

/** What a script does with a prompt; it ends the turn with `end_turn` unless it says otherwise. */
export type Script = (turn: Turn, argument: string) => Promise<StopReason | undefined>;

/** A new tool call, as a script asks for it. Paths are relative to the session's folder. */
export interface ToolStart {
  readonly title: string;
  readonly kind: ToolKind;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: ToolCallContent[];
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
}

interface TurnContext {
  readonly session: OpenSession;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly prompt: readonly ContentBlock[];
  /** Multiplies every pause; 0 for none. */
  readonly pace: number;
  readonly signal: AbortSignal;
}

const wordsPerChunk = 4;

/** One prompt and what answers it: what the scripts work with. Every method throws once cancelled. */
export class Turn {
  /** Sets this turn's tool calls apart from those of others. */
  readonly id = randomUUID();
  readonly session: OpenSession;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly prompt: readonly ContentBlock[];
  readonly signal: AbortSignal;
  readonly #pace: number;

  constructor(context: TurnContext) {
    this.session = context.session;
    this.client = context.client;
    this.capabilities = context.capabilities;
    this.prompt = context.prompt;
    this.signal = context.signal;
    this.#pace = context.pace;
  }

  get sessionId(): string {
    return this.session.meta.sessionId;
  }

  /** For requests to the client: a cancelled turn doesn't wait for their answers. */
  get cancellable(): SendRequestOptions {
    return { cancellationSignal: this.signal, stopWaitingOnCancel: true };
  }

  /** The absolute path of a file of the session's folder. */
  path(relative: string): string {
    return path.join(this.session.meta.cwd, ...relative.split('/'));
  }

  async send(...updates: readonly SessionUpdate[]): Promise<void> {
    this.signal.throwIfAborted();
    await this.session.send(...updates);
  }

  /** A pause at this agent's pace. */
  paced(milliseconds: number): number {
    return Math.round(milliseconds * this.#pace);
  }

  async wait(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#pace > 0) {
      await delay(this.paced(milliseconds), undefined, { signal: this.signal });
    }
  }

  /** One message of the agent's, in chunks of a few words. */
  async say(text: string): Promise<void> {
    await this.#stream('agent_message_chunk', text);
  }

  /** Thoughts, as many as the session's settings want to see, each a message of its own. */
  async think(...thoughts: readonly string[]): Promise<void> {
    const { model, thinking } = this.session.meta.settings;
    const shown = model === 'fern' || thinking === 'off' ? 0 : thinking === 'brief' ? 1 : Infinity;
    for (const thought of thoughts.slice(0, shown)) {
      await this.#stream('agent_thought_chunk', thought);
    }
  }

  /** A message that is one block of any type. */
  async show(content: ContentBlock): Promise<void> {
    await this.send({ sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content });
  }

  /** Announces a tool call, then sets it going (TO-12). */
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
    return new ToolRun(this, toolCallId);
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
      await this.wait(35);
    }
  }
}

/** A tool call that was announced. */
export class ToolRun {
  readonly id: string;
  readonly #turn: Turn;

  constructor(turn: Turn, id: string) {
    this.#turn = turn;
    this.id = id;
  }

  async update(change: Omit<ToolCallUpdate, 'toolCallId'>): Promise<void> {
    await this.#turn.send({ sessionUpdate: 'tool_call_update', toolCallId: this.id, ...change });
  }

  async start(): Promise<void> {
    await this.#turn.wait(150);
    await this.update({ status: 'in_progress' });
    await this.#turn.wait(500);
  }

  async complete(change: Omit<ToolCallUpdate, 'toolCallId' | 'status'> = {}): Promise<void> {
    await this.update({ status: 'completed', ...change });
  }

  async fail(reason: string): Promise<void> {
    await this.update({ status: 'failed', content: [textContent(reason)] });
  }
}

/** Text as the content of a tool call. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

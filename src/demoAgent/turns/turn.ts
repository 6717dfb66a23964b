import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ContentBlock,
  CreateElicitationResponse,
  ElicitationSchema,
  PermissionOption,
  ToolCallContent,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import type { Client } from '../protocol/client';
import type { OpenSession } from '../sessions/openSession';
import {
  type DemoToolContent,
  type DemoToolUpdate,
  type DemoUpdate,
  ownedBy,
} from '../vocabulary/demoUpdates';
import { getMessage } from '../vocabulary/requestErrors';
import type { Json } from '../wire/message';

/** What a command does, step by step. Whoever runs it may end it after any of them. */
export type Steps = Iterable<Step>;

export type Step =
  /** A message, in chunks of a few words. */
  | { readonly say: string }
  /** Thoughts, each a message of its own, as many as the session's settings allow. */
  | { readonly think: readonly string[] }
  | { readonly updates: readonly DemoUpdate[] }
  /** A pause in milliseconds, at the agent's pace. */
  | { readonly wait: number }
  | CallStep
  /** Another title for the call that runs. */
  | { readonly retitle: string }
  | FormStep
  /** Subagents that work side by side. */
  | { readonly subagents: readonly Subagent[] }
  /** What can't be said before: the further steps follow from what it finds. */
  | { readonly act: (turn: DemoTurn) => Promise<Steps> };

/** A tool call. Paths of locations are relative to the session's folder. */
export interface ToolStart {
  readonly title: string;
  readonly kind: ToolKind;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: readonly DemoToolContent[];
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
}

interface CallStep {
  readonly call: ToolStart;
  /** What a permanent answer to the question about this call counts for; nothing is asked without it. */
  readonly asks?: string;
  /** The steps while it runs. */
  readonly during?: Steps;
  readonly output?: string;
  /** The steps after a call that was allowed, and after one that wasn't. */
  readonly then?: Steps;
  readonly refused?: Steps;
}

interface FormStep {
  readonly form: ElicitationSchema;
  readonly message: string;
  readonly answered: (response: CreateElicitationResponse) => Steps;
}

/** A subagent has a session of its own. */
export interface Subagent {
  readonly title: string;
  readonly task: string;
  readonly steps: Steps;
}

interface TurnContext {
  readonly session: OpenSession;
  readonly client: Client;
  readonly prompt: readonly ContentBlock[];
  /** Multiplies every pause; 0 removes them. */
  readonly pace: number;
  readonly signal: AbortSignal;
  /** The session of the subagent whose part of the turn this is. */
  readonly subagent?: string;
}

/** Changes the call that runs. */
export type ChangeCall = (change: Omit<DemoToolUpdate, 'toolCallId'>) => Promise<void>;

const wordsPerChunk = 4;

const options: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'never', name: 'Never in this session', kind: 'reject_always' },
];

/** Runs the steps of a prompt. What sends or waits throws once the turn is canceled. */
export class DemoTurn {
  /** Distinguishes this turn's tool calls from those of others. */
  readonly id = randomUUID();
  readonly session: OpenSession;
  readonly client: Client;
  readonly prompt: readonly ContentBlock[];
  readonly signal: AbortSignal;
  readonly #context: TurnContext;
  #hasAnswered = false;

  constructor(context: TurnContext) {
    this.#context = context;
    this.session = context.session;
    this.client = context.client;
    this.prompt = context.prompt;
    this.signal = context.signal;
  }

  /** The id of the session, or of the subagent if this is the turn of one. */
  get sessionId(): string {
    return this.#context.subagent ?? this.session.meta.sessionId;
  }

  /** Whether a prompt that was sent into the turn was answered. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The absolute path of a file in the session's folder. */
  path(relative: string): string {
    return path.join(this.session.meta.cwd, ...relative.split('/'));
  }

  async run(steps: Steps, change?: ChangeCall): Promise<void> {
    for (const step of steps) {
      await this.#step(step, change);
    }
  }

  async send(...updates: readonly DemoUpdate[]): Promise<void> {
    this.signal.throwIfAborted();
    const { subagent } = this.#context;
    await this.session.send(
      ...updates.map((update) => (subagent === undefined ? update : ownedBy(update, subagent))),
    );
  }

  say(text: string): Promise<void> {
    return this.#stream('agent_message_chunk', text);
  }

  /** Answers the prompts that were sent into the turn meanwhile. */
  async answerInjected(): Promise<void> {
    for (const prompt of this.session.injected.splice(0)) {
      this.#hasAnswered = true;
      const text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
      await this.say(`I take that into account: ${text}`);
    }
  }

  /**
   * Announces a call as pending, asks whether it may be made if `asks` says for what a permanent answer counts, and makes
   * it (TO-12). Resolves to whether it was allowed; a call that throws has failed.
   */
  async call(
    start: ToolStart,
    asks: string | undefined,
    make: (change: ChangeCall) => Promise<void>,
  ): Promise<boolean> {
    const toolCallId = randomUUID();
    const change: ChangeCall = (parts) =>
      this.send({ sessionUpdate: 'tool_call_update', toolCallId, ...parts });
    await this.send(announced(start, toolCallId, (file) => this.path(file)));
    if (asks !== undefined && !(await this.#isAllowed(start, toolCallId, asks))) {
      await change({ status: 'failed', content: [textContent('Not allowed')] });
      return false;
    }
    await this.#wait(150);
    await change({ status: 'in_progress' });
    await this.#wait(500);
    try {
      await make(change);
      await change({ status: 'completed' });
    } catch (error) {
      this.signal.throwIfAborted();
      await change({ status: 'failed', content: [textContent(getMessage(error))] });
      throw error;
    }
    return true;
  }

  async #step(step: Step, change: ChangeCall | undefined): Promise<void> {
    if ('say' in step) {
      await this.say(step.say);
    } else if ('think' in step) {
      await this.#think(step.think);
    } else if ('updates' in step) {
      await this.send(...step.updates);
    } else if ('wait' in step) {
      await this.#wait(step.wait);
    } else if ('retitle' in step) {
      await change?.({ title: step.retitle });
    } else if ('subagents' in step) {
      await Promise.all(step.subagents.map((subagent) => this.#runSubagent(subagent)));
    } else if ('act' in step) {
      await this.run(await step.act(this));
    } else if ('form' in step) {
      const { form: requestedSchema, message, answered } = step;
      const request = {
        mode: 'form',
        sessionId: this.sessionId,
        message,
        requestedSchema,
      } as const;
      const response = await this.#waiting(() => this.client.elicit(request, this.signal));
      await this.run(answered(response));
    } else {
      const { call, asks, during = [], output, then = [], refused = [] } = step;
      const isAllowed = await this.call(call, asks, async (running) => {
        await this.run(during, running);
        if (output !== undefined) {
          await running({ content: [textContent(output)] });
        }
      });
      await this.run(isAllowed ? then : refused);
    }
  }

  /** Runs a subagent to its end; one that is canceled alone ends without an error. */
  async #runSubagent({ title, task, steps }: Subagent): Promise<void> {
    const sessionId = randomUUID();
    const cancel = new AbortController();
    const { subagents, meta } = this.session;
    subagents.set(sessionId, cancel);
    const isOver = (stopReason: 'end_turn' | 'cancelled'): Promise<void> =>
      this.send({
        sessionUpdate: 'subagent_update',
        sessionId,
        state: { state: 'idle', stopReason },
      });
    await this.send({
      sessionUpdate: 'subagent_update',
      sessionId,
      title,
      description: task,
      capabilities: { cancel: {} },
      state: { state: 'running' },
    });
    const signal = AbortSignal.any([this.signal, cancel.signal]);
    const child = new DemoTurn({ ...this.#context, subagent: sessionId, signal });
    try {
      await child.send({
        sessionUpdate: 'session_message',
        messageId: randomUUID(),
        senderSessionId: this.#context.subagent ?? meta.sessionId,
        recipientSessionId: sessionId,
        content: [{ type: 'text', text: task }],
      });
      await child.run(steps);
      await isOver('end_turn');
    } catch (error) {
      if (!cancel.signal.aborted || this.signal.aborted) {
        throw error;
      }
      await isOver('cancelled');
    } finally {
      subagents.delete(sessionId);
    }
  }

  /**
   * Asks whether a call may proceed, unless the user has given a permanent answer before. Anything but one of the
   * offered "allow" options counts as a refusal (PE-3, PE-7).
   */
  async #isAllowed({ title, kind }: ToolStart, toolCallId: string, asks: string): Promise<boolean> {
    const { answers, meta } = this.session;
    const answered = answers.get(asks);
    if (answered !== undefined) {
      return answered;
    }
    const question = {
      sessionId: this.sessionId,
      title: kind === 'execute' ? 'Run this command?' : `Go on with “${title}”?`,
      description: 'I only do it if you allow it.',
      toolCallId,
      ...(kind === 'execute' && { command: { command: title, cwd: meta.cwd } }),
      options,
    };
    const answer = await this.#waiting(() => this.client.ask(question, this.signal));
    const chosen = options.find(({ optionId }) => optionId === answer)?.kind;
    const isAllowed = chosen === 'allow_once' || chosen === 'allow_always';
    if (chosen === 'allow_always' || chosen === 'reject_always') {
      answers.set(asks, isAllowed);
    }
    return isAllowed;
  }

  /** Asks the user with a method that only some agents have; `undefined` if the client doesn't know it. */
  askOwn(method: string, params: Json): Promise<Json | undefined> {
    return this.#waiting(() => this.client.askOwn(method, params, this.signal));
  }

  /** Waits for the user; the whole session does so unless a subagent asks. */
  #waiting<T>(answer: () => Promise<T>): Promise<T> {
    return this.#context.subagent === undefined ? this.session.waiting(answer) : answer();
  }

  async #wait(milliseconds: number): Promise<void> {
    await this.#pause(milliseconds);
    if (this.#context.subagent === undefined) {
      await this.answerInjected();
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { pace } = this.#context;
    this.signal.throwIfAborted();
    if (pace > 0) {
      await delay(Math.round(milliseconds * pace), undefined, { signal: this.signal });
    }
  }

  async #think(thoughts: readonly string[]): Promise<void> {
    const { model, thinking } = this.session.meta.settings;
    const shown = model === 'fern' || thinking === 'off' ? 0 : thinking === 'brief' ? 1 : Infinity;
    for (const thought of thoughts.slice(0, shown)) {
      await this.#stream('agent_thought_chunk', thought);
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

function announced(
  { title, kind, name, input, content, locations }: ToolStart,
  toolCallId: string,
  getPath: (file: string) => string,
): DemoUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    kind,
    status: 'pending',
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
    ...(input !== undefined && { rawInput: input }),
    ...(locations && { locations: locations.map((at) => ({ ...at, path: getPath(at.path) })) }),
  };
}

/** Text as a tool call's content. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

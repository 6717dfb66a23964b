import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { cancelledCode, internalError } from '../../../protocol/errors';
import { TraceError } from '../../../protocol/trace/traceError';
import { traceLimits } from '../../../protocol/trace/traceFormat';
import { getChunks, getLines } from '../../../protocol/trace/traceLines';
import type { ListedSession } from '../../../protocol/trace/traceReader';
import { asString, isObject, type JsonObject, parseJson } from '../../../util/json';
import type { OpenedTrace } from '../model/openedTrace';
import { ReplayedOptions } from './replayedOptions';
import { ReplayedUpdates } from './replayedUpdates';

/** Requests that can be answered are small. */
const maxRequestBytes = 1024 * 1024;
const unsupportedCode = -32601;

/**
 * An agent that answers from a trace: it lists the sessions of the trace, and loads them by replaying their updates.
 * Everything else is refused, and what the recorded agent asked its client for is never asked again.
 */
export class ReplayAgent {
  readonly #opened: OpenedTrace;
  readonly #folder: string;
  readonly #output: Writable;
  /** The loads under way, by the ids of their requests. */
  readonly #loads = new Map<unknown, AbortController>();

  /**
   * `folder`: an existing one that all sessions are said to be in. Those that they were recorded in are only shown: they
   * may be another machine's, or made up.
   */
  constructor(opened: OpenedTrace, folder: string, output: Writable) {
    this.#opened = opened;
    this.#folder = folder;
    this.#output = output;
  }

  /** Answers the messages of a client until it sends no more. */
  async serve(input: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const lines of getLines(input, maxRequestBytes)) {
      for (const line of lines) {
        const message = parseJson(line);
        if (isObject(message)) {
          this.#receive(message);
        }
      }
    }
  }

  #receive({ id, method, params }: JsonObject): void {
    const given = isObject(params) ? params : {};
    if (id === undefined) {
      if (method === '$/cancel_request') {
        this.#loads.get(given['requestId'])?.abort();
      }
      return;
    }
    switch (method) {
      case 'initialize':
        this.#answer(id, { result: this.#initialized });
        break;
      case 'session/list':
        this.#answer(id, { result: this.#page(given) });
        break;
      case this.#version === 2 ? 'session/resume' : 'session/load':
        if (this.#version === 2 && !isObject(given['replayFrom'])) {
          this.#refuse(id, unsupportedCode, l10n.t('A trace can only be read.'));
        } else {
          void this.#load(id, asString(given['sessionId']) ?? '');
        }
        break;
      // Every agent of version 2 has it (V2-INIT-8).
      case this.#version === 2 && 'session/close':
        this.#answer(id, { result: {} });
        break;
      default:
        this.#refuse(id, unsupportedCode, l10n.t('A trace can only be read.'));
    }
  }

  /** The version that the trace was recorded in: it is replayed in the same. */
  get #version(): unknown {
    return this.#opened.trace.protocolVersion ?? 1;
  }

  get #initialized(): object {
    const _meta = { acpSessions: { readOnly: true } };
    if (this.#version === 2) {
      const info = { name: 'acp-sessions-trace', version: '1' };
      return { protocolVersion: 2, info, capabilities: { session: {}, _meta } };
    }
    return {
      protocolVersion: this.#version,
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { list: {} },
        _meta,
      },
    };
  }

  #page({ cwd, cursor }: JsonObject): object {
    const { pages } = this.#opened.trace;
    const at = Number(cursor ?? 0);
    if (cwd !== undefined && cwd !== this.#folder) {
      return { sessions: [] };
    }
    const sessions = pages[at]?.map((session) => toRow(session, this.#folder)) ?? [];
    return { sessions, ...(at + 1 < pages.length && { nextCursor: `${at + 1}` }) };
  }

  async #load(id: unknown, sessionId: string): Promise<void> {
    const lines = this.#opened.trace.lines.get(sessionId);
    if (lines === undefined) {
      const text = l10n.t('The trace has nothing of this session but its row in the list.');
      this.#refuse(id, internalError, text);
      return;
    }
    const canceled = new AbortController();
    this.#loads.set(id, canceled);
    try {
      const result = await this.#replay(sessionId, lines, canceled.signal);
      this.#answer(id, { result });
    } catch (error) {
      if (canceled.signal.aborted) {
        this.#refuse(id, cancelledCode, l10n.t('Canceled'));
      } else {
        const changed = l10n.t('The trace’s file has changed since it was opened.');
        const text = error instanceof TraceError ? changed : l10n.t('The trace can’t be read.');
        this.#refuse(id, internalError, text);
      }
    } finally {
      this.#loads.delete(id);
    }
  }

  /** Resolves with the answer to the load. */
  async #replay(
    sessionId: string,
    wanted: readonly number[],
    signal: AbortSignal,
  ): Promise<object> {
    const { file, trace } = this.#opened;
    const { bytes, lineBytes } = traceLimits;
    const answer = trace.options.get(sessionId) ?? -1;
    const options = new ReplayedOptions(sessionId);
    const replayed = new ReplayedUpdates(sessionId);
    let number = 0;
    let next = 0;
    for await (const lines of getLines(getChunks(file, bytes), lineBytes)) {
      let text = '';
      for (const line of lines) {
        if (number === answer) {
          options.takeAnswer(line);
        }
        if (number === wanted[next]) {
          next++;
          const updates = replayed.take(line, number) ?? changed();
          for (const update of updates) {
            options.takeUpdate(update);
          }
          text += messagesWith(updates);
        }
        number++;
      }
      await this.#send(text);
      // Others must have their turn, too.
      await setImmediate();
      signal.throwIfAborted();
      if (next === wanted.length && number > answer) {
        if (this.#version === 2) {
          // The answer alone doesn't say so (V2-RES-3).
          const update = { sessionUpdate: 'state_update', state: 'idle' };
          await this.#send(messagesWith([{ sessionId, update }]));
        }
        return options.result;
      }
    }
    return changed();
  }

  #answer(id: unknown, answer: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#answer(id, { error: { code, message } });
  }

  /** Resolves once there is room for more. */
  async #send(text: string): Promise<void> {
    if (!this.#output.write(text)) {
      await once(this.#output, 'drain');
    }
  }
}

function changed(): never {
  throw new TraceError('changed');
}

function messagesWith(updates: readonly object[]): string {
  const messages = updates.map((params) => ({ jsonrpc: '2.0', method: 'session/update', params }));
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function toRow(session: ListedSession, folder: string): object {
  const { sessionId, title, cwd, updatedAt = session.changedAt } = session;
  return {
    sessionId,
    cwd: folder,
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(cwd !== undefined && { _meta: { [l10n.t('Recorded in')]: cwd } }),
  };
}

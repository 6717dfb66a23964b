import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { type Deferred, deferred } from '../../util/async';
import { Emitter } from '../../util/emitter';
import { asString, isObject, type JsonObject, parseJson } from '../../util/json';
import type { Transport, TransportEnd } from '../agentTransport';
import { AcpError, cancelledCode } from '../errors';
import { LineSplitter } from '../rpc/lineSplitter';
import { ReplayedOptions } from '../trace/replayedOptions';
import { ReplayedUpdates } from '../trace/replayedUpdates';
import { TraceError } from '../trace/traceError';
import { type TraceLimits, traceLimits } from '../trace/traceFormat';
import { linesOf } from '../trace/traceLines';
import type { ListedSession, Trace } from '../trace/traceReader';

export interface ReplayOptions {
  readonly trace: Trace;
  /** The trace's file, which outlives the transport. */
  readonly file: Pick<FileHandle, 'read'>;
  /**
   * An existing folder that all sessions are said to be in. The ones that they were recorded in are only shown: they
   * may be another machine's, or made up.
   */
  readonly folder: string;
  readonly limits?: TraceLimits;
}

/** This client's own requests are small. */
const maxRequestBytes = 1024 * 1024;
const unsupportedCode = -32601;
const failedCode = -32603;

/**
 * An agent that answers from a trace: it lists the sessions of the trace, and loads them by replaying their updates.
 * Everything else is refused, and what the recorded agent asked its client for is never asked again.
 */
export function replayTrace(options: ReplayOptions): Transport {
  return new ReplayTransport(options);
}

class ReplayTransport implements Transport {
  readonly #options: ReplayOptions;
  readonly #data = new Emitter<Uint8Array>();
  readonly #end = new Emitter<TransportEnd>();
  readonly onData = this.#data.event;
  readonly onEnd = this.#end.event;
  readonly started = Promise.resolve();
  readonly #requests: LineSplitter;
  /** The loads under way, by the ids of their requests. */
  readonly #loads = new Map<unknown, AbortController>();
  #paused: Deferred<void> | undefined;
  #closed = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#requests = new LineSplitter({
      maxBytes: maxRequestBytes,
      onLine: (line) => {
        const message = parseJson(line);
        if (isObject(message)) {
          this.#receive(message);
        }
      },
      onOversize: () => undefined,
    });
  }

  write(bytes: string): Promise<void> {
    if (this.#closed) {
      return Promise.reject(new AcpError('cancelled', 'The trace was closed'));
    }
    this.#requests.push(Buffer.from(bytes));
    return Promise.resolve();
  }

  pause(): void {
    this.#paused ??= deferred();
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      for (const load of this.#loads.values()) {
        load.abort();
      }
      this.resume();
      this.#end.fire({});
    }
    return Promise.resolve();
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
    return this.#options.trace.protocolVersion ?? 1;
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
    const { trace, folder } = this.#options;
    const at = Number(cursor ?? 0);
    if (cwd !== undefined && cwd !== folder) {
      return { sessions: [] };
    }
    const sessions = trace.pages[at]?.map((session) => rowOf(session, folder)) ?? [];
    return { sessions, ...(at + 1 < trace.pages.length && { nextCursor: `${at + 1}` }) };
  }

  async #load(id: unknown, sessionId: string): Promise<void> {
    const lines = this.#options.trace.lines.get(sessionId);
    if (lines === undefined) {
      const text = l10n.t('The trace has nothing of this session but its row in the list.');
      this.#refuse(id, failedCode, text);
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
        this.#refuse(id, failedCode, text);
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
    const { file, trace, limits = traceLimits } = this.#options;
    const answer = trace.options.get(sessionId) ?? -1;
    const options = new ReplayedOptions(sessionId);
    const replayed = new ReplayedUpdates(sessionId);
    let number = 0;
    let next = 0;
    for await (const lines of linesOf(file, limits)) {
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
      this.#send(text);
      await this.#paused?.promise;
      // Others must have their turn, too.
      await setImmediate();
      signal.throwIfAborted();
      if (next === wanted.length && number > answer) {
        if (this.#version === 2) {
          // The answer alone doesn't say so (V2-RES-3).
          const update = { sessionUpdate: 'state_update', state: 'idle' };
          this.#send(messagesWith([{ sessionId, update }]));
        }
        return options.result;
      }
    }
    return changed();
  }

  #answer(id: unknown, answer: object): void {
    this.#send(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#answer(id, { error: { code, message } });
  }

  #send(text: string): void {
    // The reader may not expect an answer before its request was written.
    queueMicrotask(() => {
      if (!this.#closed && text !== '') {
        this.#data.fire(Buffer.from(text));
      }
    });
  }
}

function changed(): never {
  throw new TraceError('changed');
}

function messagesWith(updates: readonly object[]): string {
  const messages = updates.map((params) => ({ jsonrpc: '2.0', method: 'session/update', params }));
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function rowOf(session: ListedSession, folder: string): object {
  const { sessionId, title, cwd, updatedAt = session.changedAt } = session;
  return {
    sessionId,
    cwd: folder,
    ...(title !== undefined && { title }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(cwd !== undefined && { _meta: { [l10n.t('Recorded in')]: cwd } }),
  };
}

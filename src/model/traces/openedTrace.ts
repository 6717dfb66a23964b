import type { FileHandle } from 'node:fs/promises';
import type { Transport } from '../../protocol/agentTransport';
import { TraceError } from '../../protocol/trace/traceError';
import { traceLimits } from '../../protocol/trace/traceFormat';
import { readTrace, type Trace } from '../../protocol/trace/traceReader';
import { replayTrace } from '../../protocol/transport/replay';
import { openWithFacts } from '../files/regularFile';
import type { ProtocolChoice } from '../ports';

/** A trace that has been read; its file stays open until `close`, so it can't be replaced by another one. */
export class OpenedTrace {
  readonly #trace: Trace;
  readonly #file: FileHandle;

  private constructor(trace: Trace, file: FileHandle) {
    this.#trace = trace;
    this.#file = file;
  }

  /** Rejects if the file can't be read, or isn't a trace, and when `signal` aborts. */
  static async read(file: string, signal: AbortSignal): Promise<OpenedTrace> {
    const { handle, facts } = await openWithFacts(file);
    try {
      if (facts.size > traceLimits.bytes) {
        throw new TraceError('tooLarge');
      }
      return new OpenedTrace(await readTrace(handle, signal), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The version of the protocol that it is read in: the one in which it was recorded, if that is known here. */
  get protocol(): ProtocolChoice {
    return this.#trace.protocolVersion === 2 ? '2' : '1';
  }

  /** Number of lines that couldn't be used. */
  get unusable(): number {
    return this.#trace.unusable;
  }

  /** An agent that replays it, with all sessions in this folder. */
  replay(folder: string): Transport {
    return replayTrace({ trace: this.#trace, file: this.#file, folder });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

import { deferred } from '../../util/async';
import type { MessageDirection } from '../messageTap';
import { redacted } from '../rpc/redaction';
import {
  endLine,
  headerLine,
  messageLine,
  type TraceHeader,
  type TraceLimits,
  traceLimits,
} from './traceFormat';
import { traceRules } from './traceRules';

/** The file that a trace is written to. */
export interface TraceFile {
  /** Resolves when the text is written, rejects if it can't be. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Why a recording has ended: `full`: the trace has its largest size; `slow`: the disk took too long. */
export type TraceEnd =
  | { readonly kind: 'stopped' | 'full' | 'slow' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface RecorderOptions {
  readonly limits?: TraceLimits;
  /** UTF-16 units that may wait to be written; with more, the recording ends. */
  readonly maxWaiting?: number;
}

const defaultMaxWaiting = 64 * 1024 * 1024;
/** Room for the line that says why the trace ended. */
const endBytes = 200;

/**
 * Writes an agent's messages to a file, with secrets replaced. Nothing ever waits for the file: what can't be written
 * soon enough ends the recording.
 */
export class TraceRecorder {
  readonly #file: TraceFile;
  readonly #texts: TraceHeader['texts'];
  readonly #limits: TraceLimits;
  readonly #maxWaiting: number;
  readonly #start = performance.now();
  readonly #ended = deferred<TraceEnd>();
  #waiting: string[] = [];
  #waitingUnits = 0;
  #bytes = 0;
  #lines = 0;
  #messages = 0;
  #end: TraceEnd | undefined;
  #writing: Promise<void> | undefined;
  /** Why a line couldn't be written. */
  #failure: { readonly kind: 'failed'; readonly error: unknown } | undefined;

  constructor(file: TraceFile, header: TraceHeader, options: RecorderOptions = {}) {
    const { limits = traceLimits, maxWaiting = defaultMaxWaiting } = options;
    this.#file = file;
    this.#texts = header.texts;
    this.#limits = limits;
    this.#maxWaiting = maxWaiting;
    this.#add(headerLine(header));
  }

  /** Resolves with the reason once the recording has ended and the file is closed; never rejects. */
  get ended(): Promise<TraceEnd> {
    return this.#ended.promise;
  }

  /** Number of messages so far. */
  get messages(): number {
    return this.#messages;
  }

  /**
   * Takes the next message of the connection; `withoutHeld` removes the keys that the agent was given from a text.
   * Never throws.
   */
  take(
    direction: MessageDirection,
    message: object,
    withoutHeld: (text: string) => string = (text) => text,
  ): void {
    if (this.#end !== undefined) {
      return;
    }
    try {
      const written = redacted(message, traceRules(this.#texts, withoutHeld));
      const line = messageLine(this.#now, direction, written);
      const { bytes, lines, lineBytes } = this.#limits;
      const size = Buffer.byteLength(line);
      if (this.#bytes + size + endBytes > bytes || this.#lines + 2 > lines || size > lineBytes) {
        this.#finish({ kind: 'full' });
        return;
      }
      if (this.#waitingUnits + line.length + endBytes > this.#maxWaiting) {
        this.#finish({ kind: 'slow' });
        return;
      }
      this.#messages++;
      this.#add(line, size);
    } catch (error) {
      this.#finish({ kind: 'failed', error });
    }
  }

  /** Ends the recording; resolves when the file is closed. */
  async stop(): Promise<void> {
    this.#finish({ kind: 'stopped' });
    await this.#ended.promise;
  }

  get #now(): number {
    return performance.now() - this.#start;
  }

  #add(line: string, size = Buffer.byteLength(line)): void {
    this.#waiting.push(line);
    this.#waitingUnits += line.length;
    this.#bytes += size;
    this.#lines++;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    // Lines of the same moment are written together.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) {
        const text = this.#waiting.join('');
        this.#waiting = [];
        await this.#file.write(text);
        this.#waitingUnits -= text.length;
      }
    } catch (error) {
      this.#waiting = [];
      this.#failure ??= { kind: 'failed', error };
      this.#finish(this.#failure);
    }
    this.#writing = undefined;
  }

  #finish(end: TraceEnd): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = end;
    if (end.kind === 'full' || end.kind === 'slow') {
      this.#waiting.push(endLine(this.#now, end.kind));
      this.#writing ??= this.#write();
    }
    void this.#close(end);
  }

  async #close(end: TraceEnd): Promise<void> {
    await this.#writing;
    try {
      await this.#file.close();
    } catch (error) {
      this.#failure ??= { kind: 'failed', error };
    }
    this.#ended.resolve(this.#failure ?? end);
  }
}

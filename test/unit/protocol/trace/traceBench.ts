import { writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../../../../src/model/files/regularFile';
import type { MessageDirection } from '../../../../src/protocol/messageTap';
import {
  headerLine,
  messageLine,
  type TraceHeader,
  type TraceLimits,
} from '../../../../src/protocol/trace/traceFormat';
import { readTrace, type Trace } from '../../../../src/protocol/trace/traceReader';
import { temporaryFile } from '../../../support/temporary';

export const header: TraceHeader = {
  client: '1.2.3',
  agent: 'Gull',
  began: '2026-11-23T10:00:00.000Z',
  from: 'start',
  texts: 'kept',
};

/** A file that can be written at once, or as the test says. */
export class MemoryFile {
  text = '';
  isClosed = false;
  onWrite: (text: string) => Promise<void> = () => Promise.resolve();

  async write(text: string): Promise<void> {
    await this.onWrite(text);
    this.text += text;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  get lines(): readonly Record<string, unknown>[] {
    const lines = this.text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

const opened: FileHandle[] = [];
let files = 0;

/** An open file with this content, closed by `closeFiles`. */
export async function fileWith(content: string | Uint8Array): Promise<FileHandle> {
  const path = temporaryFile(`trace-${files++}.ndjson`);
  writeFileSync(path, content);
  const handle = await openRegularFile(path);
  opened.push(handle);
  return handle;
}

export async function closeFiles(): Promise<void> {
  await Promise.all(opened.splice(0).map((handle) => handle.close()));
}

export function read(file: FileHandle, limits?: TraceLimits): Promise<Trace> {
  return readTrace(file, new AbortController().signal, limits);
}

/** The lines of a trace, from messages. */
export class TraceText {
  text = headerLine(header);
  #ms = 0;
  #id = 0;

  line(direction: MessageDirection, message: object): this {
    return this.raw(messageLine(this.#ms++, direction, { jsonrpc: '2.0', ...message }));
  }

  raw(text: string): this {
    this.text += text;
    return this;
  }

  update(sessionId: string, update: object): this {
    return this.line('fromAgent', { method: 'session/update', params: { sessionId, update } });
  }

  says(sessionId: string, text: string, by: 'agent' | 'user' = 'agent'): this {
    const content = { type: 'text', text };
    return this.update(sessionId, { sessionUpdate: `${by}_message_chunk`, content });
  }

  asks(method: string, params: object): number {
    const id = this.#id++;
    this.line('toAgent', { id, method, params });
    return id;
  }

  answers(id: number, answer: { readonly result: unknown } | { readonly error: unknown }): this {
    return this.line('fromAgent', { id, ...answer });
  }

  /** A request with its answer; `between` adds what comes before the answer. */
  request(method: string, params: object, result: unknown, between?: (text: this) => void): this {
    const id = this.asks(method, params);
    between?.(this);
    return this.answers(id, { result });
  }
}

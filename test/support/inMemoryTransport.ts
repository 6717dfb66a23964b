import { Buffer } from 'node:buffer';
import type { Transport, TransportEnd } from '../../src/protocol/agentTransport';
import { AcpError } from '../../src/protocol/errors';
import { Emitter } from '../../src/util/emitter';

/** Two connected in-process transports: each receives what the other writes (TR-9). */
export function inMemoryTransports(): readonly [InMemoryTransport, InMemoryTransport] {
  const first = new InMemoryTransport();
  const second = new InMemoryTransport();
  first.peer = second;
  second.peer = first;
  return [first, second];
}

class InMemoryTransport implements Transport {
  readonly #data = new Emitter<Uint8Array>();
  readonly #end = new Emitter<TransportEnd>();
  readonly onData = this.#data.event;
  readonly onEnd = this.#end.event;
  readonly #queue: Uint8Array[] = [];
  #paused = false;
  #ended: TransportEnd | undefined;
  peer!: InMemoryTransport;

  write(bytes: string | Uint8Array): Promise<void> {
    if (this.#ended) {
      return Promise.reject(this.#ended.error ?? new AcpError('cancelled', 'It was closed'));
    }
    this.peer.#queue.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    queueMicrotask(() => this.peer.#deliver());
    return Promise.resolve();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    queueMicrotask(() => this.#deliver());
  }

  close(): Promise<void> {
    this.#finish({});
    this.peer.#finish({ error: new AcpError('exited', 'The other end was closed') });
    return Promise.resolve();
  }

  #deliver(): void {
    while (!this.#paused) {
      const bytes = this.#queue.shift();
      if (!bytes) {
        return;
      }
      this.#data.fire(bytes);
    }
  }

  #finish(end: TransportEnd): void {
    if (this.#ended) {
      return;
    }
    this.#ended = end;
    // As with a process, bytes written before the end still arrive.
    this.#paused = false;
    queueMicrotask(() => {
      this.#deliver();
      this.#end.fire(end);
    });
  }
}

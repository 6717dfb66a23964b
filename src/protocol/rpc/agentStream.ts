import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { byteSize } from '../../shared/byteSize';
import type { SessionUpdateEvent } from '../agentConnection';
import type { Transport, TransportEnd } from '../agentTransport';
import { AcpError } from '../errors';
import { defaultMaxMessageBytes, LineSplitter, type OversizeLine } from '../lineSplitter';
import type { MessageTap } from '../messageTap';
import { CallQueue } from './callQueue';
import { CountedLog, type ProtocolLog, shorten } from './countedLog';
import { type Message, type MessageId, parseBatch, parseMessage } from './envelope';
import type { MessageReader } from './messageReader';
import { redactedText, type TrafficLog } from './traffic';

/** Number of lines without a message after which the program isn't an agent (T-30). */
const maxNoise = 1000;
const noiseInFull = 50;
const maxNoiseLine = 300;
/** Secrets are looked for in so much of it: one that is cut wouldn't be known any more. */
const maxRedacted = 1000;
/** Maximum length of a line that is no message: as much as addresses to sign in at may need. */
const maxPrinted = 8192;
const printsPerSecond = 50;

/** Requests of the agent whose answers it hasn't taken yet; with more, reading pauses (SDK-15). */
const maxOpenRequests = 1000;

/** Requests of the agent that are handled at a time; no agent needs more. */
const maxServed = 256;
const tooMany = { code: -32603, message: `More than ${maxServed} requests at once` };

export interface AgentStreamOptions {
  readonly reader: MessageReader;
  readonly log: ProtocolLog;
  readonly traffic?: TrafficLog | undefined;
  readonly tap?: MessageTap | undefined;
  /** Default 32 MiB. */
  readonly maxMessageBytes?: number | undefined;
  onUpdate(event: SessionUpdateEvent): void;
  /** Called with the result of `initialize` before any later message is looked at. */
  onInitialized?(result: unknown): void;
  /** The agent says that its list of sessions has changed; it may say so at any rate. */
  onListChanged(): void;
  /** Removes all secrets from a text of the agent that is logged or quoted. */
  redact(text: string): string;
  /** Removes only what settings and sign-ins hold. */
  withoutHeld(text: string): string;
  /** Called at most once, with the first line that contains words, without secrets, if it precedes all messages. */
  onNoise(line: string): void;
  /** Called with a line that is no message, as it came: bounded in length and rate. */
  onPrint(line: string): void;
  /** Called once, after the last update; requests that are pending then reject with this reason. */
  onEnd(end: TransportEnd): void;
}

/**
 * Stands between a transport and the SDK (SDK-19). It takes `session/update` out of the stream and delivers it,
 * normalized, before it looks at any later message; keeps noise, unknown answers and lines over the size limit from the
 * SDK; and passes on the rest.
 */
export class AgentStream {
  /** What the SDK reads and writes. */
  readonly sdk: Stream;
  readonly #transport: Transport;
  readonly #options: AgentStreamOptions;
  readonly #splitter: LineSplitter;
  readonly #noise: CountedLog;
  readonly #oddities: CountedLog;
  readonly #calls = new CallQueue((message) => this.#forward(message));
  #reader: MessageReader;
  /** The methods of this client's requests that have no answer yet, by their ids. */
  readonly #awaited = new Map<MessageId, string>();
  /** The number of the agent's requests in progress. Counted, because they may all have the same id. */
  #served = 0;
  /** `undefined` when the SDK takes no more messages. */
  #incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  /** Settles when all messages so far have been taken: our own messages follow those of the SDK. */
  #written: Promise<unknown> = Promise.resolve();
  #messages = 0;
  #noiseLines = 0;
  #toldOfNoise = false;
  readonly #prints = new PerSecond(printsPerSecond);
  #openRequests = 0;
  #end: TransportEnd | undefined;

  constructor(transport: Transport, options: AgentStreamOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#reader = options.reader;
    this.#noise = new CountedLog(options.log, noiseInFull);
    this.#oddities = new CountedLog(options.log, 1);
    this.#splitter = new LineSplitter({
      maxBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
      onLine: (line) => this.#receiveLine(line),
      onOversize: (line) => this.#receiveOversize(line),
    });
    this.sdk = {
      readable: new ReadableStream({
        start: (controller) => {
          this.#incoming = controller;
        },
        cancel: (reason) => this.#abandon(reason),
      }),
      writable: new WritableStream({ write: (message) => this.#send(message) }),
    };
    transport.onData((bytes) => this.#splitter.push(bytes));
    transport.onEnd((end) => this.#finish(end));
  }

  /** Reads what follows like this. */
  speak(reader: MessageReader): void {
    this.#reader = reader;
  }

  /** Ends the stream from this side; what the agent still sends is dropped. */
  end(end: TransportEnd): void {
    if (this.#end) {
      return;
    }
    this.#end = end;
    this.#options.onEnd(end);
    this.#incoming?.close();
    this.#incoming = undefined;
  }

  #finish(end: TransportEnd): void {
    this.#splitter.end();
    this.end(end);
  }

  #receiveLine(line: string): void {
    if (this.#end) {
      return;
    }
    const message = parseMessage(line);
    if (message) {
      this.#messages++;
      this.#receive(message);
      return;
    }
    const batch = this.#reader.takesBatches ? parseBatch(line) : undefined;
    if (!batch) {
      this.#receiveNoise(line);
      return;
    }
    for (const each of batch) {
      this.#messages++;
      this.#receive(each);
    }
  }

  #receive(message: Message): void {
    const { traffic, tap } = this.#options;
    if (traffic?.enabled) {
      traffic.write('fromAgent', this.#redacted(message));
    }
    tap?.('fromAgent', message);
    if (message['method'] === 'session/update' && message['id'] === undefined) {
      this.#receiveUpdate(message);
    } else if (message['method'] === undefined) {
      this.#receiveAnswer(message);
    } else {
      this.#receiveCall(message);
    }
  }

  #receiveUpdate(message: Message): void {
    const event = this.#reader.readUpdate(message['params']);
    if (typeof event === 'string') {
      this.#oddities.note(`Dropped: ${event}`, () => this.#redacted(message));
    } else {
      if (event.update.sessionUpdate === '_acp_sessions_unknown') {
        const { name } = event.update;
        this.#oddities.note(`Update of unknown kind ${JSON.stringify(name)}`, () =>
          this.#redacted(message),
        );
      }
      this.#options.onUpdate(event);
    }
  }

  #receiveAnswer(message: Message): void {
    const id = message['id'] as MessageId;
    const method = this.#awaited.get(id);
    if (method === undefined) {
      this.#oddities.note('Dropped: answer without a request', () => this.#redacted(message));
      return;
    }
    this.#awaited.delete(id);
    if (method === 'initialize' && 'result' in message) {
      this.#options.onInitialized?.(message['result']);
    }
    if (message['error'] === null && 'result' in message) {
      // Some JSON-RPC libraries send both members, which SDK 2.4.0 refuses as a broken answer.
      this.#forward({ jsonrpc: '2.0', id: message['id'], result: message['result'] });
    } else {
      this.#forward(message);
    }
  }

  #receiveCall(message: Message): void {
    const id = message['id'];
    if (id === undefined && this.#reader.listChanges.has(message['method'])) {
      this.#options.onListChanged();
      return;
    }
    if (id === undefined) {
      this.#forward(message);
      return;
    }
    this.#noteRequest();
    if (this.#served >= maxServed) {
      this.#oddities.note('Refused: too many requests at once', () => this.#redacted(message));
      this.#refuse({ jsonrpc: '2.0', id, error: tooMany });
    } else {
      this.#served++;
      this.#calls.add(message);
    }
  }

  #noteRequest(): void {
    if (++this.#openRequests === maxOpenRequests) {
      this.#transport.pause();
    }
  }

  /** Sends an answer that no handler has given. */
  #refuse(answer: Message): void {
    // The end of the transport is reported with its reason elsewhere.
    this.#write(answer).catch(() => undefined);
  }

  #redacted(message: object): string {
    return redactedText(message, (text) => this.#options.withoutHeld(text));
  }

  #quoted(line: string): string {
    return this.#options.redact(line.slice(0, maxRedacted)).slice(0, maxNoiseLine);
  }

  /** Passes on a message whose envelope is checked; the SDK and the response checks look at its content. */
  #forward(message: object): void {
    this.#incoming?.enqueue(message as AnyMessage);
  }

  #receiveNoise(line: string): void {
    if (line.trim() === '') {
      return;
    }
    const printed = line.slice(0, maxPrinted);
    this.#noise.note('Not a message, on stdout', () => this.#quoted(printed));
    this.#tellOfNoise(line);
    if (this.#prints.allows()) {
      this.#options.onPrint(printed);
    }
    if (++this.#noiseLines >= maxNoise && this.#messages === 0) {
      const text = `Wrote ${maxNoise} lines to stdout and none of them is a message; the last one: `;
      this.#fail(new AcpError('malformed', text + shorten(this.#quoted(line), maxNoiseLine)));
    }
  }

  #tellOfNoise(line: string): void {
    if (this.#messages === 0 && !this.#toldOfNoise && /[\p{L}\p{N}]/u.test(line)) {
      this.#toldOfNoise = true;
      this.#options.onNoise(this.#quoted(line));
    }
  }

  #receiveOversize(line: OversizeLine): void {
    if (this.#end) {
      return;
    }
    this.#options.log.warn(
      `A message of ${byteSize(line.bytes)} was dropped: ${shorten(this.#options.redact(line.head), maxNoiseLine)}`,
    );
    const substitute = this.#reader.substituteFor(line);
    switch (substitute?.kind) {
      case 'update':
        this.#options.onUpdate(substitute.event);
        break;
      case 'answer':
        this.#receiveAnswer(substitute.message);
        break;
      case 'refusal':
        this.#noteRequest();
        this.#refuse(substitute.message);
        break;
      case undefined:
        break;
    }
  }

  async #send(message: AnyMessage): Promise<void> {
    const { traffic, tap } = this.#options;
    if (traffic?.enabled) {
      traffic.write('toAgent', this.#redacted(message));
    }
    tap?.('toAgent', message);
    if ('method' in message && 'id' in message) {
      this.#awaited.set(message.id, message.method);
    }
    if (!('method' in message)) {
      this.#served--;
    }
    await this.#write(message);
    if (!('method' in message)) {
      this.#calls.answered(message.id);
    }
  }

  async #write(message: object): Promise<void> {
    const written = this.#written.then(() => this.#transport.write(`${JSON.stringify(message)}\n`));
    this.#written = written.catch(() => undefined);
    await written;
    if (!('method' in message) && --this.#openRequests === maxOpenRequests - 1) {
      this.#transport.resume();
    }
  }

  /** The SDK has given up. If `reason` is an `AcpError`, it comes from the transport, whose end follows. */
  #abandon(reason: unknown): void {
    this.#incoming = undefined;
    if (!(reason instanceof AcpError)) {
      this.#fail(new AcpError('malformed', 'The connection broke', {}, { cause: reason }));
    }
  }

  #fail(error: AcpError): void {
    this.end({ error });
    void this.#transport.close();
  }
}

/** Allows up to a fixed number of events per second. */
class PerSecond {
  readonly #most: number;
  #second = 0;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  allows(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    return ++this.#count <= this.#most;
  }
}

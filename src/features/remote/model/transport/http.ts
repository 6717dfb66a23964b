import { Buffer } from 'node:buffer';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type SecureClientSessionOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Transport } from '../../../../protocol/agentTransport';
import { ByteBuffer } from '../../../../protocol/byteBuffer';
import { AcpError } from '../../../../protocol/errors';
import { asString, type JsonObject } from '../../../../util/json';
import { Cookies } from './cookies';
import { EventSplitter } from './eventSplitter';
import { type LineTrouble, lineError } from './lineTrouble';
import { defaultMaxFrameBytes, type RemoteOptions, RemoteTransport } from './remoteTransport';
import { isUpdate, Routes } from './routes';
import { openSecureSocket } from './secureSocket';
import { statusTrouble } from './statusTrouble';

/**
 * Talks to an agent over streamable HTTP (HTTP-2 to HTTP-6): each message of ours is a `POST`, the agent's come as
 * server-sent events, on one stream for the connection and on one for each session.
 */
export function connectHttp(options: RemoteOptions): Transport {
  return new HttpTransport(options);
}

const json = 'application/json';
const events = 'text/event-stream';
const newline = Buffer.from('\n');
/** Maximum length of a refusal's body in the log. */
const maxRefusalLength = 1000;
/** Sessions that are open at a time; with more, the oldest stream is closed, and opened again when it is needed. */
const maxSessions = 64;

/**
 * Bytes that the other side may send before it hears that they have been read, on a stream and on all of them together:
 * with the 64 KiB that HTTP/2 begins with, it would mostly wait for that.
 */
const streamWindow = 1024 * 1024;
const connectionWindow = 4 * 1024 * 1024;

type Headers = IncomingHttpHeaders & IncomingHttpStatusHeader;

/** Why one request of ours failed, while the connection stays open. */
class Refused extends Error {
  constructor(
    readonly status: number,
    body: string,
  ) {
    super(`HTTP ${status}${body === '' ? '' : `: ${body}`}`);
  }
}

/** The end of the whole connection. */
class Fatal extends Error {
  constructor(
    readonly trouble: LineTrouble,
    said: string,
  ) {
    super(said);
  }
}

class HttpTransport extends RemoteTransport {
  readonly #cookies = new Cookies();
  readonly #routes = new Routes();
  /** The streams by session id; the connection's own has none. */
  readonly #streams = new Map<string | undefined, Promise<ClientHttp2Stream>>();
  #session: ClientHttp2Session | undefined;
  #connectionId: string | undefined;
  #isHeld = false;
  /** Bytes of unfinished events, on all streams together. */
  #unfinishedBytes = 0;

  constructor(options: RemoteOptions) {
    super(options);
    this.connecting();
    if (options.url.protocol === 'http:') {
      this.#begin({});
    } else {
      openSecureSocket(options.url).then(
        (socket) => this.#secured(socket),
        (error: unknown) => this.#unconnected(error),
      );
    }
  }

  #secured(socket: TLSSocket): void {
    if (this.isDone) {
      socket.destroy();
      return;
    }
    this.#begin({ createConnection: () => socket }).on('connect', () => {
      if (socket.alpnProtocol !== 'h2') {
        this.fail('http1');
      }
    });
  }

  #unconnected(error: unknown): void {
    if (error instanceof AcpError) {
      this.ended(error);
    } else {
      this.broken(error);
    }
  }

  #begin(options: SecureClientSessionOptions): ClientHttp2Session {
    const session = connect(this.options.url.origin, {
      ...options,
      // A push is nothing that this client asked for.
      settings: { enablePush: false, initialWindowSize: streamWindow },
    });
    this.#session = session;
    session.once('connect', () => {
      // It may have been closed meanwhile.
      if (!session.destroyed) {
        session.setLocalWindowSize(connectionWindow);
      }
    });
    // Only with its settings it is known that the other side speaks HTTP/2.
    session.once('remoteSettings', () => this.opened());
    session.on('error', (error: NodeJS.ErrnoException) => {
      const isOther = /^ERR_HTTP2_(?:ERROR|SESSION_ERROR)$/.test(error.code ?? '');
      if (isOther && !this.hasHeard) {
        this.fail('http1', error.message, error);
      } else {
        this.broken(error);
      }
    });
    session.on('goaway', (code) => this.fail(this.hasHeard ? 'lost' : 'closed', `goaway ${code}`));
    session.on('close', () => this.fail(this.hasHeard ? 'lost' : 'closed'));
    return session;
  }

  protected async send(line: string): Promise<void> {
    const message = JSON.parse(line) as JsonObject;
    try {
      if (this.#connectionId === undefined) {
        await this.#initialize(line);
      } else {
        await this.#post(message, line);
      }
    } catch (error) {
      const id = message['method'] === undefined ? undefined : message['id'];
      if (error instanceof Fatal) {
        this.ended(lineError(error.trouble, this.host, error.message));
        throw error;
      }
      if (!(error instanceof Refused)) {
        throw error;
      }
      if (id !== undefined) {
        const answer = { jsonrpc: '2.0', id, error: { code: -32603, message: error.message } };
        this.#deliver(Buffer.from(JSON.stringify(answer)));
      }
    }
  }

  protected hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const opening of this.#streams.values()) {
      void opening.then(
        (stream) => (isHeld ? stream.pause() : stream.resume()),
        () => undefined,
      );
    }
  }

  protected async hangUp(): Promise<void> {
    if (this.#connectionId !== undefined) {
      const stream = this.#request('DELETE', {});
      stream.end();
      await getHeaders(stream);
    }
  }

  protected release(): void {
    this.#session?.destroy();
  }

  protected ask(): void {
    this.#session?.ping((error) => {
      if (error === null) {
        this.alive();
      }
    });
  }

  async #initialize(line: string): Promise<void> {
    const stream = this.#request('POST', { 'content-type': json });
    stream.end(line);
    const headers = await getHeaders(stream);
    await this.#mustBe(stream, headers, undefined, 200);
    const id = asString(headers['acp-connection-id']);
    if (id === undefined || !json.startsWith(mediaType(headers))) {
      throw new Fatal('notAcp', `no connection id, or ${mediaType(headers)}`);
    }
    const body = await findBody(stream, this.#maxBytes);
    if (body === undefined) {
      throw new Fatal('tooLarge', 'the answer to initialize');
    }
    this.#connectionId = id;
    await this.#stream(undefined);
    this.#deliver(body);
  }

  async #post(message: JsonObject, line: string): Promise<void> {
    const session = this.#routes.findSession(message);
    if (session !== undefined) {
      await this.#stream(session);
    }
    this.#routes.sent(message);
    const stream = this.#request('POST', { 'content-type': json, ...ofSession(session) });
    stream.end(line);
    const headers = await getHeaders(stream);
    await this.#mustBe(stream, headers, session, 202, 200);
    stream.close(constants.NGHTTP2_NO_ERROR);
  }

  /** The stream of events of a session, or of the connection; opens it if it isn't. */
  #stream(session: string | undefined): Promise<ClientHttp2Stream> {
    let opening = this.#streams.get(session);
    if (opening === undefined) {
      opening = this.#open(session);
      this.#streams.set(session, opening);
      opening.catch(() => this.#streams.delete(session));
      this.#closeOldest();
    }
    return opening;
  }

  #closeOldest(): void {
    const oldest = [...this.#streams.keys()].find((id) => id !== undefined);
    if (this.#streams.size > maxSessions + 1 && oldest !== undefined) {
      this.#leave(oldest);
    }
  }

  #leave(session: string): void {
    const opening = this.#streams.get(session);
    this.#streams.delete(session);
    void opening?.then(
      (stream) => stream.close(constants.NGHTTP2_CANCEL),
      () => undefined,
    );
  }

  async #open(session: string | undefined): Promise<ClientHttp2Stream> {
    const stream = this.#request('GET', { accept: events, ...ofSession(session) });
    const headers = await getHeaders(stream);
    await this.#mustBe(stream, headers, session, 200);
    if (mediaType(headers) !== events) {
      throw new Fatal('notAcp', `not a stream of events: ${mediaType(headers)}`);
    }
    const splitter = new EventSplitter({
      maxBytes: this.#maxBytes,
      isLine: isUpdate,
      onLines: (lines) => this.take(lines),
      onData: (data) => this.#receive(data, session),
      onOversize: () => this.fail('tooLarge'),
    });
    stream.on('data', (bytes: Buffer) => {
      this.alive();
      const before = splitter.heldBytes;
      splitter.push(bytes);
      this.#holds(splitter.heldBytes - before);
    });
    stream.on('close', () => {
      this.#holds(-splitter.heldBytes);
      this.#streamEnded(session);
    });
    if (this.#isHeld) {
      stream.pause();
    }
    return stream;
  }

  /** What is held for all streams together has the bound of one message: each may have a session of its own. */
  #holds(moreBytes: number): void {
    this.#unfinishedBytes += moreBytes;
    if (this.#unfinishedBytes > this.#maxBytes) {
      this.fail('tooLarge', 'unfinished events');
    }
  }

  get #maxBytes(): number {
    return this.options.maxFrameBytes ?? defaultMaxFrameBytes;
  }

  /** Answers that were to come on it can't be waited for any more. */
  #streamEnded(session: string | undefined): void {
    if (this.isDone || !this.#streams.delete(session)) {
      return;
    }
    if (session === undefined) {
      this.fail('lost', 'the stream of the connection ended');
      return;
    }
    for (const id of this.#routes.unanswered(session)) {
      const error = { code: -32603, message: 'The stream of the session ended' };
      this.#deliver(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })));
    }
  }

  #receive(data: Buffer, session: string | undefined): void {
    const { opened, closed } = this.#routes.received(data, session);
    for (const id of opened) {
      // Opened before anything is sent to it, for what the agent says by itself.
      this.#stream(id).catch((error: unknown) => this.#streamFailed(error));
    }
    this.#deliver(data);
    for (const id of closed) {
      this.#leave(id);
    }
  }

  #streamFailed(error: unknown): void {
    if (error instanceof Fatal) {
      this.fail(error.trouble, error.message);
    }
  }

  #deliver(data: Buffer): void {
    this.take(data);
    this.take(newline);
  }

  /** The open session; nothing is requested before that. */
  get #opened(): ClientHttp2Session {
    if (this.#session === undefined) {
      throw new Error('Not connected');
    }
    return this.#session;
  }

  #request(method: string, headers: Readonly<Record<string, string>>): ClientHttp2Stream {
    const { url } = this.options;
    const cookie = this.#cookies.header;
    const stream = this.#opened.request({
      ...lowerCase(this.options.headers ?? {}),
      ':method': method,
      ':path': `${url.pathname}${url.search}`,
      ...(cookie !== '' && { cookie }),
      ...(this.#connectionId !== undefined && { 'acp-connection-id': this.#connectionId }),
      ...headers,
    });
    // Reported by whoever waits for it.
    stream.on('error', () => undefined);
    stream.on('response', (answer) => {
      this.alive();
      this.#cookies.take(answer['set-cookie'] ?? []);
    });
    return stream;
  }

  /** Throws what any other status means: the end of the connection, or a failure of this request only. */
  async #mustBe(
    stream: ClientHttp2Stream,
    headers: Headers,
    session: string | undefined,
    ...good: number[]
  ): Promise<void> {
    const status = headers[':status'] ?? 0;
    if (good.includes(status)) {
      return;
    }
    const body = await findBody(stream, maxRefusalLength);
    const { trouble, said } = statusTrouble(status, headers.location);
    const isFirst = this.#connectionId === undefined;
    const isOfSession = session !== undefined && trouble === 'path';
    if (isFirst || (trouble !== 'notAcp' && !isOfSession)) {
      // Later, a connection that isn't known any more is one that is lost.
      throw new Fatal(!isFirst && trouble === 'path' ? 'lost' : trouble, said);
    }
    throw new Refused(status, body?.toString('utf8').slice(0, maxRefusalLength) ?? '');
  }
}

/** An id that can't be written into a header can't be asked about. */
function ofSession(session: string | undefined): Readonly<Record<string, string>> {
  if (session === undefined) {
    return {};
  }
  if (!/^[\x21-\x7e]{1,2000}$/.test(session)) {
    throw new Refused(0, 'the id of the session can’t be sent in a header');
  }
  return { 'acp-session-id': session };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function mediaType(headers: Headers): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function getHeaders(stream: ClientHttp2Stream): Promise<Headers> {
  return new Promise((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The stream was closed without an answer')));
  });
}

/** `undefined` if it has more bytes. */
function findBody(stream: ClientHttp2Stream, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const body = new ByteBuffer();
    stream.on('data', (piece: Buffer) => {
      if (body.length + piece.length > maxBytes) {
        stream.close(constants.NGHTTP2_CANCEL);
        resolve(undefined);
      } else {
        body.append(piece);
      }
    });
    stream.once('end', () => resolve(body.take()));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The stream was closed within its answer')));
  });
}

import type { ClientConnection, RequestError } from '@agentclientprotocol/sdk';
import { deferred } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { part } from '../../util/part';
import type { SessionUpdateEvent } from '../agentConnection';
import type { Transport, TransportEnd } from '../agentTransport';
import { AcpError, cancelledCode } from '../errors';
import { getRefusal } from '../refusal';
import { AgentStream, type AgentStreamOptions } from './agentStream';
import { CountedLog } from './countedLog';
import type { MessageReader } from './messageReader';
import { fromRpcError } from './rpcErrors';
import { redactedText } from './traffic';

/**
 * Answers one method that an agent may call. `params` are unchecked. `signal` aborts when the agent cancels its request
 * or exits, and may be aborted already. An error reaches the agent as a refusal (T-35).
 */
export type RequestHandler = (params: unknown, signal: AbortSignal) => unknown;

/** Receives one kind of notification. `params` are unchecked. */
type NotificationHandler = (params: unknown) => void;

/** The methods that an agent may call. */
export interface AgentHandlers {
  /** Any other method is answered with -32601 (EX-4). */
  readonly requests: ReadonlyMap<string, RequestHandler>;
  /** Hears of requests with any other method; says whether the log does, too. */
  readonly unknown?: (method: string, params: unknown) => boolean;
  /** Any other method is ignored (EX-5). */
  readonly notifications: ReadonlyMap<string, NotificationHandler>;
}

export interface AgentRpcOptions
  extends Omit<AgentStreamOptions, 'onUpdate' | 'onListChanged' | 'onPrint' | 'onEnd'> {
  readonly handlers: AgentHandlers;
  readonly agentId?: string | undefined;
  /** Gets each line that the event `onPrint` has, with the stream that the line was written to. */
  readonly onPrint?: ((line: string, from: PrintSource) => void) | undefined;
}

/** The stream on which an agent has written something that isn't a message. */
export type PrintSource = 'stdout' | 'stderr';

export interface RequestOptions {
  /** Aborting it sends `$/cancel_request` and rejects at once (SDK-12). */
  readonly signal?: AbortSignal | undefined;
  /** Time in ms after which the request is canceled and rejects with `timeout`. */
  readonly timeoutMs?: number | undefined;
  /** Called when the agent has answered, even if nobody waits any more, or has exited. */
  readonly onAnswered?: (() => void) | undefined;
}

interface Sdk {
  readonly connection: ClientConnection;
  readonly RequestError: typeof RequestError;
}

/** Requests and answers over one transport: the SDK with time limits and with `AcpError` as its only kind of error. */
export class AgentRpc implements Disposable {
  readonly #transport: Transport;
  readonly #options: AgentRpcOptions;
  readonly #stream: AgentStream;
  readonly #sdk: Promise<Sdk>;
  readonly #updated = new Emitter<SessionUpdateEvent>();
  readonly onUpdate = this.#updated.event;
  readonly #listChanged = new Emitter<void>();
  readonly onListChanged = this.#listChanged.event;
  readonly #printed = new Emitter<string>();
  /** A line that is no message, on stdout or stderr. */
  readonly onPrint = this.#printed.event;
  readonly #closed = new Emitter<AcpError>();
  /** Fires once, with the reason, unless this side closed the connection. */
  readonly onClosed = this.#closed.event;
  #end: TransportEnd | undefined;
  #handlers: AgentHandlers;

  constructor(transport: Transport, options: AgentRpcOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#handlers = options.handlers;
    const print = (line: string, from: PrintSource): void => {
      const text = options.withoutHeld(line);
      options.onPrint?.(text, from);
      this.#printed.fire(text);
    };
    this.#stream = new AgentStream(transport, {
      ...options,
      onUpdate: (event) => this.#updated.fire(quotable(event, options)),
      onListChanged: () => this.#listChanged.fire(),
      onPrint: (line) => print(line, 'stdout'),
      onEnd: (end) => this.#finish(end),
    });
    transport.onSaid?.((line) => print(line, 'stderr'));
    this.#sdk = connectSdk(this.#stream, options, () => this.#handlers);
  }

  /** Changes how the agent speaks from now on, and which methods it may call. */
  speak(reader: MessageReader, handlers: AgentHandlers): void {
    this.#stream.speak(reader);
    this.#handlers = handlers;
  }

  /** The agent that errors name. */
  get agentId(): string | undefined {
    return this.#options.agentId;
  }

  /** Why the connection ended, unless it is open or this side closed it. */
  get failure(): AcpError | undefined {
    return this.#end?.error;
  }

  /** Rejects only with `AcpError`, at the latest when the agent exits. */
  async request(method: string, params: object, options: RequestOptions = {}): Promise<unknown> {
    const cancellation = new AbortController();
    if (options.signal?.aborted) {
      cancellation.abort();
    }
    const answer = this.#send(method, params, cancellation.signal).finally(() => {
      options.onAnswered?.();
    });
    try {
      return await withLimits(answer, method, cancellation, options);
    } catch (error) {
      if (error instanceof AcpError) {
        error.agentId = this.#options.agentId;
      }
      throw error;
    }
  }

  /** Sends a notification after all earlier requests; drops it if the agent has exited. */
  notify(method: string, params: object): void {
    void this.#sdk
      .then((sdk) => sdk.connection.agent.notify(method, params))
      .catch((error: unknown) => {
        this.#options.log.info(`${method} was not sent: ${String(error)}`);
      });
  }

  /** Ends the connection and then the agent; pending requests reject at once. */
  async close(): Promise<void> {
    this.#stream.end({});
    await this.#transport.close();
  }

  /** Closes without waiting; nothing fires any more. */
  dispose(): void {
    this.#updated.dispose();
    this.#listChanged.dispose();
    this.#printed.dispose();
    this.#closed.dispose();
    void this.close();
  }

  async #send(method: string, params: object, cancellationSignal: AbortSignal): Promise<unknown> {
    const sdk = await this.#sdk;
    if (this.#end) {
      throw this.#endReason();
    }
    if (cancellationSignal.aborted) {
      throw cancelled(method);
    }
    try {
      return await sdk.connection.agent.request(method, params, { cancellationSignal });
    } catch (error) {
      throw this.#toAcpError(error, sdk);
    }
  }

  #finish(end: TransportEnd): void {
    this.#end = end;
    if (end.error) {
      this.#closed.fire(end.error);
    }
  }

  #endReason(cause?: unknown): AcpError {
    // A transport may refuse a message with its trouble before it has ended.
    const trouble = this.#end?.error ?? cause;
    return trouble instanceof AcpError
      ? trouble
      : new AcpError('cancelled', 'The connection was closed', {}, { cause });
  }

  #toAcpError(error: unknown, sdk: Sdk): AcpError {
    return error instanceof sdk.RequestError
      ? fromRpcError(error, (text) => this.#options.redact(text))
      : this.#endReason(error);
  }
}

/** What an agent says of a failure is quoted, wherever it says it. */
function quotable(
  event: SessionUpdateEvent,
  { redact }: Pick<AgentRpcOptions, 'redact'>,
): SessionUpdateEvent {
  const { update } = event;
  return update.sessionUpdate === 'state_update' && update.error !== undefined
    ? {
        ...event,
        update: { ...update, error: { ...update.error, message: redact(update.error.message) } },
      }
    : event;
}

/** Failures of one method that are logged in full, because an agent may repeat a wrong request without end. */
const failuresInFull = 20;
/** Requests of unknown methods that are logged in full; each may have a name of its own. */
const unknownInFull = 20;

/** Loading the SDK takes about 100 ms (SDK-1). */
const loadSdk = part(() => import('./sdk'));

async function connectSdk(
  stream: AgentStream,
  options: AgentRpcOptions,
  handlers: () => AgentHandlers,
): Promise<Sdk> {
  const sdk = await loadSdk();
  const app = sdk.client({ name: 'acp-sessions' });
  const failures = new CountedLog(options.log, failuresInFull);
  const unknown = new CountedLog(options.log, unknownInFull);
  // One handler for all methods, so that calls begin in the order of their arrival (SDK-11), and so that the SDK
  // doesn't refuse a whole request because of one value that it doesn't know (T-26).
  app.onRequest('*', async ({ method, params, signal }) => {
    const handler = handlers().requests.get(method);
    if (!handler) {
      if (handlers().unknown?.(method, params)) {
        const raw = { method: method.slice(0, 60), params };
        unknown.note('Request of an unknown method', () =>
          redactedText(raw, (text) => options.withoutHeld(text)),
        );
      }
      throw sdk.RequestError.methodNotFound(method);
    }
    try {
      return await handler(params, signal);
    } catch (error) {
      const { code, message, data } = getRefusal(error, method, params);
      if (code !== cancelledCode) {
        failures.note(`${method} failed`, () => String(error));
      }
      throw new sdk.RequestError(code, message, data);
    }
  });
  app.onNotification('*', ({ method, params }) => {
    try {
      handlers().notifications.get(method)?.(params);
    } catch (error) {
      failures.note(`${method} failed`, () => String(error));
    }
  });
  return { connection: app.connect(stream.sdk), RequestError: sdk.RequestError };
}

/** Settles as `answer` does. Rejects and cancels the request if the caller aborts or the time is up. */
async function withLimits(
  answer: Promise<unknown>,
  method: string,
  cancellation: AbortController,
  { signal, timeoutMs }: RequestOptions,
): Promise<unknown> {
  const limit = deferred<never>();
  const giveUp = (error: AcpError): void => {
    limit.reject(error);
    cancellation.abort();
  };
  const onAbort = (): void => giveUp(cancelled(method));
  const onTimeout = (): void => {
    giveUp(new AcpError('timeout', `No answer to ${method} within ${timeoutMs ?? 0} ms`));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  try {
    return await Promise.race([answer, limit.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function cancelled(method: string): AcpError {
  return new AcpError('cancelled', `${method} was canceled`);
}

import { type AnswerBody, ClientMessage, isObject, type Json } from './message';

interface Asked {
  readonly answer: Promise<Json>;
  readonly settle: (answer: Json) => void;
}

interface Outgoing {
  /** Default: an id of its own. */
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Json | undefined;
}

/** The agent's side of ACP: JSON-RPC messages, one on each line. Knows no method and no version. */
export class Connection {
  readonly #write: (text: string) => Promise<void>;
  readonly #handle: (message: ClientMessage) => Promise<void>;
  readonly #messages = new Map<Json, ClientMessage>();
  readonly #asked = new Map<Json, Asked>();
  #requests = 0;

  /** `write` keeps the order of its calls. `handle` gets each request and notification, and never rejects. */
  constructor(
    write: (text: string) => Promise<void>,
    handle: (message: ClientMessage) => Promise<void>,
  ) {
    this.#write = write;
    this.#handle = handle;
  }

  /** The requests that are handled or not answered yet, by id. */
  get messages(): ReadonlyMap<Json, ClientMessage> {
    return this.#messages;
  }

  /** Handles one line; one that isn't a message is left out. */
  receive(line: string): void {
    const raw = parsed(line);
    if (!isObject(raw)) {
      return;
    }
    if (raw['method'] === undefined) {
      const { id = null, result = null, error } = raw;
      this.#asked.get(id)?.settle(error === undefined ? result : { error });
      return;
    }
    const message = new ClientMessage(raw);
    const { id } = message;
    if (id !== undefined) {
      this.#messages.set(id, message);
    }
    void this.#handle(message).then(() => {
      if (id !== undefined && message.answered) {
        this.#messages.delete(id);
      }
    });
  }

  send(message: Json | undefined): Promise<void> {
    return this.#write(`${JSON.stringify(message)}\n`);
  }

  notify(method: string, params: Json): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  /** Answers a request, once; a notification is never answered. */
  async answer(message: ClientMessage, outcome: AnswerBody): Promise<void> {
    if (message.id !== undefined && !message.answered) {
      message.answered = true;
      await this.send({ jsonrpc: '2.0', id: message.id, ...outcome });
    }
  }

  /** Sends a request; resolves to its id once it is written. */
  async request({ id = `agent-${++this.#requests}`, method, params }: Outgoing): Promise<Json> {
    let settle: Asked['settle'] = () => undefined;
    const answer = new Promise<Json>((resolve) => {
      settle = resolve;
    });
    this.#asked.set(id, { answer, settle });
    await this.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  /** The client's answer to a request: its result, or `{ error }`. */
  answerTo(id: Json): Promise<Json> {
    return this.#asked.get(id)?.answer ?? Promise.resolve(null);
  }
}

/** The lines of a stream of bytes, without their ends. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

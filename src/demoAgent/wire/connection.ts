import { type AnswerBody, type ClientMessage, isObject, type Json } from './message';

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
  readonly #handle: (message: ClientMessage) => void;
  readonly #asked = new Map<Json, Asked>();
  #requests = 0;

  /** `write` keeps the order of its calls. */
  constructor(write: (text: string) => Promise<void>, handle: (message: ClientMessage) => void) {
    this.#write = write;
    this.#handle = handle;
  }

  /** Handles one line; one that isn't a message is left out. */
  receive(line: string): void {
    const raw = parsed(line);
    if (!isObject(raw)) {
      return;
    }
    const { id, method, params, result = null, error } = raw;
    if (typeof method === 'string') {
      this.#handle({ id, method, params: isObject(params) ? params : {} });
    } else {
      this.#asked.get(id ?? null)?.settle(error === undefined ? result : { error });
    }
  }

  send(message: Json | undefined): Promise<void> {
    return this.#write(`${JSON.stringify(message)}\n`);
  }

  notify(method: string, params: Json): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  answer(id: Json, outcome: AnswerBody): Promise<void> {
    return this.send({ jsonrpc: '2.0', id, ...outcome });
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

/** The lines of a stream of bytes, without their ends, as many at a time as have come. */
export async function* getLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') {
    yield [rest];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

import type { MessageId } from '../rpc/envelope';

export interface WaitingRequest {
  readonly id: MessageId;
  readonly method: string;
  readonly sessionId?: string | undefined;
}

/** Requests of one side at a time. */
const most = 1000;
/** UTF-16 units of the name of a method. */
const maxMethodLength = 1024;

/** The requests of one side that wait for an answer: the other side knows them by numbers, not by the sender's ids. */
export class WaitingRequests {
  #last = 0;
  readonly #requests = new Map<unknown, WaitingRequest>();
  readonly #numbers = new Map<unknown, number>();

  /** A number that no request has had. */
  next(): number {
    return ++this.#last;
  }

  /** The number of a request from now on, or why it is refused. */
  add(request: WaitingRequest): number | string {
    if (this.#numbers.has(request.id)) {
      return 'A request with this id waits for its answer';
    }
    if (this.#requests.size >= most) {
      return `More than ${most} requests wait for their answers`;
    }
    if (request.method.length > maxMethodLength) {
      return 'The name of this method is too long';
    }
    const number = this.next();
    this.#requests.set(number, request);
    this.#numbers.set(request.id, number);
    return number;
  }

  /** The request that an answer with this number is for, once; `undefined` if none waits for it. */
  answered(number: unknown): WaitingRequest | undefined {
    const request = this.#requests.get(number);
    if (request !== undefined) {
      this.#requests.delete(number);
      this.#numbers.delete(request.id);
    }
    return request;
  }

  /** The number of a request that waits. */
  findNumber(id: unknown): number | undefined {
    return this.#numbers.get(id);
  }

  /** The request that waits with this number. */
  get(number: unknown): WaitingRequest | undefined {
    return this.#requests.get(number);
  }
}

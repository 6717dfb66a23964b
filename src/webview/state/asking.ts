import * as l10n from '@vscode/l10n';
import type {
  Asked,
  Question,
  QuestionKind,
  Questions,
  Reply,
} from '../../shared/transcript/questions';

/** Asks the host. Rejects, with a message for the user, if it couldn't reply. */
export type Ask = <Kind extends QuestionKind>(
  question: Question<Kind>,
) => Promise<Questions[Kind]['reply']>;

/** Questions that may wait for their replies; the oldest is given up for one more. */
const maxWaitingQuestions = 100;

interface Waiting {
  readonly to: QuestionKind;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** The page's questions, and the replies of the host. */
export class Asking {
  readonly #post: (asked: Asked) => void;
  /** The questions by id, oldest first. */
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(post: (asked: Asked) => void) {
    this.#post = post;
  }

  readonly ask: Ask = (question) => {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= maxWaitingQuestions) {
      this.#take(oldest)?.reject(failure());
    }
    this.#last += 1;
    const id = this.#last;
    const reply = new Promise<never>((resolve, reject) => {
      this.#waiting.set(id, { to: question.type, resolve, reject });
    });
    this.#post({ ...question, id } as Asked);
    return reply;
  };

  receive(reply: Reply): void {
    if (this.#waiting.get(reply.id)?.to !== reply.to) {
      return;
    }
    const waiting = this.#take(reply.id);
    if ('failed' in reply) {
      waiting?.reject(failure());
    } else {
      waiting?.resolve(reply.value as never);
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function failure(): Error {
  return new Error(l10n.t('This failed. See the log for details.'));
}

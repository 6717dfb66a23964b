import type { ElicitationAction, FormErrors, FormValues } from '../requests/agentQuestions';
import type { Draft } from './prompt';

/** A file or folder that `@` completes to. */
export interface FileSuggestion {
  readonly uri: string;
  readonly name: string;
  /** The file's location, relative to its workspace folder. */
  readonly detail: string;
  readonly isFolder: boolean;
}

/** What else `@` completes to: what is read when the prompt is sent. */
export interface ContextSuggestion {
  readonly source: string;
  readonly about: string;
  /** What is written, without spaces: `@problems`. */
  readonly mention: string;
  readonly name: string;
  /** How much there is, or what. */
  readonly detail: string;
}

/** Everything that the page asks the host, with the reply to it. */
export interface Questions {
  /** What a text after `@` may mean. */
  readonly searchMentions: {
    readonly asked: { readonly text: string };
    readonly reply: readonly (FileSuggestion | ContextSuggestion)[];
  };
  /** Which of these texts name files inside the session's folders. */
  readonly findFiles: {
    readonly asked: { readonly texts: readonly string[] };
    readonly reply: readonly string[];
  };
  /** Asks where the user's pattern, by the number of its search, is in the drawn texts of rows. */
  readonly mark: {
    readonly asked: {
      readonly query: number;
      readonly rows: readonly { readonly index: number; readonly text: string }[];
    };
    readonly reply: readonly MarkedRow[];
  };
  /** A saved prompt as a draft; `undefined` if it isn't there any more. */
  readonly usePrompt: {
    readonly asked: { readonly uri: string };
    readonly reply: Draft | undefined;
  };
  /** The user's answer to an agent; `undefined`, or the errors of the form (EL-6). */
  readonly answerElicitation: {
    readonly asked: {
      readonly requestId: number;
      readonly action: ElicitationAction;
      /** Empty unless a form is accepted. */
      readonly values: FormValues;
    };
    readonly reply: FormErrors | undefined;
  };
}

/** Alternating start and end offsets of the matches in a row's text. */
export interface MarkedRow {
  readonly index: number;
  readonly spans: readonly number[];
}

export type QuestionKind = keyof Questions;

export type Question<Kind extends QuestionKind = QuestionKind> = {
  readonly [Each in Kind]: { readonly type: Each } & Questions[Each]['asked'];
}[Kind];

/** A question on its way to the host; the reply has the same id. */
export type Asked<Kind extends QuestionKind = QuestionKind> = {
  readonly [Each in Kind]: {
    readonly type: Each;
    readonly id: number;
  } & Questions[Each]['asked'];
}[Kind];

/** What the host replies; `failed`: it couldn't, and its log says why. */
export type Reply = { readonly type: 'reply'; readonly id: number } & (
  | {
      readonly [Each in QuestionKind]: {
        readonly to: Each;
        readonly value: Questions[Each]['reply'];
      };
    }[QuestionKind]
  | { readonly to: QuestionKind; readonly failed: true }
);

const kinds: Readonly<Record<QuestionKind, true>> = {
  searchMentions: true,
  findFiles: true,
  mark: true,
  usePrompt: true,
  answerElicitation: true,
};

export function isQuestion<T extends { readonly type: string }>(
  message: T,
): message is Extract<T, { readonly type: QuestionKind }> {
  return Object.hasOwn(kinds, message.type);
}

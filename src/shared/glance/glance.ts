import { asArray, isObject, type JsonObject } from '../../util/json';
import { parseSilent, type SilentMessage } from '../tone';
import type { BackgroundTask } from '../transcript/backgroundTask';

/** The view of all sessions at a glance: what its page shows, and what the user does there. */

/** The groups in the order in which they are shown; a session is in the first one that applies. */
export const glanceGroups = ['needsAnswer', 'running', 'done', 'review'] as const;
export type GlanceGroup = (typeof glanceGroups)[number];

interface GlanceAnswer {
  readonly optionId: string;
  readonly name: string;
  /** A codicon: what the option does, whatever its name. */
  readonly icon: string;
  /** The one that allows it this once. */
  readonly isMain: boolean;
}

/** A session. All texts are single lines of bounded length, except for `asked`. */
export interface GlanceItem {
  /** Identifies the session as long as the view exists. */
  readonly key: string;
  readonly group: GlanceGroup;
  readonly title: string;
  /** The session's agent, if there are several, and its Git branch, if it is known. */
  readonly where: string;
  /** When it began to run or was done, in ms since the epoch. */
  readonly since?: number;
  /** What it does, or how it ended. */
  readonly doing?: string;
  /** How far it is with the agent's list, if it keeps one. */
  readonly progress?: { readonly done: number; readonly count: number; readonly now?: string };
  /** The last line that the agent has said. */
  readonly said?: string;
  /** Who asks, if it is a subagent. */
  readonly asker?: string;
  /** What the user is asked, in full if it can be answered here. */
  readonly asked?: string;
  /** The request, if it can be answered here. */
  readonly request?: { readonly requestId: number; readonly answers: readonly GlanceAnswer[] };
  /** The number of files that wait for review. */
  readonly toReview: number;
  readonly canStop: boolean;
}

/** One of several requests that ask for the same, as `GlanceItem`. */
export interface GlanceSameRequest extends Pick<GlanceItem, 'key' | 'title' | 'where' | 'asker'> {
  readonly requestId: number;
  /** In which folders, each a line. */
  readonly folders: readonly string[];
}

/** Requests of several sessions that ask for exactly the same. */
export interface GlanceSame {
  /** What they ask for, in full. */
  readonly asked: string;
  readonly requests: readonly GlanceSameRequest[];
}

/** Something that an agent runs beside the turns of a session (V2-TURN-12). All texts are single lines. */
export interface GlanceTask
  extends Pick<BackgroundTask, 'id' | 'kind' | 'title' | 'canStop' | 'stop'> {
  /** Identifies the session, as in `GlanceItem`. */
  readonly key: string;
  /** The session's title. */
  readonly session: string;
  /** The last line that it has put out. */
  readonly line?: string;
}

export const newsKinds = ['asks', 'failed', 'finished', 'toReview'] as const;
export type NewsKind = (typeof newsKinds)[number];

/** What has happened since the window last had the focus, in numbers of sessions. */
export interface GlanceAway {
  /** In ms since the epoch. */
  readonly since: number;
  /** At least one, none of them 0. */
  readonly counts: readonly { readonly kind: NewsKind; readonly count: number }[];
}

/** Requests that are answered at once: as many as anyone reads. */
export const maxSameRequests = 20;

export interface ToGlance {
  readonly type: 'items';
  readonly items: readonly GlanceItem[];
  readonly same: readonly GlanceSame[];
  readonly tasks: readonly GlanceTask[];
  readonly away?: GlanceAway;
  /** The number of sessions that are left out because there are too many. */
  readonly left: number;
}

export type FromGlance =
  | { readonly type: 'ready' }
  | { readonly type: 'newSession' }
  /** The user knows what has happened. */
  | { readonly type: 'seeNews' }
  | { readonly type: 'openNews'; readonly kind: NewsKind }
  | SilentMessage
  | { readonly type: 'open' | 'stop' | 'review'; readonly key: string }
  | {
      readonly type: 'answer';
      readonly key: string;
      readonly requestId: number;
      readonly optionId: string;
    }
  | AnswerSame
  | { readonly type: 'openTask' | 'stopTask'; readonly key: string; readonly id: string };

/** The answer to these requests, which were all shown. */
export interface AnswerSame {
  readonly type: 'answerSame';
  readonly answer: SameAnswer;
  readonly requests: readonly Pick<GlanceSameRequest, 'key' | 'requestId'>[];
}

/** The kind of the option that is chosen for each; its name may be another one for each agent. */
export type SameAnswer = 'allow_once' | 'reject_once';

/** Longer than any key or id of an option. */
const maxIdLength = 20_000;

/** Checks a message from the page; `undefined` if it is none that the page could have sent. */
export function parseFromGlance(message: unknown): FromGlance | undefined {
  if (!isObject(message)) {
    return undefined;
  }
  const { type, key, requestId, optionId, id } = message;
  switch (type) {
    case 'ready':
    case 'newSession':
    case 'seeNews':
      return { type };
    case 'openNews': {
      const kind = newsKinds.find((one) => one === message['kind']);
      return kind && { type, kind };
    }
    case 'silent':
      return parseSilent(message);
    case 'open':
    case 'stop':
    case 'review':
      return isId(key) ? { type, key } : undefined;
    case 'answer':
      return isId(key) && isId(optionId) && Number.isSafeInteger(requestId)
        ? { type, key, requestId: requestId as number, optionId }
        : undefined;
    case 'openTask':
    case 'stopTask':
      return isId(key) && isId(id) ? { type, key, id } : undefined;
    case 'answerSame':
      return parseAnswerSame(message);
    default:
      return undefined;
  }
}

function parseAnswerSame({ answer, requests }: JsonObject): AnswerSame | undefined {
  if (answer !== 'allow_once' && answer !== 'reject_once') {
    return undefined;
  }
  const all = asArray(requests)
    .slice(0, maxSameRequests)
    .map((request) => (isObject(request) ? request : {}))
    .flatMap(({ key, requestId }) =>
      isId(key) && Number.isSafeInteger(requestId) ? [{ key, requestId: requestId as number }] : [],
    );
  return { type: 'answerSame', answer, requests: all };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxIdLength;
}

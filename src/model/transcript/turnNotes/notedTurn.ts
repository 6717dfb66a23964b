import { boundedId, boundedTitle } from '../../../protocol/bounds';
import type { FailureCode } from '../../../shared/failure';
import {
  answerers,
  type PermissionOption,
  type PermissionState,
} from '../../../shared/requests/agentQuestions';
import { type ToolKind, toolKinds } from '../../../shared/transcript/content';
import type {
  OwnAsk,
  PermissionEntry,
  TurnOutcome,
  TurnUsage,
} from '../../../shared/transcript/entries';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import { getBeginning } from '../../../util/textParts';

/** What this client knows of a turn and no agent replays; the rest is evidence for which turn it was. */
export interface NotedTurn {
  /** When the prompt was sent, in ms since the epoch. */
  readonly began: number;
  readonly ended?: number;
  readonly usage?: TurnUsage;
  readonly prompt: NotedPrompt;
  /** How many prompts with the same text there were above; absent if the history wasn't known. */
  readonly nth?: number;
  /** The ids of its tool calls and of the agent's messages, the first ones. */
  readonly ids: readonly string[];
  /** The digest of the agent's first message, unless that is too short to tell it from another one. */
  readonly reply?: string;
  /** The agent's messages and thoughts whose times are known, in order, the first ones. */
  readonly said?: readonly NotedMessage[];
  /** The answered requests for permission, in order. */
  readonly asked: readonly NotedQuestion[];
  readonly outcome?: TurnOutcome;
}

/** A prompt's text without white space, as its digest and length; `hasMore`: it had attachments, too. */
export interface NotedPrompt {
  readonly digest: string;
  readonly length: number;
  readonly hasMore?: true;
}

/** A message by the beginning of its digest, and when it began, in ms after the turn. */
export interface NotedMessage {
  readonly digest: string;
  readonly after: number;
}

/** A request as an entry, and the id of the nearest call above it, for those that are about no call of the agent. */
export interface NotedQuestion {
  readonly entry: Omit<PermissionEntry, 'requestId' | 'call'>;
  readonly after?: string;
}

export const maxTurns = 200;
export const maxIds = 60;
export const maxMessages = 60;
export const maxQuestions = 100;
/** Characters of a message's digest, which tells it from the others of its turn. */
export const messageDigest = 8;
const maxOptions = 20;
/** UTF-16 units of a text. */
const longest = 2_000;
/** UTF-16 units of the input of a call as JSON, which has its command. */
const maxInputLength = 4_000;

/** The turns in a stored text; those that have another shape are left out. */
export function readTurns(value: unknown): readonly NotedTurn[] {
  return asArray(value)
    .slice(-maxTurns)
    .flatMap((turn) => readTurn(turn) ?? []);
}

/** A request as it is kept: without what is large, and what only mattered while it waited. */
export function notedEntry(entry: PermissionEntry): NotedQuestion['entry'] | undefined {
  const { title, description, toolCall, options, state, own } = entry;
  const input = toolCall.rawInput === undefined ? '' : JSON.stringify(toolCall.rawInput);
  return readEntry({
    ...{ title, description, options, state, own },
    call: {
      ...{ id: toolCall.toolCallId, title: toolCall.title, kind: toolCall.toolKind },
      ...(input !== '' && input.length <= maxInputLength && { rawInput: toolCall.rawInput }),
    },
  });
}

/** The stored form. */
export function writeTurns(turns: readonly NotedTurn[]): unknown {
  return turns.map(({ asked, said, ...rest }) => ({
    ...rest,
    said: said?.map(({ digest, after }) => [digest, after]),
    asked: asked.map(({ after, entry: { toolCall, title, description, options, state, own } }) => ({
      after,
      ...{ title, description, options, state, own },
      call: {
        ...{ id: toolCall.toolCallId, title: toolCall.title, kind: toolCall.toolKind },
        rawInput: toolCall.rawInput,
      },
    })),
  }));
}

function readTurn(value: unknown): NotedTurn | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { began, ended, nth } = value;
  const prompt = readPrompt(value['prompt']);
  if (!isCount(began) || prompt === undefined) {
    return undefined;
  }
  const reply = digestIn(value['reply']);
  const usage = readUsage(value['usage']);
  const outcome = readOutcome(value['outcome']);
  const said = readMessages(value['said']);
  return {
    ...{ began, prompt },
    ...(isCount(ended) && ended >= began && { ended }),
    ...(usage && { usage }),
    ...(isCount(nth) && { nth }),
    ids: asArray(value['ids'])
      .slice(0, maxIds)
      .flatMap((id) => idIn(id) ?? []),
    ...(reply !== undefined && { reply }),
    ...(said.length > 0 && { said }),
    asked: asArray(value['asked'])
      .slice(0, maxQuestions)
      .flatMap((each) => readQuestion(each) ?? []),
    ...(outcome && { outcome }),
  };
}

function readUsage(value: unknown): TurnUsage | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { total, input, output, thought, cachedRead, cachedWrite } = value;
  return isCount(total) && isCount(input) && isCount(output)
    ? {
        ...{ total, input, output },
        ...(isCount(thought) && { thought }),
        ...(isCount(cachedRead) && { cachedRead }),
        ...(isCount(cachedWrite) && { cachedWrite }),
      }
    : undefined;
}

function readPrompt(value: unknown): NotedPrompt | undefined {
  const digest = isObject(value) ? digestIn(value['digest']) : undefined;
  return isObject(value) && digest !== undefined && isCount(value['length'])
    ? { digest, length: value['length'], ...(value['hasMore'] === true && { hasMore: true }) }
    : undefined;
}

function readMessages(value: unknown): readonly NotedMessage[] {
  return asArray(value)
    .slice(0, maxMessages)
    .flatMap((message) => {
      const [digest, after] = asArray(message);
      return typeof digest === 'string' && messageDigestForm.test(digest) && isCount(after)
        ? [{ digest, after }]
        : [];
    });
}

function readQuestion(value: unknown): NotedQuestion | undefined {
  const entry = isObject(value) ? readEntry(value) : undefined;
  const after = isObject(value) ? idIn(value['after']) : undefined;
  return entry && { entry, ...(after !== undefined && { after }) };
}

function readEntry(value: JsonObject): NotedQuestion['entry'] | undefined {
  const { call } = value;
  const options = asArray(value['options'])
    .slice(0, maxOptions)
    .flatMap((each) => readOption(each) ?? []);
  const state = readState(value['state'], options);
  const toolCallId = isObject(call) ? idIn(call['id']) : undefined;
  if (!isObject(call) || toolCallId === undefined || state === undefined) {
    return undefined;
  }
  const title = textIn(value['title']);
  const description = textIn(value['description']);
  const own = readOwn(value['own']);
  const rawInput = call['rawInput'];
  const isShort = isObject(rawInput) && JSON.stringify(rawInput).length <= maxInputLength;
  return {
    kind: 'permission',
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    toolCall: {
      kind: 'toolCall',
      toolCallId,
      title: boundedTitle(asString(call['title']) ?? ''),
      toolKind: toolKinds.find((kind) => kind === call['kind']) ?? ('other' satisfies ToolKind),
      status: 'pending',
      content: [],
      locations: [],
      ...(isShort && { rawInput }),
    },
    ...{ options, state },
    ...(own && { own }),
  };
}

const optionKinds = [
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
  'other',
] as const;

function readOption(value: unknown): PermissionOption | undefined {
  const optionId = isObject(value) ? idIn(value['optionId']) : undefined;
  return isObject(value) && optionId !== undefined
    ? {
        optionId,
        name: boundedTitle(asString(value['name']) ?? ''),
        kind: optionKinds.find((kind) => kind === value['kind']) ?? 'other',
      }
    : undefined;
}

/** A request that waits isn't kept: nobody has answered it. */
function readState(
  value: unknown,
  options: readonly PermissionOption[],
): PermissionState | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, optionId, by } = value;
  if (kind === 'cancelled') {
    return { kind };
  }
  const option = options.find((each) => each.optionId === optionId);
  const answerer = answerers.find((each) => each === by);
  return kind === 'selected' && option !== undefined && answerer !== undefined
    ? { kind, optionId: option.optionId, by: answerer }
    : undefined;
}

function readOwn(value: unknown): OwnAsk | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { act } = value;
  if (act === 'command' || act === 'run') {
    return { act, folder: textIn(value['folder']) ?? '' };
  }
  return act === 'write' || act === 'edit' || act === 'folder' ? { act } : undefined;
}

function readOutcome(value: unknown): TurnOutcome | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const stopReason = textIn(value['stopReason']);
  if (value['type'] === 'stopped' && stopReason !== undefined) {
    return { type: 'stopped', stopReason: boundedTitle(stopReason) };
  }
  const failure = isObject(value['failure']) ? value['failure'] : {};
  const code = failureCodes.find((each) => each === failure['code']);
  const title = textIn(failure['title']);
  const detail = textIn(failure['detail']);
  return value['type'] === 'failed' && code && title !== undefined && detail !== undefined
    ? { type: 'failed', failure: { code, title, detail, actions: [] }, canResend: false }
    : undefined;
}

/** The failures that a turn can end with. */
const failureCodes: readonly FailureCode[] = [
  ...(['exited', 'timeout', 'authRequired', 'gone', 'held', 'unsupported'] as const),
  ...(['cancelled', 'protocol', 'internal', 'imageRefused'] as const),
];

const digestForm = /^[\w-]{22}$/;
const messageDigestForm = /^[\w-]{8}$/;

function digestIn(value: unknown): string | undefined {
  return typeof value === 'string' && digestForm.test(value) ? value : undefined;
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && boundedId(value) === value
    ? value
    : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? getBeginning(value, longest) : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

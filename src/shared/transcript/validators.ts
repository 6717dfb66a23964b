import { isObject, type JsonObject } from '../../util/json';
import { type FailureAction, failureActions } from '../failure';
import { maxAnswerLength, maxPathLength } from '../lengths';
import type { FieldValue, FormValues } from '../requests/agentQuestions';
import { parseSilent } from '../tone';
import { branchActs } from './branches';
import { parseFind, parseMark } from './findMessages';
import { firstChoiceKinds } from './firstChoices';
import { directions, landmarks } from './outline';
import { parseDraft, parseHistory } from './parseDraft';
import { indexAt, numberAt } from './places';
import { parseSavedFolds } from './savedFolds';
import type {
  Anchor,
  CodePlace,
  FromWebview,
  SavedState,
  SavedTranscript,
} from './webviewMessages';

/** Longest text in a message from the webview, in UTF-16 units. */
const maxText = 10_000;
/** Maximum index: no transcript has as many entries, and index arithmetic stays exact. */
const maxIndex = 1_000_000_000;
/** Maximum rows that the webview may hold at a time. */
export const maxWindow = 1000;
const maxDirectories = 1000;
const maxDroppedFiles = 1000;
/** Maximum texts that the webview may ask about at a time, and the longest of them. */
export const maxMentions = 100;
export const maxMention = 300;
/** Maximum fields of a form, and maximum choices of a field. */
const maxFields = 1000;

const codeParts = ['blocks', 'content', 'rawInput', 'rawOutput'] as const;
const textParts = [...codeParts, 'command', 'whole'] as const;

type Parsers = {
  readonly [Type in FromWebview['type']]: (
    message: JsonObject,
  ) => Extract<FromWebview, { type: Type }> | undefined;
};

const parsers: Parsers = {
  ready: () => ({ type: 'ready' }),
  resync: () => ({ type: 'resync' }),
  typing: ({ typing }) => (typeof typing === 'boolean' ? { type: 'typing', typing } : undefined),
  silent: parseSilent,
  plan: ({ act, index }) =>
    isOneOf(act, ['open', 'continue']) && isPlace(index) ? { type: 'plan', act, index } : undefined,
  cancelLoad: () => ({ type: 'cancelLoad' }),
  window: ({ start, end, follow }) =>
    isIndex(start) &&
    isIndex(end) &&
    start <= end &&
    end - start <= maxWindow &&
    typeof follow === 'boolean'
      ? { type: 'window', start, end, follow }
      : undefined,
  unfold: ({ number, rows }) =>
    isIndex(number) && isIndex(rows) && rows <= maxWindow
      ? { type: 'unfold', number, rows }
      : undefined,
  stopSubagent: ({ number }) => (isIndex(number) ? { type: 'stopSubagent', number } : undefined),
  stopTask: ({ id }) => (isText(id) && id !== '' ? { type: 'stopTask', id } : undefined),
  showRow: ({ index }) => (isPlace(index) ? { type: 'showRow', index } : undefined),
  // The host says why it opens no link that is too long.
  openLink: ({ href }) => (isPath(href) && href !== '' ? { type: 'openLink', href } : undefined),
  openLocation: ({ index, location }) =>
    isPlace(index) && isIndex(location) ? { type: 'openLocation', index, location } : undefined,
  openDiff: ({ index, content }) =>
    isPlace(index) && isIndex(content) ? { type: 'openDiff', index, content } : undefined,
  openText: ({ index, part, item }) =>
    isPlace(index) && isIndex(item) && isOneOf(part, textParts)
      ? { type: 'openText', index, part, item }
      : undefined,
  findFiles: ({ id, texts }) =>
    isIndex(id) &&
    isTexts(texts, maxMentions) &&
    texts.length > 0 &&
    texts.every(({ length }) => length <= maxMention)
      ? { type: 'findFiles', id, texts }
      : undefined,
  prompt: ({ draft, now }) => {
    const parsed = parseDraft(draft);
    return parsed && { type: 'prompt', draft: parsed, ...(now === true && { now }) };
  },
  editInEditor: ({ draft }) => {
    const parsed = parseDraft(draft);
    return parsed && { type: 'editInEditor', draft: parsed };
  },
  usePrompt: ({ id, uri }) =>
    isIndex(id) && isText(uri) && uri !== '' ? { type: 'usePrompt', id, uri } : undefined,
  keep: () => ({ type: 'keep' }),
  cancelTurn: () => ({ type: 'cancelTurn' }),
  forceFinish: () => ({ type: 'forceFinish' }),
  sendAgain: ({ index }) => (isIndex(index) ? { type: 'sendAgain', index } : undefined),
  sendWhenReset: ({ index }) => (isIndex(index) ? { type: 'sendWhenReset', index } : undefined),
  removeQueued: ({ id }) => (isIndex(id) ? { type: 'removeQueued', id } : undefined),
  sendQueued: ({ id }) => (isIndex(id) ? { type: 'sendQueued', id } : undefined),
  sendNow: ({ id }) => (isIndex(id) ? { type: 'sendNow', id } : undefined),
  moveQueued: ({ id, to }) =>
    isIndex(id) && isIndex(to) ? { type: 'moveQueued', id, to } : undefined,
  draft: ({ draft }) => {
    const isPart = isObject(draft) && draft['attachments'] === undefined;
    const parsed = parseDraft(isPart ? { ...draft, attachments: [] } : draft);
    return parsed && { type: 'draft', draft: isPart ? { text: parsed.text } : parsed };
  },
  editQueued: ({ id }) => (isIndex(id) ? { type: 'editQueued', id } : undefined),
  setMode: ({ modeId }) => (isText(modeId) ? { type: 'setMode', modeId } : undefined),
  goOnInMode: () => ({ type: 'goOnInMode' }),
  setConfigOption: ({ configId, value }) =>
    isText(configId) && (isText(value) || typeof value === 'boolean')
      ? { type: 'setConfigOption', configId, value }
      : undefined,
  chooseFirst: ({ kind, value }) =>
    isOneOf(kind, firstChoiceKinds) && isText(value)
      ? { type: 'chooseFirst', kind, value }
      : undefined,
  answerPermission: ({ requestId, optionId }) =>
    isIndex(requestId) && isText(optionId)
      ? { type: 'answerPermission', requestId, optionId }
      : undefined,
  allowByRule: ({ requestId }) =>
    isIndex(requestId) ? { type: 'allowByRule', requestId } : undefined,
  answerElicitation: ({ id, requestId, action, values }) => {
    const parsed = parseFormValues(values);
    return isIndex(id) &&
      isIndex(requestId) &&
      isOneOf(action, ['accept', 'decline', 'cancel']) &&
      parsed
      ? { type: 'answerElicitation', id, requestId, action, values: parsed }
      : undefined;
  },
  searchMentions: ({ id, text }) =>
    isIndex(id) && isText(text) ? { type: 'searchMentions', id, text } : undefined,
  dropFiles: ({ uris }) =>
    isTexts(uris, maxDroppedFiles) ? { type: 'dropFiles', uris } : undefined,
  openAttachment: ({ attachment }) => {
    const [parsed] = parseDraft({ text: '', attachments: [attachment] })?.attachments ?? [];
    return parsed && { type: 'openAttachment', attachment: parsed };
  },
  pickFiles: () => ({ type: 'pickFiles' }),
  openTerminal: ({ terminalId }) =>
    isText(terminalId) ? { type: 'openTerminal', terminalId } : undefined,
  openChanges: () => ({ type: 'openChanges' }),
  openChange: ({ path }) => (isPath(path) ? { type: 'openChange', path } : undefined),
  reviewTurn: ({ turn, act }) =>
    isIndex(turn) && isOneOf(act, ['show', 'keep', 'undo', 'showUncertain', 'sendComments'])
      ? { type: 'reviewTurn', turn, act }
      : undefined,
  restoreBefore: ({ index }) => (isIndex(index) ? { type: 'restoreBefore', index } : undefined),
  branch: ({ act, index }) =>
    isOneOf(act, branchActs) && isIndex(index) ? { type: 'branch', act, index } : undefined,
  openOrigin: () => ({ type: 'openOrigin' }),
  openFork: ({ sessionId, agentId }) =>
    isText(sessionId) && sessionId !== '' && (agentId === undefined || isText(agentId))
      ? { type: 'openFork', sessionId, ...(agentId !== undefined && { agentId }) }
      : undefined,
  openFact: ({ opens }) =>
    isText(opens) && opens !== '' ? { type: 'openFact', opens } : undefined,
  action: ({ action }) =>
    isOneOf(action, Object.keys(failureActions) as FailureAction[])
      ? { type: 'action', action }
      : undefined,
  find: parseFind,
  mark: parseMark,
  copy: ({ what, index, last }) =>
    isOneOf(what, ['entry', 'turn']) && isIndex(index) && isIndex(last) && last - index < maxWindow
      ? { type: 'copy', what, index, last }
      : undefined,
  copyCode: (message) => {
    const place = parseCodePlace(message);
    return place && { type: 'copyCode', ...place };
  },
  useCode: (message) => {
    const { how, language } = message;
    const place = parseCodePlace(message);
    return place && isOneOf(how, ['insert', 'open']) && isText(language)
      ? { type: 'useCode', how, language, ...place }
      : undefined;
  },
  seek: ({ target, direction, from }) =>
    isOneOf(target, landmarks) && isOneOf(direction, directions) && isIndex(from)
      ? { type: 'seek', target, direction, from }
      : undefined,
};

/**
 * Validates a message from the webview; `undefined` unless it is exactly one of the intents:
 * numbers are non-negative integers, texts and windows are bounded, unknown properties are dropped.
 */
export function parseFromWebview(value: unknown): FromWebview | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') {
    return undefined;
  }
  const type = value['type'];
  return Object.hasOwn(parsers, type) ? parsers[type as FromWebview['type']](value) : undefined;
}

/** The state that the webview saved with `setState`; `undefined` if it is malformed. */
export function parseSavedState(value: unknown): SavedState | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const saved = parseSavedTranscript(value['saved']);
  return (
    saved && {
      saved,
      anchor: parseAnchor(value['anchor']),
      folds: parseSavedFolds(value['folds']),
      history: parseHistory(value['history']),
    }
  );
}

/** The identity of a session to restore; `undefined` if it is malformed. */
export function parseSavedTranscript(value: unknown): SavedTranscript | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { agentId, sessionId, cwd, additionalDirectories, title } = value;
  if (
    !isText(agentId) ||
    !isText(sessionId) ||
    !isPath(cwd) ||
    !isText(title) ||
    !isPaths(additionalDirectories)
  ) {
    return undefined;
  }
  return { agentId, sessionId, cwd, additionalDirectories, title };
}

/** The saved position; if it is malformed, the newest entry, where a transcript opens by default. */
function parseAnchor(value: unknown): Anchor {
  if (!isObject(value)) {
    return 'end';
  }
  const { index, offset } = value;
  return isIndex(index) && isIndex(offset) ? { index, offset } : 'end';
}

/** The values of a form; the model validates them (EL-6). */
function parseFormValues(value: unknown): FormValues | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const fields = Object.entries(value);
  return fields.length <= maxFields && fields.every(isField)
    ? Object.fromEntries(fields)
    : undefined;
}

function isField(field: [string, unknown]): field is [string, FieldValue] {
  const [name, value] = field;
  return (
    isText(name) &&
    (typeof value === 'boolean' ||
      Number.isFinite(value) ||
      (typeof value === 'string' && value.length <= maxAnswerLength) ||
      isTexts(value, maxFields))
  );
}

function parseCodePlace({ index, part, item, at }: JsonObject): CodePlace | undefined {
  return isPlace(index) && isOneOf(part, codeParts) && isIndex(item) && isIndex(at)
    ? { index, part, item, at }
    : undefined;
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxIndex;
}

/** An index, also one in the transcript of a subagent, see `placeIn`. */
function isPlace(value: unknown): value is number {
  return (
    Number.isSafeInteger(value) &&
    isIndex(numberAt(value as number)) &&
    isIndex(indexAt(value as number))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}

/** Whether a value may be a path, or a URI, which an agent may send where a path is expected. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxPathLength;
}

function isPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= maxDirectories && value.every(isPath);
}

function isTexts(value: unknown, most: number): value is string[] {
  return Array.isArray(value) && value.length <= most && value.every(isText);
}

function isOneOf<T extends string>(value: unknown, choices: readonly T[]): value is T {
  return (choices as readonly unknown[]).includes(value);
}

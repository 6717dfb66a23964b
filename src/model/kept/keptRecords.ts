import { parseDraft } from '../../shared/transcript/parseDraft';
import {
  type Attachment,
  type Draft,
  emptyDraft,
  isEmptyDraft,
} from '../../shared/transcript/prompt';
import { parseSavedTranscript } from '../../shared/transcript/validators';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { asArray, isObject, parseJson } from '../../util/json';
import type { SessionDefaults } from '../ports';
import type { KeptMode } from '../session/carefulMode';

/** What the user has written in a session and the agent hasn't answered. */
export interface KeptRecord {
  readonly saved: SavedTranscript;
  /** The last change, in ms since the epoch. */
  readonly time: number;
  readonly draft: Draft;
  /** Prompts that weren't sent. */
  readonly queue: readonly Draft[];
  /** The prompt of a running or interrupted turn. */
  readonly unfinished?: Draft;
  /** The session was created here and has never been prompted: the mode and options that the user chose in it. */
  readonly unprompted?: SessionDefaults;
  /** The session was in this mode, in which its agent changes nothing. */
  readonly mode?: KeptMode;
  /** The user has opened the session since the turn was interrupted. */
  readonly seen: boolean;
  /** The number of prompts and attachments that were too large to be kept. */
  readonly left: number;
}

/** Maximum stored size of one session, in bytes. */
const maxBytes = 1024 * 1024;
/** The format's version; records with another version are ignored. */
const version = 1;
const maxQueuedPrompts = 100;
const maxChoices = 50;
/** Maximum length of the id or the value of an option, in UTF-16 units. */
const maxChoiceLength = 1_000;
/** The estimated overhead of a prompt's text or an attachment's content, in bytes. */
const frame = 100;

export function isEmptyRecord({ draft, queue, unfinished, unprompted, mode }: KeptRecord): boolean {
  const isWritten = !isEmptyDraft(draft) || queue.length > 0 || unfinished !== undefined;
  return !isWritten && unprompted === undefined && mode === undefined;
}

export function writeRecord(record: KeptRecord): string {
  return JSON.stringify({ version, ...boundedRecord(record) });
}

/** The stored record; `undefined` when the text has another shape. */
export function readRecord(text: string): KeptRecord | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['version'] !== version) {
    return undefined;
  }
  const saved = parseSavedTranscript(value['saved']);
  const { time, left } = value;
  if (saved === undefined || !isCount(time)) {
    return undefined;
  }
  const unfinished = parseDraft(value['unfinished']);
  const queue = asArray(value['queue']).slice(0, maxQueuedPrompts).map(parseDraft);
  const unprompted = isObject(value['unprompted']) ? choicesIn(value['unprompted']) : undefined;
  return {
    saved,
    time,
    draft: parseDraft(value['draft']) ?? emptyDraft,
    queue: queue.filter((prompt) => prompt !== undefined),
    ...(unfinished && { unfinished }),
    ...(unprompted && { unprompted }),
    ...modeIn(value['mode']),
    seen: value['seen'] === true,
    left: isCount(left) ? left : 0,
  };
}

/** Keeps as much of the record as fits: first the texts, then the attachments. */
export function boundedRecord(record: KeptRecord): KeptRecord {
  const { saved, time, draft, unfinished, unprompted, mode, seen } = record;
  const room = new Room(maxBytes);
  const isDraftKept = room.take(draft.text);
  const kept = [unfinished, ...record.queue].filter(
    (prompt) => prompt !== undefined && room.take(prompt.text),
  );
  const isUnfinishedKept = unfinished !== undefined && kept.includes(unfinished);
  const queue = record.queue.filter((prompt) => kept.includes(prompt));
  const lost =
    Number(!isDraftKept) +
    Number(unfinished !== undefined && !isUnfinishedKept) +
    (record.queue.length - queue.length);
  const bounded = {
    saved,
    time,
    seen,
    draft: room.fit(isDraftKept ? draft : { ...draft, text: '' }),
    ...(isUnfinishedKept && { unfinished: room.fit(unfinished) }),
    ...(unprompted && { unprompted: choicesIn(unprompted) }),
    ...modeIn(mode),
    queue: queue.map((prompt) => room.fit(prompt)),
  };
  return { ...bounded, left: record.left + lost + room.refused };
}

function choicesIn(value: object): SessionDefaults {
  const isChoice = ([key, choice]: [string, unknown]): boolean =>
    key.length <= maxChoiceLength &&
    (typeof choice === 'boolean' ||
      (typeof choice === 'string' && choice.length <= maxChoiceLength));
  return Object.fromEntries(Object.entries(value).filter(isChoice).slice(0, maxChoices));
}

function modeIn(value: unknown): { readonly mode?: KeptMode } {
  const { option, value: mode } = isObject(value) ? choicesIn(value) : {};
  return typeof mode === 'string'
    ? { mode: { ...(typeof option === 'string' && { option }), value: mode } }
    : {};
}

/** Counts bytes in their stored form. */
class Room {
  #left: number;
  /** The number of attachments that didn't fit. */
  refused = 0;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(text: string): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(text)) + frame;
    const fits = bytes <= this.#left;
    this.#left -= fits ? bytes : 0;
    return fits;
  }

  fit(draft: Draft): Draft {
    const attachments = draft.attachments.filter((attachment) => this.take(getContent(attachment)));
    this.refused += draft.attachments.length - attachments.length;
    return attachments.length === draft.attachments.length ? draft : { ...draft, attachments };
  }
}

function getContent(attachment: Attachment): string {
  switch (attachment.type) {
    case 'file':
      return attachment.name + attachment.uri;
    case 'image':
      return attachment.name + attachment.data;
    case 'selection':
    case 'text':
      return attachment.name + attachment.uri + attachment.text;
    case 'context':
      return attachment.name + attachment.about;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

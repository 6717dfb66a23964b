import { parseDraft } from '../../shared/prompt/parseDraft';
import { type Attachment, type Draft, emptyDraft, isEmptyDraft } from '../../shared/prompt/prompt';
import { parseSavedTranscript } from '../../shared/transcript/validators';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { asArray, isObject } from '../../util/json';

/** What a person has written in a session and the agent hasn't answered. */
export interface KeptRecord {
  readonly saved: SavedTranscript;
  /** When it changed last, in ms. */
  readonly time: number;
  readonly draft: Draft;
  /** Prompts that weren't sent. */
  readonly queue: readonly Draft[];
  /** The prompt of a turn that runs or was interrupted. */
  readonly unfinished?: Draft;
  /** The person has opened the session since the turn was interrupted. */
  readonly seen: boolean;
  /** Prompts and attachments that were too large to be kept. */
  readonly left: number;
}

/** Bytes of one session as it is stored. */
const mostBytes = 1024 * 1024;
/** Stored with this number; what has another one is another version's. */
const version = 1;
const mostQueued = 100;
/** Beside the text of a prompt and the contents of an attachment, in bytes. */
const frame = 100;

export function isEmptyRecord({ draft, queue, unfinished }: KeptRecord): boolean {
  return isEmptyDraft(draft) && queue.length === 0 && unfinished === undefined;
}

export function writeRecord(record: KeptRecord): string {
  return JSON.stringify({ version, ...boundedRecord(record) });
}

/** What was stored, or nothing when it is not of that shape. */
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
  const queue = asArray(value['queue']).slice(0, mostQueued).map(parseDraft);
  return {
    saved,
    time,
    draft: parseDraft(value['draft']) ?? emptyDraft,
    queue: queue.filter((prompt) => prompt !== undefined),
    ...(unfinished && { unfinished }),
    seen: value['seen'] === true,
    left: isCount(left) ? left : 0,
  };
}

/** As much of it as can be kept: the texts first, then what goes along with them. */
export function boundedRecord(record: KeptRecord): KeptRecord {
  const { saved, time, draft, unfinished, seen } = record;
  const room = new Room(mostBytes);
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
    queue: queue.map((prompt) => room.fit(prompt)),
  };
  return { ...bounded, left: record.left + lost + room.refused };
}

/** Counts bytes as they are stored. */
class Room {
  #left: number;
  /** Attachments that found none. */
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
    const attachments = draft.attachments.filter((attachment) => this.take(contentOf(attachment)));
    this.refused += draft.attachments.length - attachments.length;
    return attachments.length === draft.attachments.length ? draft : { ...draft, attachments };
  }
}

function contentOf(attachment: Attachment): string {
  switch (attachment.type) {
    case 'file':
      return attachment.name + attachment.uri;
    case 'selection':
      return attachment.name + attachment.uri + attachment.text;
    case 'image':
      return attachment.name + attachment.data;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

import type { SessionUpdate } from '../../../protocol/updates';
import { isUnfinished } from '../../../shared/transcript/content';
import type { Entry, TurnFacts } from '../../../shared/transcript/entries';
import { chosenKind } from '../askedCalls';
import { callAbove } from '../callAbove';
import type { Transcript } from '../transcript';
import type { NotedQuestion, NotedTurn } from './notedTurn';
import { isPromptEntry, promptAt } from './noteTurns';
import { digestOf, evidenceIn, isPrompt, plainText } from './turnEvidence';

/** An id of this length isn't one that an agent counts, and so may use again in another turn. */
const uniqueLength = 8;

/** A turn that the agent is replaying. */
interface Replayed {
  /** Index of its prompt. */
  readonly start: number;
  /** The notes of turns with this prompt, and how many prompts like each there were above. */
  readonly candidates: ReadonlyMap<NotedTurn, number>;
  found: NotedTurn | undefined;
  /** What was already said. */
  readonly told: Set<NotedQuestion>;
}

/**
 * Says again what is known of earlier turns while the agent replays them: who allowed what, when a turn was, and how it
 * ended. A note belongs to a turn with the same prompt whose ids or reply are the same, too, or which is the only one
 * with that prompt; what isn't certain is left out.
 */
export class Retelling {
  readonly #transcript: Transcript;
  readonly #nextRequestId: () => number;
  readonly #told: (turn: TurnFacts) => void;
  /** Notes that no turn was found for yet. */
  readonly #notes: Set<NotedTurn>;
  /** How many replayed prompts were like that of a note. */
  readonly #seen = new Map<NotedTurn, number>();
  #turn: Replayed | undefined;
  /** Index of the first entry of the prompt that is being replayed. */
  #prompt: number | undefined;
  #known: number;

  /** `told` is called with what was said again of a turn. */
  constructor(
    transcript: Transcript,
    notes: readonly NotedTurn[],
    nextRequestId: () => number,
    told: (turn: TurnFacts) => void = () => undefined,
  ) {
    this.#transcript = transcript;
    this.#notes = new Set(notes);
    this.#nextRequestId = nextRequestId;
    this.#told = told;
    this.#known = transcript.entries.length;
  }

  /** Call before an update of the replay is applied. */
  before(update: SessionUpdate): void {
    if (isPromptUpdate(update) && this.#turn !== undefined && !endsTurn(update)) {
      this.end();
    }
  }

  /** Call after it was applied. */
  after(): void {
    const { entries } = this.#transcript;
    for (; this.#known < entries.length; this.#known++) {
      const entry = entries[this.#known];
      if (entry?.kind === 'user') {
        if (isPromptEntry(entry) && !mayEnd(plainText(entry.blocks))) {
          this.#prompt ??= this.#known;
        }
      } else if (entry !== undefined) {
        this.#begin();
        this.#tellCall(entry, this.#known);
      }
    }
  }

  /** Whether turns may still follow that something is known of. */
  get isExpecting(): boolean {
    const turn = this.#prompt === undefined ? this.#turn : this.#read(this.#prompt);
    const found = turn && (turn.found ?? this.#findNote(turn, this.#transcript.entries.length));
    const last = found?.began ?? -1;
    return [...this.#notes].some((note) => note !== found && note.began >= last);
  }

  /** The last turn is over: the replay has ended, or a prompt follows. */
  end(): void {
    this.#begin();
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn !== undefined) {
      this.#tellTurn(turn, true);
    }
  }

  /** `isLast`: nothing has followed the turn, so that more can be added to it. */
  #tellTurn(turn: Replayed, isLast: boolean): void {
    const { entries } = this.#transcript;
    const note = turn.found ?? this.#findNote(turn, entries.length);
    const prompt = entries[turn.start];
    if (note === undefined || prompt?.kind !== 'user') {
      return;
    }
    this.#notes.delete(note);
    const { began, ended, usage, asked, outcome } = note;
    for (const question of isLast ? asked : []) {
      this.#tell(turn, question);
    }
    const facts = { began, ...(ended !== undefined && { ended }), ...(usage && { usage }) };
    this.#transcript.replace(turn.start, { ...prompt, turn: facts });
    this.#told(facts);
    this.#tellTimes(turn.start, note);
    const hasEnd = entries.slice(turn.start).some(({ kind }) => kind === 'turn');
    if (outcome !== undefined && isLast && !hasEnd) {
      if (outcome.type === 'stopped' && outcome.stopReason === 'cancelled') {
        this.#transcript.cancelUnfinished(turn.start);
      }
      this.#transcript.add({ kind: 'turn', outcome });
    }
    this.#known = entries.length;
  }

  /** Says when messages began; those that the agent has replayed in other pieces have no time. */
  #tellTimes(start: number, { began, said = [] }: NotedTurn): void {
    const { entries } = this.#transcript;
    let next = 0;
    let index = start;
    while (isPromptEntry(entries[index])) {
      index++;
    }
    for (
      ;
      next < said.length && index < entries.length && !isPromptEntry(entries[index]);
      index++
    ) {
      const entry = entries[index];
      if (entry?.kind === 'agent' || entry?.kind === 'thought') {
        const digest = digestOf(entry);
        const found = said.findIndex((noted, at) => at >= next && noted.digest === digest);
        const noted = said[found];
        if (noted !== undefined) {
          this.#transcript.replace(index, { ...entry, seen: began + noted.after });
          next = found + 1;
        }
      }
    }
  }

  /** The prompt is complete. */
  #begin(): void {
    const { entries } = this.#transcript;
    const first = this.#prompt ?? entries.length;
    this.#prompt = undefined;
    // What began like a prompt may have become something else, such as the end of the turn before.
    const start = nextPrompt(entries, first);
    if (start === undefined) {
      return;
    }
    if (this.#turn !== undefined) {
      this.#tellTurn(this.#turn, false);
    }
    this.#turn = this.#read(start);
    for (const [note, seen] of this.#turn.candidates) {
      this.#seen.set(note, seen + 1);
    }
  }

  #read(start: number): Replayed {
    const text = promptAt(this.#transcript.entries, start);
    const candidates = new Map<NotedTurn, number>();
    for (const note of this.#notes) {
      if (isPrompt(note.prompt, text)) {
        candidates.set(note, this.#seen.get(note) ?? 0);
      }
    }
    return { start, candidates, found: undefined, told: new Set() };
  }

  #tellCall(entry: Entry, index: number): void {
    const turn = this.#turn;
    if (turn === undefined || entry.kind !== 'toolCall') {
      return;
    }
    const { toolCallId } = entry;
    turn.found ??= this.#byCall(turn, toolCallId);
    for (const question of turn.found?.asked ?? []) {
      const { own, toolCall } = question.entry;
      if (
        toolCall.toolCallId === toolCallId ||
        (own !== undefined && question.after === toolCallId)
      ) {
        this.#tell(turn, question, index);
      }
    }
  }

  /** The note of the turn that a call with this id belongs to, as far as that can be said already. */
  #byCall({ candidates }: Replayed, toolCallId: string): NotedTurn | undefined {
    const named = [...candidates].filter(([{ ids }]) => ids.includes(toolCallId));
    const inPlace = named.filter(([{ nth }, seen]) => nth === seen);
    const sure = toolCallId.length >= uniqueLength && named.length === 1 ? named : inPlace;
    return sure.length === 1 ? sure[0]?.[0] : undefined;
  }

  #findNote({ start, candidates }: Replayed, end: number): NotedTurn | undefined {
    const { ids, reply } = evidenceIn(this.#transcript.entries, start + 1, end);
    const all = [...candidates];
    const has = ({ ids: noted }: NotedTurn, isSure: (id: string) => boolean): boolean =>
      noted.some((id) => isSure(id) && ids.includes(id));
    const alike = all.filter(
      ([note, seen]) =>
        has(note, (id) => id.length >= uniqueLength || note.nth === seen) ||
        (reply !== undefined && note.reply === reply),
    );
    if (alike.length > 0) {
      const inPlace = alike.filter(([{ nth }, seen]) => nth === seen);
      const sure = alike.length === 1 ? alike : inPlace;
      return sure.length === 1 ? sure[0]?.[0] : undefined;
    }
    const [only] = all;
    if (only === undefined || all.length > 1) {
      return undefined;
    }
    const [note, seen] = only;
    const differs =
      (reply !== undefined && note.reply !== undefined) || (ids.length > 0 && note.ids.length > 0);
    return note.nth === seen && note.prompt.length > 0 && !differs ? note : undefined;
  }

  /** Adds the entry of a request; `call` is that of the call that was just replayed. */
  #tell(turn: Replayed, question: NotedQuestion, call?: number): void {
    if (turn.told.has(question)) {
      return;
    }
    turn.told.add(question);
    const transcript = this.#transcript;
    const { toolCallId } = question.entry.toolCall;
    const known = transcript.toolCall(toolCallId);
    const above = question.entry.own ? undefined : callAbove(transcript.entries, toolCallId);
    const entry = {
      ...question.entry,
      ...(known !== undefined && question.entry.own === undefined && { toolCall: known }),
      requestId: this.#nextRequestId(),
      ...(above !== undefined && { call: above }),
    };
    transcript.add(entry);
    const isRejected = ['reject_once', 'reject_always'].includes(chosenKind(entry) ?? '');
    const status = known?.status;
    if (isRejected && call !== undefined && known !== undefined && status !== undefined) {
      if (status === 'failed' || isUnfinished(status)) {
        transcript.replace(call, { ...known, status: 'rejected' });
      }
    }
  }
}

function nextPrompt(entries: readonly Entry[], from: number): number | undefined {
  for (let index = from; index < entries.length; index++) {
    if (isPromptEntry(entries[index])) {
      return index;
    }
  }
  return undefined;
}

function isPromptUpdate({ sessionUpdate }: SessionUpdate): boolean {
  return sessionUpdate === 'user_message_chunk' || sessionUpdate === 'user_message';
}

/** What some agents replay as the user’s word is the end of the turn itself; it may come in pieces. */
function endsTurn(update: SessionUpdate): boolean {
  return update.sessionUpdate === 'user_message_chunk' && mayEnd(plainText([update.content]));
}

const end = '[Requestinterruptedbyuser';

function mayEnd(text: string): boolean {
  return text !== '' && (text.startsWith(end) || end.startsWith(text));
}

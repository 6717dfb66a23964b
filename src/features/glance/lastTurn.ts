import * as l10n from '@vscode/l10n';
import { plainLine } from '../../model/text/plainLine';
import { cleanText } from '../../model/text/titles';
import type { GlanceItem } from '../../shared/glance/glance';
import { type Entry, endsTurn } from '../../shared/transcript/entries';

/** How many entries are looked at from the end: a session with more after its last message has nothing new to say. */
const maxEntries = 200;
/** Length of the end of a message that is read for its last line. */
const maxTailLength = 2_000;
const maxLineLength = 200;

/** What is shown of the last turn of a session whose transcript is gone. */
export type LastTurn = Pick<GlanceItem, 'since' | 'doing' | 'said'>;

/** The sessions that have ended last; older ones are shown without what they said. */
const maxKeptSessions = 100;

/** The last turns of sessions that have ended: one without a tab is closed then, with its transcript. */
export class KeptTurns {
  readonly #turns = new Map<string, LastTurn>();

  note(key: string, entries: readonly Entry[]): void {
    this.#turns.delete(key);
    this.#turns.set(key, getLastTurn(entries));
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > maxKeptSessions && oldest !== undefined) {
      this.#turns.delete(oldest);
    }
  }

  get(key: string): LastTurn | undefined {
    return this.#turns.get(key);
  }
}

/** How the last turn has ended, and what was said. */
export function getLastTurn(entries: readonly Entry[]): LastTurn {
  const said = findLastLine(entries);
  const end = findTurnEnd(entries);
  return {
    ...(end?.at !== undefined && { since: end.at }),
    ...(end?.outcome !== undefined && { doing: end.outcome }),
    ...(said !== undefined && { said }),
  };
}

/** What a session does right now, from the end of its transcript. */
export function describeWork(entries: readonly Entry[]): string {
  for (const entry of latest(entries)) {
    if (entry.kind === 'user') {
      break;
    }
    if (entry.kind === 'toolCall' && isOpen(entry.status)) {
      return cleanText(entry.title, maxLineLength) || l10n.t('Working…');
    }
  }
  switch (entries.at(-1)?.kind) {
    case 'thought':
      return l10n.t('Thinking…');
    case 'agent':
      return l10n.t('Writing…');
    default:
      return l10n.t('Working…');
  }
}

/** The last line that the agent has said since the last prompt, or before it, without its Markdown marks. */
export function findLastLine(entries: readonly Entry[]): string | undefined {
  for (const entry of latest(entries)) {
    if (entry.kind === 'agent') {
      const block = entry.blocks.findLast(({ type }) => type === 'text');
      const tail = block?.type === 'text' ? block.text.slice(-maxTailLength) : '';
      const line = tail
        .split('\n')
        .map((each) => plainLine(each, maxLineLength))
        .findLast(Boolean);
      if (line !== undefined) {
        return line;
      }
    }
  }
  return undefined;
}

/** When the last turn ended, if it was prompted here, and how, if it didn't end normally. */
export function findTurnEnd(
  entries: readonly Entry[],
): { readonly at: number | undefined; readonly outcome: string | undefined } | undefined {
  let outcome: string | undefined;
  for (const entry of latest(entries)) {
    if (entry.kind === 'turn') {
      outcome ??= outcomeText(entry.outcome);
    } else if (entry.kind === 'user') {
      return { at: entry.turn?.ended, outcome };
    }
  }
  return undefined;
}

function outcomeText(outcome: Extract<Entry, { kind: 'turn' }>['outcome']): string {
  if (outcome.type === 'failed') {
    return cleanText(outcome.failure.title, maxLineLength);
  }
  if (endsTurn(outcome)) {
    return l10n.t('Answered nothing');
  }
  return outcome.stopReason === 'cancelled' ? l10n.t('Stopped') : l10n.t('Ended early');
}

function* latest(entries: readonly Entry[]): Generator<Entry> {
  const end = Math.max(0, entries.length - maxEntries);
  for (let index = entries.length - 1; index >= end; index--) {
    const entry = entries[index];
    if (entry !== undefined) {
      yield entry;
    }
  }
}

function isOpen(status: string): boolean {
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}

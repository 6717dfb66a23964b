import { setImmediate } from 'node:timers/promises';
import type { Session } from '../../../model/session/session';
import type { ShownTranscript } from '../../../model/transcript/shownTranscript';
import { textWriter } from '../../../model/transcript/textWriter';
import type { TextHeader } from '../../../model/transcript/transcriptText';
import type { Entry } from '../../../shared/transcript/entries';

/** Time after which to yield to the event loop, in ms. */
const slice = 10;

/** The source of a session's text: a copy that doesn't change when the session continues or is closed. */
export interface TextSource {
  readonly header: TextHeader;
  readonly entries: readonly Entry[];
}

/** A session, or what is cached of it. */
interface Readable extends Pick<Session, 'title' | 'agent' | 'info'> {
  readonly shown: Pick<ShownTranscript, 'entries' | 'cachedAt'>;
}

export function getTextSource({ title, agent, info, shown }: Readable): TextSource {
  const { cwd, sessionId, updatedAt } = info;
  const { cachedAt } = shown;
  return {
    header: {
      ...{ title, agentTitle: agent.title, cwd, sessionId },
      ...(updatedAt !== undefined && { updatedAt }),
      ...(cachedAt !== undefined && { cachedAt }),
    },
    entries: makeCopy(shown.entries),
  };
}

/** Copies the entries, with what subagents did so far. */
function makeCopy(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.kind === 'subagent' ? { ...entry, entries: makeCopy(entry.entries) } : entry,
  );
}

/** A session as Markdown, in pieces. Rejects when `signal` aborts. */
export async function getMarkdown(
  { header, entries }: TextSource,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { transcriptMarkdown } = await textWriter();
  return collect(transcriptMarkdown(header, entries), signal);
}

/** The pieces of a session's JSON Lines, see `transcriptJsonLines`. Rejects when `signal` aborts. */
export async function getJsonLines(
  { header, entries }: TextSource,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { transcriptJsonLines } = await textWriter();
  return collect(transcriptJsonLines(header, entries), signal);
}

/** Collects all pieces and yields to the event loop regularly. Rejects when `signal` aborts. */
async function collect<T>(pieces: Iterable<T>, signal?: AbortSignal): Promise<T[]> {
  const collected: T[] = [];
  let sliceEnd = performance.now() + slice;
  for (const piece of pieces) {
    collected.push(piece);
    if (performance.now() > sliceEnd) {
      await setImmediate();
      signal?.throwIfAborted();
      sliceEnd = performance.now() + slice;
    }
  }
  return collected;
}

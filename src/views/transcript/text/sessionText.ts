import type { Session } from '../../../model/session/session';
import { collect } from '../../../model/text/collect';
import type { TextHeader } from '../../../model/transcript/transcriptText';
import { entryUpdates } from '../../../model/transcript/transcriptUpdates';
import type { Entry } from '../../../shared/transcript/entries';

/** The source of a session's text: a copy that doesn't change when the session continues or is closed. */
export interface TextSource {
  readonly header: TextHeader;
  readonly entries: readonly Entry[];
}

export function textSourceOf({ title, agent, info, transcript }: Session): TextSource {
  const { cwd, sessionId, updatedAt } = info;
  const header = { title, agentTitle: agent.title, cwd, sessionId };
  return {
    header: updatedAt === undefined ? header : { ...header, updatedAt },
    entries: [...transcript.entries],
  };
}

/** A session as Markdown, in pieces. Rejects when `signal` aborts. */
export async function markdownOf(
  { header, entries }: TextSource,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { transcriptMarkdown } = await import('../../../model/transcript/transcriptText');
  return collect(transcriptMarkdown(header, entries), signal);
}

/**
 * A session as lines of JSON: `session/update` params, beginning with the title. Entries that yield no
 * update are left out; see `entryUpdates`. Rejects when `signal` aborts.
 */
export function jsonLinesOf(source: TextSource, signal?: AbortSignal): Promise<readonly string[]> {
  return collect(jsonLines(source), signal);
}

function* jsonLines({ header, entries }: TextSource): Generator<string, void> {
  const { sessionId, title, updatedAt } = header;
  const info = { sessionUpdate: 'session_info_update', title, updatedAt };
  yield `${JSON.stringify({ sessionId, update: info })}\n`;
  for (const entry of entries) {
    yield entryUpdates(entry, sessionId)
      .map((params) => `${JSON.stringify(params)}\n`)
      .join('');
  }
}

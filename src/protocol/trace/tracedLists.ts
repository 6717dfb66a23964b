import { asArray, asString, isObject } from '../../util/json';
import { boundedId } from '../bounds';
import type { TracedSession, TracedSessions } from './tracedSessions';

/** Maximum number of rows, as in an answer to a client: no page has more. */
const maxRows = 10_000;

interface TracedPage {
  readonly sessions: readonly TracedSession[];
  readonly nextCursor: string | undefined;
}

/** The lists in a trace, page by page, as they were last read. */
export class TracedLists {
  /** The lists by the folder of the query, then by its cursor. */
  readonly #lists = new Map<string | undefined, Map<string | undefined, TracedPage>>();

  /** Takes an answer to `session/list`; folder and cursor are bounded, for they are only compared. */
  add(
    { cwd, cursor }: { readonly cwd: string | undefined; readonly cursor: string | undefined },
    result: unknown,
    sessions: TracedSessions,
  ): void {
    if (!isObject(result)) {
      return;
    }
    const listed = asArray(result['sessions'])
      .slice(0, maxRows)
      .map((row) => {
        const session = isObject(row) ? sessions.of(row['sessionId']) : undefined;
        if (session !== undefined && isObject(row)) {
          sessions.describe(session, row);
        }
        return session;
      })
      .filter((session) => session !== undefined);
    const pages = this.#lists.get(cwd) ?? new Map<string | undefined, TracedPage>();
    this.#lists.set(cwd, pages);
    const nextCursor = asString(result['nextCursor']);
    pages.set(cursor, {
      sessions: listed,
      nextCursor: nextCursor === undefined ? undefined : boundedId(nextCursor),
    });
  }

  /** The pages of all lists in the order in which the cursors lead to them, one list after the other. */
  get pages(): readonly (readonly TracedSession[])[] {
    return [...this.#lists.values()].flatMap((pages) => {
      const walked: (readonly TracedSession[])[] = [];
      // Each page once: cursors may lead in circles.
      const left = new Map(pages);
      let cursor: string | undefined;
      do {
        const page = left.get(cursor);
        left.delete(cursor);
        if (page !== undefined) {
          walked.push(page.sessions);
        }
        cursor = page?.nextCursor;
      } while (cursor !== undefined);
      return walked;
    });
  }
}

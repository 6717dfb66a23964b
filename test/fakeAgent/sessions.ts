import { isObject } from './message';
import type { GeneratedSessions, Json } from './scenario';

const newest = Date.UTC(2026, 0, 31, 12);

/** `session-0001` is the newest. */
export function generateSessions({ count, cwd }: GeneratedSessions): readonly Json[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    return {
      sessionId: `session-${number}`,
      cwd,
      title: `Session ${number}`,
      updatedAt: new Date(newest - index * 60_000).toISOString(),
    };
  });
}

/** One page as an outcome: the rows of `cwd`, from the cursor on. */
export function listPage(
  sessions: readonly Json[],
  pageSize: number,
  params: { readonly [key: string]: Json },
): { [key: string]: Json } {
  const { cwd, cursor } = params;
  const rows = sessions.filter(
    (row) => typeof cwd !== 'string' || (isObject(row) && row['cwd'] === cwd),
  );
  let start = 0;
  if (typeof cursor === 'string') {
    start = Number(/^after:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? NaN);
    if (Number.isNaN(start)) {
      return { error: { code: -32602, message: 'Invalid cursor' } };
    }
  }
  const end = start + pageSize;
  const page = { sessions: rows.slice(start, end) };
  if (end >= rows.length) {
    return { result: page };
  }
  return { result: { ...page, nextCursor: Buffer.from(`after:${end}`).toString('base64') } };
}

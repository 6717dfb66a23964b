import * as z from 'zod';
import { unusable } from '../vocabulary/requestErrors';

/**
 * Where a page ended: the last row's position in the order "newest first, then by id", and the
 * filter it was listed with. A position rather than an offset, so that sessions which are added,
 * deleted or moved between pages neither repeat nor hide another session.
 */
export interface RowPosition {
  readonly updatedAt: number;
  readonly sessionId: string;
}

const encoded = z.strictObject({ u: z.number(), s: z.string(), f: z.string() });

export function encodeCursor(place: RowPosition, filter: string): string {
  const value = { u: place.updatedAt, s: place.sessionId, f: filter };
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}

/** Throws -32602 for anything that `encodeCursor` didn't return for this filter (LIST-10). */
export function decodeCursor(cursor: string, filter: string): RowPosition {
  const invalid = unusable('The cursor is not valid: list again from the first page');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalid;
  }
  const parsed = encoded.safeParse(value);
  if (!parsed.success) {
    throw invalid;
  }
  const place = { updatedAt: parsed.data.u, sessionId: parsed.data.s };
  // Decoding base64 ignores invalid characters: only the exact text that was issued is accepted.
  if (parsed.data.f !== filter || encodeCursor(place, filter) !== cursor) {
    throw invalid;
  }
  return place;
}

/** Newest first; the id breaks ties, so that the order is total. */
export function byPlace(a: RowPosition, b: RowPosition): number {
  if (a.updatedAt !== b.updatedAt) {
    return b.updatedAt - a.updatedAt;
  }
  return a.sessionId < b.sessionId ? 1 : a.sessionId > b.sessionId ? -1 : 0;
}

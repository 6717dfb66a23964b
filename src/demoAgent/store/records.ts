import * as z from 'zod';
import type { DemoUpdate } from '../vocabulary/demoUpdates';
import { settingsSchema } from './demoSettings';

const metaSchema = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  additionalDirectories: z.array(z.string()),
  title: z.string(),
  /** Whether the user chose the title; if so, no prompt replaces it. */
  titledByPerson: z.boolean(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  archived: z.boolean(),
  settings: settingsSchema,
});

/** A session's metadata: everything but its history. */
export type SessionMeta = Readonly<z.infer<typeof metaSchema>>;

/**
 * One line of a session's file. `update` lines are the history, in order; each `meta` line holds
 * the complete metadata at that time, so a listing only needs the last one.
 */
export type StoredRecord =
  | { readonly type: 'meta'; readonly meta: SessionMeta }
  | { readonly type: 'update'; readonly update: DemoUpdate };

/** How a `meta` line starts: `formatRecord` writes the type first. */
export const metaPrefix = '{"type":"meta"';

export function formatRecord(record: StoredRecord): string {
  return record.type === 'meta'
    ? `${metaPrefix},"meta":${JSON.stringify(record.meta)}}\n`
    : `{"type":"update","update":${JSON.stringify(record.update)}}\n`;
}

/** The metadata on a `meta` line; `undefined` for a torn or any other line. */
export function parseMeta(line: string): SessionMeta | undefined {
  const parsed = z.object({ meta: metaSchema }).safeParse(parseJson(line));
  return parsed.success ? parsed.data.meta : undefined;
}

/** The update on an `update` line; `undefined` for a torn or any other line. */
export function parseUpdate(line: string): DemoUpdate | undefined {
  if (!line.startsWith('{"type":"update"')) {
    return undefined;
  }
  const record = parseJson(line) as { update: DemoUpdate } | undefined;
  return record?.update;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

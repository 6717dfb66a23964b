import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod';
import { settingsSchema } from './settings';

const metaSchema = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  additionalDirectories: z.array(z.string()),
  title: z.string(),
  /** Whether a person chose the title: then no prompt replaces it. */
  titledByPerson: z.boolean(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  archived: z.boolean(),
  settings: settingsSchema,
});

/** All that is known of a session besides what happened in it. */
export type SessionMeta = Readonly<z.infer<typeof metaSchema>>;

/**
 * One line of a session's file. `update` lines are the history, in order; each `meta` line is the
 * whole of the facts at that time, so that the last one is all that a listing needs.
 */
export type StoredRecord =
  | { readonly type: 'meta'; readonly meta: SessionMeta }
  | { readonly type: 'update'; readonly update: SessionUpdate };

/** How a `meta` line begins: `formatRecord` writes the type first. */
export const metaPrefix = '{"type":"meta"';

export function formatRecord(record: StoredRecord): string {
  return record.type === 'meta'
    ? `${metaPrefix},"meta":${JSON.stringify(record.meta)}}\n`
    : `{"type":"update","update":${JSON.stringify(record.update)}}\n`;
}

/** The facts on a `meta` line; nothing for a line that is torn or isn't one. */
export function parseMeta(line: string): SessionMeta | undefined {
  const parsed = z.object({ meta: metaSchema }).safeParse(parseJson(line));
  return parsed.success ? parsed.data.meta : undefined;
}

/** The update on a line; nothing for a line that is torn or isn't one. */
export function parseUpdate(line: string): SessionUpdate | undefined {
  if (!line.startsWith('{"type":"update"')) {
    return undefined;
  }
  const record = parseJson(line) as { update: SessionUpdate } | undefined;
  return record?.update;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

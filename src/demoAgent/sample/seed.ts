import { createHash } from 'node:crypto';
import path from 'node:path';
import { defaultSettings } from '../store/demoSettings';
import type { SessionMeta } from '../store/records';
import type { SessionStore } from '../store/sessionStore';
import { cartCent } from './rich/cartCent';
import { migration } from './rich/migration';
import { nightlyBackup } from './rich/nightlyBackup';
import { SampleTranscript } from './sampleTranscript';
import { type SampleSession, toSample } from './shortSession';
import { short } from './shortSessions';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** Newest first, with the richer sessions near the top. */
const sessions: readonly SampleSession[] = [
  cartCent,
  ...short.slice(0, 2).map(toSample),
  migration,
  ...short.slice(2, 5).map(toSample),
  nightlyBackup,
  ...short.slice(5).map(toSample),
];

/**
 * Writes a folder's sample history, from minutes ago back to a year ago, denser toward the
 * present. Existing sessions are left unchanged. `now` is in milliseconds since the epoch.
 */
export async function seedSample(store: SessionStore, cwd: string, now: number): Promise<void> {
  const home = path.resolve(cwd);
  for (const [index, session] of sessions.entries()) {
    const folder =
      session.otherFolder === undefined ? home : path.join(path.dirname(home), session.otherFolder);
    const sessionId = getId(home, session.title);
    if ((await store.find(sessionId)) === undefined) {
      const transcript = new SampleTranscript(folder);
      session.write(transcript);
      await store.create(
        getMeta(sessionId, folder, session, now - getAge(index)),
        transcript.updates,
      );
    }
  }
}

/**
 * The id of a session: always the same for a folder and title, so that a second run finds the sessions of the first.
 */
function getId(cwd: string, title: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([cwd, title]))
    .digest('hex');
  return `sample-${hash.slice(0, 24)}`;
}

/**
 * Age in milliseconds: a few sessions today, a handful on each of the previous days, then fewer and
 * fewer, back to a year ago.
 */
function getAge(index: number): number {
  const days = 365 * (index / (sessions.length - 1)) ** 4.2;
  return 4 * minute + index * 23 * minute + days * day;
}

function getMeta(
  sessionId: string,
  cwd: string,
  session: SampleSession,
  updatedAt: number,
): SessionMeta {
  return {
    sessionId,
    cwd,
    additionalDirectories: [],
    title: session.title,
    titledByPerson: false,
    createdAt: updatedAt - 20 * minute,
    updatedAt,
    archived: false,
    settings: defaultSettings,
  };
}

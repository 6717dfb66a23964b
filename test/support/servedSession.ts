import type { ServedSession } from '../../src/model/session/ownServers';

/** A session that a tool works for: it may read everything, and the user has answered nothing. */
export function servedSession(more: Partial<ServedSession> = {}): ServedSession {
  const unanswered = (): Promise<never> => Promise.reject(new Error('Nobody is asked here'));
  return {
    agentId: 'demo',
    sessionId: 's',
    cwd: '/work',
    inward: (file) => file,
    outward: (file) => file,
    has: () => Promise.resolve(true),
    canRead: () => Promise.resolve(true),
    readable: (files) => Promise.resolve(new Set(files)),
    edit: unanswered,
    run: unanswered,
    ask: unanswered,
    ...more,
  };
}

import { run } from '../../../src/commands/run';
import { createSession, showNew } from '../../../src/commands/session/newSession';
import type { TestApi } from '../../../src/extension';

/** Begins a session at once and shows it, as from a prompt in an editor; without a row, the user is asked where. */
export function beginSession(api: TestApi, row?: unknown): Promise<void> {
  return run({
    id: 'begin',
    command: async () => {
      const session = await createSession(api, row);
      if (session !== undefined) {
        await showNew(api, session);
      }
    },
    getTitle: () => api.agents.all[0]?.title ?? '',
    log: api.log.component('commands'),
  });
}

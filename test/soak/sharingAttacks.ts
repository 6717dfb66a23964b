import assert from 'node:assert/strict';
import net from 'node:net';
import { until } from '../support/until';
import { type SharedPeers, sharePeers } from '../unit/protocol/share/sharedPeers';
import type { Check, CheckRun } from './check';

/** A check on an agent that is shared. */
function sharing(
  name: string,
  run: (shared: SharedPeers, run: CheckRun) => Promise<string>,
): Check {
  return {
    name,
    run: async (how) => {
      const shared = await sharePeers();
      try {
        return await run(shared, how);
      } finally {
        await shared.server.stop();
      }
    },
  };
}

/** Attacks on an agent that is shared, with and without its token. */
export const sharingAttacks: readonly Check[] = [
  sharing('connections without a token to a shared agent', async ({ server, client }, run) => {
    const { random, size } = run;
    const begun = { silent: 0, wrong: 0, half: 0 };
    const sockets = new Set<net.Socket>();
    const one = await (await client().open()).initialize();
    for (let round = 0; round < size(40, 4); round++) {
      for (let count = 0; count < 100; count++) {
        const kind = random.pick(['silent', 'wrong', 'half'] as const);
        begun[kind] += 1;
        if (kind === 'wrong') {
          client(`Bearer ${random.next()}`);
          continue;
        }
        const socket = net.connect(Number(server.url.port), '127.0.0.1');
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
        sockets.add(socket);
        if (kind === 'half') {
          socket.write('GET /acp HTTP/1.1\r\nHost: localhost\r\n');
        }
      }
      await until(() => sockets.size <= 64);
      const other = await (await client().open()).initialize();
      other.socket.close();
      await until(() => server.clients.length === 1);
    }
    assert.ok('result' in (await one.ask('session/list')));
    for (const socket of sockets) {
      socket.destroy();
    }
    return `${begun.silent} silent, ${begun.half} half, ${begun.wrong} with a wrong token`;
  }),
];

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InstalledAgents } from '../../src/features/registry/model/binary/installedAgents';
import { unpack } from '../../src/features/registry/model/binary/unpack';
import type { RegistryBinary } from '../../src/features/registry/model/registryAgent';
import { silentLog } from '../unit/model/fakes';
import type { Check } from './check';
import type { Random } from './random';

/** Attacks by a registry whose entries change between two looks at it. */
export const downloadAttacks: readonly Check[] = [
  {
    name: 'a registry that changes what it offers as the same version',
    run: async ({ random, size }) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-soak-'));
      try {
        const server = new ChangingServer();
        const agents = installedIn(folder, server);
        const task = { signal: new AbortController().signal, onStep: () => undefined };
        const agreed = new Map<string, string>();
        const offers = size(100, 20);
        for (let offer = 0; offer < offers; offer++) {
          const { binary, text } = server.offer(random);
          const key = JSON.stringify(binary);
          // Without a checksum, the bytes are those that were there when it was agreed to.
          const bytes = agreed.get(key) ?? text;
          agreed.set(key, bytes);
          const { command, binary: recorded } = await agents.install('poet', binary, task);
          assert.deepEqual(recorded, binary);
          assert.deepEqual(command.slice(1), binary.args);
          assert.equal(readFileSync(command[0] ?? '', 'utf8'), bytes, 'another program is run');
        }
        assert.equal(server.downloads, agreed.size, 'what was agreed to is downloaded once');
        assert.equal((await agents.versions('poet')).length, agreed.size);
        return `${offers} offers, ${agreed.size} programs`;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];

/** Offers variations of one version, and sends the bytes of the last one. */
class ChangingServer {
  downloads = 0;
  #text = '';

  offer(random: Random): { readonly binary: RegistryBinary; readonly text: string } {
    const text = `#!/bin/sh\n# ${random.below(3)}\n`;
    const sha256 = createHash('sha256').update(text).digest('hex');
    this.#text = text;
    const binary = {
      version: random.pick(['1.0.0', '1.0.0-a', '1.0.0+a']),
      archive: `https://example.com/${random.pick(['poet', 'a/poet'])}`,
      sha256: random.chance(0.8) ? sha256 : undefined,
      cmd: random.pick([['poet'], ['bin', 'poet']]),
      args: random.pick([[], ['acp'], ['acp', '--yolo'], ['acp --yolo']]),
      env: random.pick([{}, { STYLE: 'a' }, { STYLE: 'b' }]),
      refusedEnv: [],
    };
    return { binary, text };
  }

  readonly fetch = (): Promise<Response> => {
    this.downloads += 1;
    return Promise.resolve(new Response(this.#text));
  };
}

function installedIn(folder: string, { fetch }: ChangingServer): InstalledAgents {
  return new InstalledAgents({
    folder,
    fetch,
    lookup: () => Promise.resolve(['93.184.215.14']),
    registry: () => undefined,
    platform: process.platform,
    unpack: (request) => unpack(request),
    isRunning: () => Promise.resolve(false),
    log: silentLog,
  });
}

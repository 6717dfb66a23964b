import assert from 'node:assert/strict';
import type { SessionList } from '../../../../src/model/agent';
import { RemoteFolders } from '../../../../src/model/places/remoteFolders';

const url = 'wss://build.example:8080/acp';

describe('folders of an agent on another machine', () => {
  it('are mapped where the settings say so, and marked otherwise', () => {
    const pathMappings = [{ theirs: '/srv/app', ours: '/home/me/app' }];
    const folders = new RemoteFolders({ url, pathMappings });
    assert.equal(folders.isMapped('/home/me/app/sub'), true);
    assert.equal(folders.isMapped('/home/me/other'), false);
    assert.equal(folders.mark('/srv/other'), '/[build.example:8080]/srv/other');
  });

  it('are those of its sessions, each once, at most twenty, and none of this machine', () => {
    const pathMappings = [{ theirs: '/srv/app', ours: '/home/me/app' }];
    const folders = new RemoteFolders({ url, pathMappings });
    const cwds = [
      '/home/me/app',
      ...[
        '/[build.example:8080]/srv/b',
        '/[build.example:8080]/C:/c',
        '/[build.example:8080]/srv/b',
      ],
      '/[other.example]/srv/d',
      ...Array.from({ length: 40 }, (_, index) => `/[build.example:8080]/many/${index}`),
    ];
    const rows = cwds.map((cwd) => ({ info: { cwd } }));
    const agent = { lists: { of: () => ({ rows }) as unknown as SessionList } };
    const found = folders.ofSessions(agent);
    assert.deepEqual(found.slice(0, 3), ['/srv/b', 'C:/c', '/many/0']);
    assert.equal(found.length, 20);
  });
});

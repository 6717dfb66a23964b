import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AgentRegistry } from '../../../../../src/features/registry/model/agentRegistry';
import { maxRegistryBytes } from '../../../../../src/features/registry/model/fetchRegistry';
import { RegistryError } from '../../../../../src/features/registry/model/registryError';
import { FolderOfTexts } from '../../../../../src/platform/storage/storedTexts';
import { entry, RegistryServer, registryOf } from '../../../../support/registryServer';

describe('the agent registry', () => {
  let server: RegistryServer;
  let folder: string;
  let logged: string[];
  beforeEach(async () => {
    server = await RegistryServer.start();
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-registry-'));
    logged = [];
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Facts {
    readonly address?: string;
    readonly patience?: number;
    readonly hosts?: Readonly<Record<string, readonly string[]>>;
  }

  function registry({ address = server.address, patience = 20_000, hosts = {} }: Facts = {}) {
    const log = (message: string): void => void logged.push(message);
    return new AgentRegistry({
      address,
      texts: new FolderOfTexts(folder),
      fetch: (input, init) => fetch(input, init),
      lookup: (host) =>
        hosts[host] === undefined
          ? Promise.reject(new Error('unknown'))
          : Promise.resolve(hosts[host]),
      patience,
      log: { error: log, warn: log, info: log, debug: log, trace: log },
    });
  }

  const idsOf = (agents: readonly { readonly id: string }[]): string[] =>
    agents.map(({ id }) => id);
  const never = new AbortController().signal;

  async function refusal(facts?: Facts): Promise<string> {
    const error = await registry(facts)
      .refresh(never)
      .then(
        () => assert.fail('it was read'),
        (reason: unknown) => reason,
      );
    assert.ok(error instanceof RegistryError, String(error));
    return `${error.message} ${error.detail}`;
  }

  it('is known without a network: as it was when this version was built, then as last read', async () => {
    const built = await registry().known();
    assert.ok(built.length >= 10);
    assert.equal(server.requests.length, 0, 'nothing is asked');
    server.serve(registryOf(entry('poet')));
    assert.deepEqual(idsOf(await registry().refresh(never)), ['poet']);
    assert.deepEqual(idsOf(await registry().known()), ['poet']);
    assert.equal(server.requests.length, 1);
  });

  it('SEC-43: is asked for changes only, and tells the server nothing else', async () => {
    server.serve(registryOf(entry('poet')));
    await registry().refresh(never);
    assert.deepEqual(idsOf(await registry().refresh(never)), ['poet']);
    const [first, second] = server.requests;
    assert.equal(first?.['if-none-match'], undefined);
    assert.equal(second?.['if-none-match'], '"1"');
    for (const request of server.requests) {
      assert.deepEqual(
        [request['cookie'], request['authorization'], request['referer']],
        [...[undefined, undefined, undefined]],
      );
    }
    server.serve(registryOf(entry('novelist')), '"2"');
    assert.deepEqual(idsOf(await registry().refresh(never)), ['novelist']);
  });

  it('is asked nothing when it is turned off, whatever is stored', async () => {
    server.serve(registryOf(entry('poet')));
    await registry().refresh(never);
    const off = registry({ address: '' });
    assert.ok(idsOf(await off.refresh(never)).includes('claude-acp'));
    assert.ok(!idsOf(await off.known()).includes('poet'));
    assert.equal(server.requests.length, 1);
  });

  it('keeps each address apart: a mirror may have other agents', async () => {
    server.serve(registryOf(entry('poet')));
    await registry().refresh(never);
    const mirror = registry({ address: `${server.origin}/mirror.json` });
    assert.ok(!idsOf(await mirror.known()).includes('poet'));
    await mirror.refresh(never);
    assert.equal(server.requests[1]?.['if-none-match'], undefined);
  });

  it('leaves out what it can’t use, names it in the log, and reads the rest', async () => {
    server.serve(registryOf(entry('poet'), 7, entry('Bad Id'), entry('poet'), entry('novelist')));
    assert.deepEqual(idsOf(await registry().refresh(never)), ['poet', 'novelist']);
    assert.equal(logged.length, 3);
    assert.match(logged[1] ?? '', /entry 3 \(Bad Id\)/);
    assert.match(logged[2] ?? '', /entry 4 \(poet\): its id is that of an earlier entry/);
  });

  it('writes a bounded number of lines about bad entries', async () => {
    server.serve(registryOf(entry('poet'), ...Array.from({ length: 60 }, () => null)));
    await registry().refresh(never);
    assert.equal(logged.length, 21);
    assert.match(logged.at(-1) ?? '', /40 more/);
  });

  const lies: readonly (readonly [string, (lying: RegistryServer) => void, RegExp])[] = [
    [
      'a page of HTML',
      (lying) => lying.serve('<!doctype html><p>Sign in', '"2"'),
      /isn’t an agent registry/,
    ],
    [
      'JSON of something else',
      (lying) => lying.serve('{"servers":[]}', '"2"'),
      /isn’t an agent registry/,
    ],
    [
      'no usable entry',
      (lying) => lying.serve(registryOf({ id: 'x' }), '"2"'),
      /none of its entries/,
    ],
    [
      'a 304 to one who has nothing',
      (lying) => {
        lying.answer = (_, response) => response.writeHead(304).end();
      },
      /304/,
    ],
    [
      'an error',
      (lying) => {
        lying.answer = (_, response) => response.writeHead(503).end('{}');
      },
      /503/,
    ],
    [
      'bytes that are no text',
      (lying) => {
        lying.answer = (_, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe]));
      },
      /no UTF-8/,
    ],
    [
      'an end without a beginning',
      (lying) => {
        lying.answer = (_, response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write(registryOf(entry('half')).slice(0, 50));
          setImmediate(() => response.destroy());
        };
      },
      /can’t be reached/,
    ],
    [
      'another registry from the middle on',
      (lying) => {
        const [old, young] = [registryOf(entry('poet')), registryOf(entry('novelist'))];
        lying.answer = (_, response) => response.end(old.slice(0, 60) + young.slice(90));
      },
      /isn’t an agent registry/,
    ],
    [
      'an endless list',
      (lying) => {
        lying.answer = (_, response) => {
          const more = (): void => {
            while (!response.destroyed && response.write(' '.repeat(65_536)));
          };
          response.on('drain', more);
          response.on('error', () => undefined);
          more();
        };
      },
      /too large/,
    ],
  ];
  for (const [what, lie, words] of lies) {
    it(`SEC-44: refuses ${what}, and keeps what it had`, async () => {
      server.serve(registryOf(entry('kept')));
      await registry().refresh(never);
      const files = await readdir(folder);
      const before = await readFile(path.join(folder, files[0] ?? ''), 'utf8');
      lie(server);
      const { address } = server;
      const text = await refusal({
        address: what.includes('nothing') ? `${address}?new` : address,
      });
      assert.match(text, words);
      assert.deepEqual(await readdir(folder), files);
      assert.equal(await readFile(path.join(folder, files[0] ?? ''), 'utf8'), before);
      assert.deepEqual(idsOf(await registry().known()), ['kept']);
    });
  }

  it('SEC-107: takes a registry of just the limit, and refuses twice as much', async () => {
    const text = registryOf(entry('poet'));
    server.serve(text + ' '.repeat(maxRegistryBytes - text.length));
    assert.deepEqual(idsOf(await registry().refresh(never)), ['poet']);
    assert.deepEqual(idsOf(await registry().known()), ['poet']);
    server.serve(text + ' '.repeat(2 * maxRegistryBytes), '"2"');
    assert.match(await refusal(), /too large/);
  });

  it('SEC-107: waits for a slow server only so long, also in the middle of its answer', async () => {
    server.answer = () => undefined;
    assert.match(await refusal({ patience: 50 }), /took too long/);
    server.answer = (_, response) => void response.write('{"agents":');
    assert.match(await refusal({ patience: 50 }), /took too long/);
  });

  it('says that a server that is gone can’t be reached, and why in the log', async () => {
    const { address } = server;
    await server.close();
    assert.match(await refusal({ address }), /can’t be reached/);
    assert.match(logged[0] ?? '', /ECONNREFUSED/);
    server = await RegistryServer.start();
  });

  it('stops when the user has closed the list', async () => {
    const abort = new AbortController();
    server.answer = () => abort.abort(new Error('closed'));
    await assert.rejects(registry().refresh(abort.signal), /closed/);
    assert.deepEqual(logged, []);
  });

  for (const location of [
    'file:///etc/passwd',
    'http://10.0.0.1/registry.json',
    'https://10.0.0.1/registry.json',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fd00::1]/',
    'https://2130706433/',
    'https://localhost./',
    'https://printer.local/',
    'https://inside.example/',
    'https://user:word@example.com/',
    'ftp://example.com/',
    'data:application/json,{}',
    'http://example.com/registry.json',
    'https://',
  ]) {
    it(`SEC-43: doesn’t follow to ${location}`, async () => {
      server.redirect(location);
      const hosts = { 'inside.example': ['93.184.216.34', '10.1.2.3'] };
      assert.match(await refusal({ hosts }), /isn’t safe to read/);
      assert.equal(server.requests.length, 1);
    });
  }

  it('follows on the same server, but not without an end', async () => {
    server.answer = (request, response) => {
      if (request.url === '/registry.json') {
        response.writeHead(301, { location: '/v2/registry.json' }).end();
      } else {
        response.end(registryOf(entry('poet')));
      }
    };
    assert.deepEqual(idsOf(await registry().refresh(never)), ['poet']);
    server.redirect('/registry.json');
    server.requests.length = 0;
    assert.match(await refusal(), /from address to address/);
    assert.equal(server.requests.length, 6);
  });

  for (const address of [
    'http://example.com/registry.json',
    'http://10.0.0.1/registry.json',
    'file:///home/me/registry.json',
    'registry.json',
    'https://me:secret@example.com/registry.json',
  ]) {
    it(`SEC-43: isn’t read from ${address}`, async () => {
      const text = await refusal({ address });
      assert.match(text, /must/);
      assert.ok(![text, ...logged].join().includes('secret'));
    });
  }

  it('ignores a stored text that someone has changed', async () => {
    server.serve(registryOf(entry('poet')));
    await registry().refresh(never);
    const texts = new FolderOfTexts(folder);
    const [name = ''] = [...(await texts.readAll()).keys()];
    for (const text of ['', '[]', '{"etag":"\\"1\\""}', '{"etag":"\\"1\\"","text":"{}"}']) {
      await texts.write(name, text);
      assert.ok(idsOf(await registry().known()).includes('claude-acp'));
      assert.deepEqual(
        idsOf(await registry().refresh(never)),
        ['poet'],
        'and reads all of it again',
      );
    }
  });
});

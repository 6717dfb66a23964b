import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { maxIconBytes } from '../../../../../../src/features/registry/model/icons/checkIcon';
import {
  maxIcons,
  maxIconUnits,
  RegistryIcons,
} from '../../../../../../src/features/registry/model/icons/registryIcons';
import { readRegistry } from '../../../../../../src/features/registry/model/readRegistry';
import { FolderOfTexts } from '../../../../../../src/platform/storage/storedTexts';
import { entry, RegistryServer, registryOf } from '../../../../../support/registryServer';
import { silentLog } from '../../../../model/fakes';

const drawing = (radius = 3): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="${radius}"/></svg>`;
const week = 7 * 86_400_000;

describe('the icons of the agent registry', () => {
  let server: RegistryServer;
  let elsewhere: RegistryServer;
  let folder: string;
  let now: number;
  beforeEach(async () => {
    server = await RegistryServer.start();
    elsewhere = await RegistryServer.start();
    elsewhere.answer = (_, response) => response.end(drawing());
    server.answer = (_, response) => response.end(drawing());
    folder = await mkdtemp(path.join(os.tmpdir(), 'acp-icons-'));
    now = 1_000;
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
    await rm(folder, { recursive: true, force: true });
  });

  const icons = (address = server.address, patience = 20_000) =>
    new RegistryIcons({
      ...{ address, patience, now: () => now, log: silentLog },
      texts: new FolderOfTexts(folder),
      fetch: (input, init) => fetch(input, init),
    });

  /** Agents whose icons are at these addresses, by default on the server of the registry. */
  const agentsWith = (...addresses: readonly unknown[]) =>
    readRegistry(
      registryOf(
        ...addresses.map((icon, index) =>
          entry(`a${index}`, {
            icon: typeof icon === 'string' && icon.startsWith('/') ? server.origin + icon : icon,
          }),
        ),
      ),
    )?.agents ?? [];
  const never = new AbortController().signal;
  const pathsOf = (of: RegistryServer): unknown[] => of.requests.map(({ url }) => url);

  it('are fetched once a week, and known without the network then', async () => {
    const agents = agentsWith('/a.svg', '/b.svg', '/a.svg');
    assert.equal((await icons().known()).size, 0);
    const fetched = await icons().refresh(agents, never);
    assert.deepEqual(pathsOf(server).sort(), ['/a.svg', '/b.svg']);
    const icon = fetched.get(`${server.origin}/a.svg`);
    assert.equal(icon, drawing());
    assert.deepEqual(await icons().known(), fetched);
    now += week - 1;
    assert.deepEqual(await icons().refresh(agents, never), fetched);
    assert.equal(server.requests.length, 2);
    now += 1;
    server.answer = (_, response) => response.end(drawing(5));
    const later = await icons().refresh(agents, never);
    assert.match(later.get(`${server.origin}/a.svg`) ?? '', /r="5"/);
    assert.deepEqual(
      server.requests.map((each) => [each['cookie'], each['authorization'], each['referer']]),
      Array.from({ length: 4 }, () => [undefined, undefined, undefined]),
    );
  });

  it('stay as they were while the server is in trouble, and go with their agents', async () => {
    const agents = agentsWith('/a.svg');
    const before = await icons().refresh(agents, never);
    now += week;
    server.answer = (_, response) => response.writeHead(503).end();
    assert.deepEqual(await icons().refresh(agents, never), before);
    await icons().refresh(agentsWith('/b.svg'), never);
    assert.equal((await icons().known()).size, 0);
  });

  it('SEC-45: come from the server of the registry only', async () => {
    const { origin } = elsewhere;
    const port = new URL(origin).port;
    const found = await icons().refresh(
      agentsWith(
        `${origin}/a.svg`,
        `http://localhost:${port}/a.svg`,
        'file:///etc/passwd',
        'data:image/svg+xml,<svg/>',
        'javascript:alert(1)',
        `${server.origin.replace('//', '//me:secret@')}/a.svg`,
        7,
        { toString: 'x' },
      ),
      never,
    );
    assert.equal(found.size, 0);
    assert.deepEqual([...server.requests, ...elsewhere.requests], []);
  });

  it('aren’t asked for if the registry is turned off', async () => {
    await icons().refresh(agentsWith('/a.svg'), never);
    assert.equal((await icons('').refresh(agentsWith('/b.svg'), never)).size, 0);
    assert.equal((await icons('').known()).size, 0);
    assert.equal(server.requests.length, 1);
  });

  const lies: Readonly<Record<string, RequestListener>> = {
    'a page of HTML': (_, response) => response.end('<!doctype html><p>Sign in'),
    'an error with an icon': (_, response) => response.writeHead(404).end(drawing()),
    'twice as much as it may': (_, response) =>
      response.end(drawing().replace('><', `><!--${' '.repeat(2 * maxIconBytes)}--><`)),
    'something without an end': (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      response.on('error', () => undefined);
      more();
    },
    'a break in the middle': (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('<svg viewBox="0 0 16 16">');
      setImmediate(() => response.destroy());
    },
  };
  for (const [what, answer] of Object.entries(lies)) {
    it(`of a server that sends ${what} are left out, and others aren’t`, async () => {
      server.answer = (request, response) =>
        request.url === '/a.svg' ? answer(request, response) : response.end(drawing());
      const found = await icons().refresh(agentsWith('/a.svg', '/b.svg'), never);
      assert.deepEqual([...found.keys()], [`${server.origin}/b.svg`]);
    });
  }

  it('SEC-45: aren’t followed to another address, not even on the same server', async () => {
    for (const location of [
      `${elsewhere.origin}/a.svg`,
      'file:///etc/passwd',
      'data:image/svg+xml,<svg/>',
      '/b.svg',
    ]) {
      server.redirect(location);
      assert.equal((await icons().refresh(agentsWith('/a.svg'), never)).size, 0);
    }
    assert.deepEqual(pathsOf(server), ['/a.svg', '/a.svg', '/a.svg', '/a.svg']);
    assert.deepEqual(elsewhere.requests, []);
  });

  it('SEC-108: aren’t waited for beyond their time, and no longer than the list is open', async () => {
    const known = await icons().refresh(agentsWith('/a.svg'), never);
    const agents = agentsWith('/a.svg', '/b.svg', '/c.svg');
    server.answer = () => undefined;
    assert.deepEqual(await icons(server.address, 50).refresh(agents, never), known);
    const closed = new AbortController();
    server.answer = () => closed.abort();
    assert.deepEqual(await icons().refresh(agents, closed.signal), known);
  });

  it('SEC-108: are asked for a few at a time, and not more than so many', async () => {
    let [open, most] = [0, 0];
    server.answer = (_, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        response.end(drawing());
      });
    };
    const all = Array.from({ length: 2 * maxIcons }, (_, index) => `/${index}.svg`);
    assert.equal((await icons().refresh(agentsWith(...all), never)).size, maxIcons);
    assert.equal(server.requests.length, maxIcons);
    assert.ok(most <= 4, `${most}`);
  });

  it('are kept as long as there is room for all of them', async () => {
    const large = drawing().replace('/>', `/><path d="M0 0${'h1'.repeat(13_000)}"/>`);
    server.answer = (_, response) => response.end(large);
    const count = Math.ceil((2 * maxIconUnits) / large.length);
    const all = Array.from({ length: count }, (_, index) => `/${index}.svg`);
    assert.equal((await icons().refresh(agentsWith(...all), never)).size, count);
    const kept = (await icons().known()).size;
    assert.ok(kept > count / 3 && kept < count / 1.9, `${kept} of ${count}`);
  });

  it('SEC-45: that someone has changed on the disk are checked again', async () => {
    await icons().refresh(agentsWith('/a.svg'), never);
    const texts = new FolderOfTexts(folder);
    const [[name, text] = ['', '']] = await texts.readAll();
    assert.ok(text.includes('<circle'));
    await texts.write(name, text.replace('<circle', '<script/><circle'));
    assert.equal((await icons().known()).size, 0);
    for (const other of ['', '[]', '{"a":7}', '{"a":{"at":"b","text":1}}']) {
      await texts.write(name, other);
      assert.equal((await icons().known()).size, 0);
    }
  });
});

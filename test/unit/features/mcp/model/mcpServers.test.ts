import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ConfiguredMcpServers } from '../../../../../src/features/mcp/model/mcpServers';
import {
  getFingerprint,
  type McpInput,
  readMcpFile,
} from '../../../../../src/features/mcp/model/mcpSettings';
import type { Workspace } from '../../../../../src/model/ports';
import { realPath } from '../../../../../src/platform/files/realPath';
import { Consents } from '../../../../../src/platform/storage/consents';
import { deferred } from '../../../../../src/util/async';
import { Emitter } from '../../../../../src/util/emitter';
import { HeldSecrets } from '../../../../../src/util/secrets/heldSecrets';
import { posixOnly } from '../../../../support/posixOnly';
import { until } from '../../../../support/until';
import { makePipe } from '../../../model/files/hostileFiles';

describe('MCP servers for a session', () => {
  let folder: string;
  let folders: string[];
  let trusted: boolean;
  let setting: unknown;
  let given: Record<string, string | undefined>;
  let agreed: boolean;
  let secrets: Map<string, string>;
  let held: HeldSecrets;
  let kept: Consents;
  let home: string;
  let asked: McpInput[];
  let consents: (readonly string[])[];
  let logged: string[];
  /** Settles when the user answers. */
  let answered: Promise<unknown>;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-mcp-')));
    folders = [folder];
    [trusted, setting, given, agreed] = [true, undefined, {}, true];
    secrets = new Map();
    held = new HeldSecrets();
    kept = new Consents(path.join(folder, 'consents'));
    home = path.join(folder, 'home');
    [asked, consents, logged] = [[], [], []];
    answered = Promise.resolve();
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  function open(): ConfiguredMcpServers {
    const workspace: Workspace = {
      folders: folders.map((path) => ({ name: 'folder', path })),
      get trusted() {
        return trusted;
      },
      onDidChange: new Emitter<void>().event,
    };
    const log = (message: string): void => {
      logged.push(message);
    };
    return new ConfiguredMcpServers({
      workspace,
      realPath,
      setting: () => setting,
      secrets: {
        get: (key) => Promise.resolve(secrets.get(key)),
        store: (key, value) => Promise.resolve(void secrets.set(key, value)),
        delete: (key) => Promise.resolve(void secrets.delete(key)),
        keys: () => Promise.resolve([...secrets.keys()]),
      },
      consents: kept,
      ownConsents: new Consents(path.join(folder, 'own-consents')),
      askForInput: async (input) => {
        asked.push(input);
        await answered;
        return given[input.id];
      },
      askForConsent: (_, commands) => {
        consents.push(commands);
        return Promise.resolve(agreed);
      },
      tell: () => undefined,
      noted: () => undefined,
      environment: {},
      home,
      log: { error: log, warn: log, info: log, debug: log, trace: log },
      held,
    });
  }

  function writeMcpFile(value: unknown, where = folder): void {
    fs.mkdirSync(path.join(where, '.vscode'), { recursive: true });
    fs.writeFileSync(path.join(where, '.vscode', 'mcp.json'), JSON.stringify(value));
  }

  const names = async (servers: ConfiguredMcpServers, cwd = folder): Promise<string[]> =>
    (await servers.servers(cwd)).map(({ name }) => name);

  it('MCP-1: without any there are none', async () => {
    assert.deepEqual(await open().servers(folder), []);
  });

  it('MCP-1: gives those of the settings and of the folder, the settings’ own first', async () => {
    setting = { mine: { command: process.execPath }, both: { command: process.execPath } };
    writeMcpFile({
      servers: { theirs: { url: 'https://example.org' }, both: { url: 'https://x.org' } },
    });
    const servers = await open().servers(folder);
    assert.deepEqual(
      servers.map(({ name, type }) => [name, type]),
      [
        ['mine', 'stdio'],
        ['both', 'stdio'],
        ['theirs', 'http'],
      ],
    );
  });

  it('MCP-2: commands are absolute, variables replaced', async () => {
    setting = {
      found: { command: path.basename(process.execPath), args: ['${workspaceFolder}/x'] },
      lost: { command: 'no-such-server-program' },
      relative: { command: './server' },
      variable: { command: process.execPath, env: { A: '${env:NOT_SET_ANYWHERE}' } },
      home: { command: '${userHome}/server' },
    };
    const before = process.env['PATH'];
    process.env['PATH'] = path.dirname(process.execPath);
    try {
      const servers = await open().servers(folder);
      assert.deepEqual(servers[0], {
        type: 'stdio',
        name: 'found',
        command: process.execPath,
        args: [`${folder}/x`],
        env: {},
      });
      assert.deepEqual(
        servers.slice(1).map((server) => server.type === 'stdio' && server.command),
        [path.join(folder, 'server'), path.join(home, 'server')],
      );
    } finally {
      process.env['PATH'] = before;
    }
    assert.match(logged.join('\n'), /lost: "command" was not found on PATH/);
    assert.match(logged.join('\n'), /variable: .*NOT_SET_ANYWHERE isn’t set/);
  });

  it('MCP-4: an address or a header that can’t be sent is left out', async () => {
    setting = {
      file: { url: 'file:///etc/passwd' },
      words: { url: 'not an address' },
      lines: { url: 'https://example.org', headers: { A: 'x\r\nB: y' } },
      name: { url: 'https://example.org', headers: { 'A B': 'x' } },
      good: { type: 'sse', url: 'http://localhost:3000/sse' },
    };
    assert.deepEqual(await names(open()), ['good']);
    assert.equal(logged.length, 4);
  });

  it('MCP-7: an input is asked for once and kept as a secret, never logged', async () => {
    setting = {
      api: { command: process.execPath, env: { KEY: 'Bearer ${input:key}' } },
      bad: { url: 'gopher://${input:key}' },
    };
    given = { key: 's3cret' };
    for (const servers of [open(), open()]) {
      const [api] = await servers.servers(folder);
      assert.deepEqual(api?.type === 'stdio' && api.env, { KEY: 'Bearer s3cret' });
    }
    assert.deepEqual(asked, [{ id: 'key', description: 'key', password: true }]);
    assert.deepEqual([...secrets.values()], ['s3cret']);
    assert.ok(logged.length > 0);
    assert.doesNotMatch(logged.join(), /s3cret/);
  });

  it('T-35, MCP-7, SEC-60: what servers get is left out of what agents repeat', async () => {
    setting = {
      api: { command: process.execPath, args: ['--token', 'argument'], env: { KEY: 'of-env' } },
      web: { url: 'https://a:pass-word@example.org/', headers: { 'X-Token': 'Foo of-header' } },
      own: { command: process.execPath, args: ['${input:any}'] },
    };
    given = { any: 'of-input' };
    await open().servers(folder);
    for (const value of ['argument', 'of-env', 'pass-word', 'of-header', 'of-input']) {
      assert.equal(held.without(`It is ${value}.`), 'It is ‹hidden›.');
    }
  });

  it('MCP-7: a server whose input isn’t given is left out, and not asked for each time', async () => {
    setting = { api: { url: 'https://example.org/${input:key}' } };
    const servers = open();
    assert.deepEqual(await names(servers), []);
    assert.deepEqual(await names(servers), []);
    assert.equal(asked.length, 1);
    assert.equal(logged.length, 1);
    await servers.forget();
    given = { key: 'k' };
    assert.deepEqual(await names(servers), ['api']);
  });

  it('MCP-7: several sessions that open at once ask once', async () => {
    setting = { api: { url: 'https://example.org/${input:key}' } };
    given = { key: 'k' };
    writeMcpFile({ servers: { theirs: { url: 'https://example.org' } } });
    const servers = open();
    await Promise.all([servers.servers(folder), servers.servers(folder), servers.servers(folder)]);
    assert.deepEqual([asked.length, consents.length], [1, 1]);
  });

  it('MCP-7: an open question holds up only the sessions that need its answer', async () => {
    const inner = path.join(folder, 'inner');
    folders = [folder, inner];
    const definition = { url: 'https://example.org/${input:key}' };
    writeMcpFile({ servers: { outer: definition } });
    writeMcpFile({ servers: { inner: { url: 'https://example.org' } } }, inner);
    const answer = deferred<undefined>();
    answered = answer.promise;
    given = { key: 'k' };
    const servers = open();
    await kept.set(inner, getFingerprint(readMcpFile(readInner()).servers));
    const waiting = names(servers);
    assert.deepEqual(await names(servers, inner), ['inner']);
    answer.resolve(undefined);
    assert.deepEqual(await waiting, ['outer']);
    assert.equal(asked.length, 1);

    function readInner(): string {
      return fs.readFileSync(path.join(inner, '.vscode', 'mcp.json'), 'utf8');
    }
  });

  it('MCP-1: one question is shown at a time', async () => {
    const inner = path.join(folder, 'inner');
    folders = [folder, inner];
    writeMcpFile({ servers: { outer: { url: 'https://example.org/${input:a}' } } });
    writeMcpFile({ servers: { inner: { url: 'https://example.org/${input:b}' } } }, inner);
    given = { a: 'a', b: 'b' };
    const answer = deferred<undefined>();
    answered = answer.promise;
    const servers = open();
    const both = Promise.all([names(servers), names(servers, inner)]);
    await until(() => asked.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(asked.length, 1);
    answer.resolve(undefined);
    assert.deepEqual(await both, [['outer'], ['inner']]);
    assert.equal(asked.length, 2);
  });

  it('MCP-1: of nested workspace folders, the innermost one counts', async () => {
    const inner = path.join(folder, 'inner');
    folders = [folder, inner];
    writeMcpFile({ servers: { outer: { url: 'https://example.org' } } });
    writeMcpFile({ servers: { inner: { url: 'https://example.org' } } }, inner);
    assert.deepEqual(await names(open(), path.join(inner, 'src')), ['inner']);
    assert.deepEqual(await names(open(), path.join(folder, 'src')), ['outer']);
    if (process.platform !== 'win32') {
      const link = `${folder}-link`;
      fs.symlinkSync(folder, link);
      assert.deepEqual(await names(open(), path.join(link, 'inner')), ['inner']);
      fs.rmSync(link);
    }
  });

  it('MCP-1, SEC-75: a folder’s servers need a consent, once for each set of them', async () => {
    agreed = false;
    writeMcpFile({
      inputs: [{ id: 'key', description: 'Key', password: true }],
      servers: { theirs: { command: 'sh', args: ['-c', 'x'], env: { K: '${input:key}' } } },
    });
    assert.deepEqual(await names(open()), []);
    assert.deepEqual(await names(open()), []);
    assert.deepEqual(consents, [['theirs runs K=${input:key} sh -c x']]);
    assert.deepEqual(asked, []);

    agreed = true;
    writeMcpFile({ servers: { theirs: { url: 'https://example.org' } } });
    assert.deepEqual(await names(open()), ['theirs']);
    assert.deepEqual(await names(open()), ['theirs']);
    assert.equal(consents.length, 2);
  });

  it('MCP-1, SEC-75: what can’t be shown in full isn’t asked about', async () => {
    writeMcpFile({ servers: { long: { command: 'sh', args: ['-c', ' '.repeat(600), 'evil'] } } });
    assert.deepEqual(await names(open()), []);
    const many = Array.from({ length: 21 }, (_, index) => [`s${index}`, { command: 'sh' }]);
    writeMcpFile({ servers: Object.fromEntries(many) as unknown });
    assert.deepEqual(await names(open()), []);
    for (const odd of [
      { command: '/opt/run\u200b' },
      { command: 'sh', args: ['-c', 'x\u202e'] },
      { command: 'sh', env: { 'A\u2060': 'b' } },
    ]) {
      writeMcpFile({ servers: { odd } });
      assert.deepEqual(await names(open()), []);
    }
    assert.deepEqual(consents, []);
    assert.equal(logged.length, 5);
  });

  it('MCP-7: one folder never gets what was given to another, nor to the settings', async () => {
    setting = { mine: { url: 'https://example.org/${input:key}' } };
    given = { key: 'mine' };
    const servers = open();
    await servers.servers(folder);
    writeMcpFile({ servers: { theirs: { url: 'https://other.org/${input:key}' } } });
    given = { key: 'theirs' };
    const all = await servers.servers(folder);
    assert.deepEqual(
      all.map((server) => server.type === 'http' && server.url),
      ['https://example.org/mine', 'https://other.org/theirs'],
    );
  });

  it('MCP-1: a session of another folder gets the settings’ servers only', async () => {
    setting = { mine: { command: process.execPath } };
    writeMcpFile({ servers: { theirs: { url: 'https://example.org' } } });
    assert.deepEqual(await names(open(), path.join(folder, 'sub')), ['mine', 'theirs']);
    assert.deepEqual(await names(open(), os.tmpdir()), ['mine']);
    if (process.platform !== 'win32') {
      const link = `${folder}-link`;
      fs.symlinkSync(folder, link);
      assert.deepEqual(await names(open(), link), ['mine', 'theirs']);
      fs.rmSync(link);
    }
  });

  posixOnly(
    'MCP-7: a folder’s file that is a pipe or too large is told of, and not waited for',
    async () => {
      const file = path.join(folder, '.vscode', 'mcp.json');
      fs.mkdirSync(path.dirname(file));
      makePipe(file);
      const servers = open();
      assert.deepEqual(await names(servers), []);
      fs.rmSync(file);
      writeMcpFile({ servers: { a: { command: '/bin/a', args: ['x'.repeat(2 * 1024 * 1024)] } } });
      assert.deepEqual(await names(servers), []);
      assert.deepEqual(logged, [
        `${folder}: .vscode/mcp.json: The file is larger than 1 MB or can’t be read, so it is ignored.`,
      ]);
      assert.deepEqual(consents, []);
    },
  );

  it('MCP-1: nothing is read in a workspace that is not trusted', async () => {
    trusted = false;
    setting = { mine: { command: process.execPath } };
    writeMcpFile({ servers: { theirs: { url: 'https://example.org' } } });
    assert.deepEqual(await names(open()), []);
    assert.deepEqual(consents, []);
  });

  it('MCP-7: forgetting takes away every secret and consent', async () => {
    setting = { api: { url: 'https://example.org/${input:key}' } };
    given = { key: 'k' };
    writeMcpFile({ servers: { theirs: { url: 'https://example.org' } } });
    secrets.set('another', 'kept');
    const servers = open();
    await servers.servers(folder);
    await servers.forget();
    assert.deepEqual([...secrets.keys()], ['another']);
    await servers.servers(folder);
    assert.deepEqual([asked.length, consents.length], [2, 2]);
  });
});

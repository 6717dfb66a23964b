import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AskedFile } from '../../../../../src/features/mcp/model/mcpConsent';
import { ConfiguredMcpServers } from '../../../../../src/features/mcp/model/mcpServers';
import { realPath } from '../../../../../src/platform/files/realPath';
import { Consents } from '../../../../../src/platform/storage/consents';
import type { McpServer } from '../../../../../src/protocol/agentConnection';
import { Emitter } from '../../../../../src/util/emitter';
import { HeldSecrets } from '../../../../../src/util/secrets/heldSecrets';
import { posixOnly } from '../../../../support/posixOnly';

const claude = '@agentclientprotocol/claude-agent-acp';

describe('MCP servers of files that agents share', () => {
  let root: string;
  let folder: string;
  let home: string;
  let trusted: boolean;
  let setting: unknown;
  let environment: Record<string, string | undefined>;
  let agreed: boolean;
  let held: HeldSecrets;
  let asked: { readonly about: AskedFile; readonly commands: readonly string[] }[];
  let told: string[];
  let logged: string[];
  let noted: (readonly unknown[])[];

  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-mcp-')));
    folder = path.join(root, 'folder');
    home = path.join(root, 'home');
    fs.mkdirSync(folder);
    [trusted, setting, environment, agreed] = [true, undefined, {}, true];
    held = new HeldSecrets();
    [asked, told, logged, noted] = [[], [], [], []];
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  function open(): ConfiguredMcpServers {
    const log = (message: string): void => {
      logged.push(message);
    };
    return new ConfiguredMcpServers({
      workspace: {
        folders: [{ name: 'folder', path: folder }],
        get trusted() {
          return trusted;
        },
        onDidChange: new Emitter<void>().event,
      },
      realPath,
      setting: () => setting,
      secrets: {
        get: () => Promise.resolve(undefined),
        store: () => Promise.resolve(),
        delete: () => Promise.resolve(),
        keys: () => Promise.resolve([]),
      },
      consents: new Consents(path.join(root, 'consents')),
      ownConsents: new Consents(path.join(root, 'own')),
      askForInput: () => Promise.resolve(undefined),
      askForConsent: (about, commands) => {
        asked.push({ about, commands });
        return Promise.resolve(agreed);
      },
      tell: (source, problems) => {
        told.push(...problems.map((problem) => `${source}: ${problem}`));
      },
      noted: (...all) => noted.push(all),
      log: { error: log, warn: log, info: log, debug: log, trace: log },
      held,
      environment,
      home,
    });
  }

  function write(file: string, value: unknown): string {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  }
  const portable = (mcpServers: unknown): string =>
    write(path.join(folder, '.mcp.json'), { mcpServers });
  const ofVsCode = (servers: unknown): string =>
    write(path.join(folder, '.vscode', 'mcp.json'), { servers });
  const own = (mcpServers: unknown, where = path.join(home, '.copilot')): string =>
    write(path.join(where, 'mcp-config.json'), { mcpServers });

  const get = (agentName?: string): Promise<readonly McpServer[]> =>
    open().servers(folder, agentName);
  const names = async (agentName?: string): Promise<string[]> =>
    (await get(agentName)).map(({ name }) => name);

  it('MCP-1, MCP-2: reads .mcp.json with its variables and defaults', async () => {
    portable({
      program: {
        command: '${BIN}/run',
        args: ['${A:-b c}', '${SET:-no}', '$A', '${EMPTY}'],
        env: { KEY: '${TOKEN}' },
      },
      web: { type: 'http', url: '${BASE:-https://example.org}/mcp', headers: { X: '${TOKEN}' } },
      old: { type: 'sse', url: 'https://example.org/sse' },
    });
    environment = { BIN: '/opt', SET: 'yes', EMPTY: '', TOKEN: '${SET}' };
    assert.deepEqual(await get(), [
      {
        type: 'stdio',
        name: 'program',
        command: '/opt/run',
        args: ['b c', 'yes', '$A', ''],
        env: { KEY: '${SET}' },
      },
      { type: 'http', name: 'web', url: 'https://example.org/mcp', headers: { X: '${SET}' } },
      { type: 'sse', name: 'old', url: 'https://example.org/sse', headers: {} },
    ]);
  });

  it('MCP-7: one with a variable that isn’t set is left out, logged and told once', async () => {
    const file = portable({
      unset: { url: 'https://example.org/${NOT_SET}' },
      other: { command: '/bin/x', env: { A: '${input:a}' } },
      good: { command: '/bin/y' },
    });
    const servers = open();
    const opening = { agentId: 'a', cwd: folder, sessionId: undefined, isPending: true };
    assert.deepEqual(
      (await servers.servers(folder, undefined, opening)).map(({ name }) => name),
      ['good'],
    );
    const reasons = [
      'unset: "url": the environment variable NOT_SET isn’t set.',
      'other: "env.A": the environment variable input:a isn’t set.',
    ].map((reason) => `${folder}: ${path.basename(file)}: ${reason}`);
    assert.deepEqual(logged, reasons);
    assert.deepEqual(told, reasons);
    assert.deepEqual(
      noted.map(([, servers, leftOut]) => [(servers as unknown[]).length, leftOut]),
      [[1, reasons]],
    );
    await servers.servers(folder);
    assert.equal(told.length, 2);
  });

  it('MCP-1: reads the user’s mcp-config.json where Copilot does', async () => {
    own({
      local: { type: 'local', command: '/bin/a', args: ['x'], tools: ['*'] },
      std: { type: 'stdio', command: '/bin/b', tools: ['one'] },
      web: { type: 'http', url: 'https://example.org', tools: [] },
      off: { command: '/bin/c', disabled: true },
    });
    assert.deepEqual(await get(), [
      { type: 'stdio', name: 'local', command: '/bin/a', args: ['x'], env: {} },
    ]);
    assert.deepEqual(
      told.map((text) => text.split(': ')[1]),
      ['std', 'web', 'off'],
    );
    const config = path.join(root, 'config');
    own({ configured: { command: '/bin/c' } }, path.join(config, 'copilot'));
    environment = { XDG_CONFIG_HOME: config };
    assert.deepEqual(await names(), ['local']);
    fs.rmSync(path.join(home, '.copilot'), { recursive: true });
    assert.deepEqual(await names(), ['configured']);
    const chosen = path.join(root, 'chosen');
    own({ chosen: { command: '/bin/d' } }, chosen);
    environment = { XDG_CONFIG_HOME: config, COPILOT_HOME: chosen };
    assert.deepEqual(await names(), ['chosen']);
    environment = { COPILOT_HOME: 'relative' };
    assert.deepEqual(await names(), []);
  });

  it('MCP-1: a relative command of the user’s own file would be another program in each folder', async () => {
    own({ mine: { command: './run' } });
    portable({ theirs: { command: './run' } });
    assert.deepEqual(
      (await get()).map((server) => server.type === 'stdio' && server.command),
      [path.join(folder, 'run')],
    );
    assert.equal(told.length, 1);
  });

  it('MCP-1: what runs a command or needs a browser can’t be passed on', async () => {
    portable({
      helper: { url: 'https://example.org', headersHelper: 'sh -c evil' },
      login: { url: 'https://example.org/b', oauth: { clientId: 'x' } },
      place: { command: '/bin/x', cwd: '/tmp' },
    });
    assert.deepEqual(await names(), []);
    assert.equal(told.length, 3);
    assert.deepEqual(asked, []);
    assert.doesNotMatch(told.join(), /evil/);
  });

  it('MCP-1, SEC-75: each file is asked about by its name, with every server, once', async () => {
    const theirs = portable({ theirs: { command: '/bin/run', args: ['${A}'] } });
    const mine = own({ mine: { command: '/bin/mine', env: { TOKEN: 'of-mine' } } });
    environment = { A: 'a' };
    assert.deepEqual(await names(), ['theirs', 'mine']);
    assert.deepEqual(await names(), ['theirs', 'mine']);
    assert.deepEqual(
      asked.map(({ about, commands }) => [about.file, about.folder, about.real, commands]),
      [
        [theirs, folder, undefined, ['theirs runs /bin/run ${A}']],
        [mine, undefined, undefined, ['mine runs TOKEN=… /bin/mine']],
      ],
    );
    portable({ theirs: { command: '/bin/other' } });
    agreed = false;
    assert.deepEqual(await names(), ['mine']);
    assert.equal(asked.length, 3);
    assert.deepEqual(await names(), ['mine']);
    assert.equal(asked.length, 3);
  });

  it('SEC-75: what a file holds changes nothing before it is agreed to', async () => {
    agreed = false;
    portable({ theirs: { command: '/bin/run', env: { API_KEY: 'an-ordinary-word' } } });
    assert.deepEqual(await names(), []);
    assert.equal(held.without('an-ordinary-word'), 'an-ordinary-word');
    agreed = true;
    portable({ theirs: { command: '/bin/run', env: { API_KEY: 'an-ordinary-word', B: 'b' } } });
    assert.deepEqual(await names(), ['theirs']);
    assert.equal(held.without('an-ordinary-word'), '‹hidden›');
  });

  it('MCP-7: values of files are never logged', async () => {
    const secret = 's3cret';
    portable({
      bad: { command: 7, env: { A: secret } },
      unset: { command: '/bin/x', env: { TOKEN: secret, B: '${C}' } },
      url: { url: `ftp://${secret}@example.org` },
      helper: { url: `https://${secret}.example.org`, headersHelper: secret },
    });
    own('{ "mcpServers": s3cret');
    await names();
    assert.ok(logged.length >= 5);
    assert.doesNotMatch(logged.join() + told.join(), /s3cret/);
  });

  it('MCP-1: nothing is read, asked or told in a workspace that isn’t trusted', async () => {
    trusted = false;
    portable({ theirs: { command: '/bin/run' }, bad: 7 });
    own({ mine: { command: '/bin/mine' } });
    assert.deepEqual(await names(), []);
    assert.deepEqual([asked, told, logged], [[], [], []]);
  });

  it('MCP-1: the same server twice is one, of the source that counts more', async () => {
    const run = { command: '/bin/run', args: ['a'], env: { A: '1', B: '2' } };
    setting = { set: { url: 'https://EXAMPLE.org' } };
    ofVsCode({ editor: run, both: { command: '/bin/vscode' } });
    portable({
      again: { ...run, env: { B: '2', A: '1' } },
      web: { type: 'sse', url: 'https://example.org/', headers: { A: 'b' } },
      both: { command: '/bin/portable' },
      more: { ...run, args: ['b'] },
    });
    own({ again: { ...run }, more2: { ...run, args: ['b'] }, only: { command: '/bin/only' } });
    assert.deepEqual(await names(), ['set', 'editor', 'both', 'more', 'only']);
    const lines = logged.join('\n');
    assert.match(lines, /again: It is the same server as “editor” of .*vscode.mcp\.json\./);
    assert.match(lines, /web: It is the same server as “set” of acpSessions\.mcpServers\./);
    assert.match(lines, /both: The name is taken by a server of /);
    assert.deepEqual(told, []);
  });

  it('MCP-1: a file with nothing but doubles isn’t asked about', async () => {
    setting = { mine: { command: '/bin/run' } };
    portable({ theirs: { command: '/bin/run' } });
    assert.deepEqual(await names(), ['mine']);
    assert.deepEqual(asked, []);
  });

  it('MCP-1, T-98: what an agent reads itself is neither asked about nor passed on', async () => {
    portable({ theirs: { command: '/bin/run' } });
    own({ mine: { command: '/bin/mine' } });
    assert.deepEqual(await names(claude), ['mine']);
    assert.deepEqual(await names('Copilot'), []);
    assert.equal(asked.length, 1);
    assert.match(logged.join('\n'), /\.mcp\.json: @agentclientprotocol\/claude-agent-acp reads/);
    assert.deepEqual(await names('not-claude-agent-acp'), ['theirs', 'mine']);
    assert.deepEqual(told, []);
  });

  it('T-98: a server that such an agent has already isn’t started again under another name', async () => {
    setting = { one: { command: '/bin/run' }, theirs: { command: '/bin/other' } };
    portable({ same: { command: '/bin/run' }, theirs: { command: '/bin/theirs' } });
    assert.deepEqual(await names(claude), ['theirs']);
    portable({ one: { command: '/bin/run' }, same: { command: '/bin/run' } });
    // One of the same name replaces the agent's own.
    assert.deepEqual(await names(claude), ['one', 'theirs']);
  });

  it('SEC-75: what can’t be shown in full, or is too much, isn’t used', async () => {
    const bad: unknown[] = [
      { long: { command: '/bin/x', args: ['y'.repeat(1_000)] } },
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`s${index}`, { command: '/x' }]),
      ),
      { unseen: { command: '/bin/x\u200b' } },
      { unseen: { command: '/bin/x', env: { 'A\u202e': 'b' } } },
    ];
    for (const servers of bad) {
      portable(servers);
      own(servers);
      assert.deepEqual(await names(), []);
    }
    assert.deepEqual(asked, []);
    assert.equal(told.length, 2 * bad.length);
    for (const text of told) {
      assert.ok(text.length < 1_000);
    }
  });

  it('MCP-7: a file of twice the size, the depth or the count is told of in a few words', async () => {
    const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    const entries = (count: number): string =>
      Array.from({ length: count }, (_, index) => `"${'n'.repeat(200)}${index}":7`).join();
    for (const text of [
      `{"mcpServers":{"a":{"command":"/bin/a","args":["${'x'.repeat(2 * 1024 * 1024)}"]}}}`,
      `{"mcpServers":{"a":${deep(100_000)}}}`,
      deep(100_000),
      `{"mcpServers":{${entries(4_000)}}}`,
      `{"mcpServers":{"a":{"command":"/a","env":{"${'e'.repeat(10_000)}":7}}}}`,
      '{"mcpServers":[]}',
      '[]',
      '"',
      '{"mcpServers":{"__proto__":{"command":7},"constructor":7}}',
    ]) {
      write(path.join(folder, '.mcp.json'), text);
      const before = told.length;
      assert.deepEqual(await names(), []);
      const added = told.slice(before);
      assert.ok(added.length <= 21);
      assert.ok(added.every((line) => line.length < folder.length + 600));
    }
    write(path.join(folder, '.mcp.json'), '{}');
    assert.deepEqual(await names(), []);
    assert.deepEqual(asked, []);
  });

  posixOnly(
    'SEC-75: a link that leads out of the folder is named with where it leads',
    async () => {
      const elsewhere = write(path.join(root, 'elsewhere.json'), {
        mcpServers: { theirs: { command: '/bin/run' } },
      });
      const link = path.join(folder, '.mcp.json');
      fs.symlinkSync(elsewhere, link);
      assert.deepEqual(await names(), ['theirs']);
      assert.deepEqual([asked[0]?.about.file, asked[0]?.about.real], [link, elsewhere]);
      for (const target of ['.mcp.json', 'nowhere', '/dev/zero', root]) {
        fs.rmSync(link);
        fs.symlinkSync(target, link);
        assert.deepEqual(await names(), []);
      }
      fs.rmSync(link);
      fs.renameSync(elsewhere, path.join(folder, 'within.json'));
      fs.symlinkSync('within.json', link);
      portable({ theirs: { command: '/bin/within' } });
      assert.deepEqual(await names(), ['theirs']);
      assert.equal(asked[1]?.about.real, undefined);
    },
  );

  it('MCP-7: forgetting takes back what was agreed to for every file', async () => {
    portable({ theirs: { command: '/bin/run' } });
    own({ mine: { command: '/bin/mine' } });
    const servers = open();
    await servers.servers(folder);
    await servers.forget();
    await servers.servers(folder);
    assert.equal(asked.length, 4);
  });
});

import assert from 'node:assert/strict';
import {
  describeServer,
  getInputs,
  hasUnseen,
  readMcpFile,
  readMcpServers,
} from '../../../../../src/features/mcp/model/mcpSettings';

describe('MCP servers as written', () => {
  it('MCP-2, MCP-4: reads all kinds, and empty lists where nothing is given', () => {
    const { servers, problems } = readMcpServers({
      files: { command: ' mcp-files ', args: ['--root', '.'], env: { A: 'b', N: 7, none: null } },
      bare: { type: 'stdio', command: 'bare' },
      web: { type: 'http', url: 'https://example.org/mcp', headers: { Authorization: 'x' } },
      old: { type: 'sse', url: 'https://example.org/sse' },
      short: { url: 'https://example.org' },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(servers, [
      {
        type: 'stdio',
        name: 'files',
        command: 'mcp-files',
        args: ['--root', '.'],
        env: { A: 'b', N: '7' },
      },
      { type: 'stdio', name: 'bare', command: 'bare', args: [], env: {} },
      {
        type: 'http',
        name: 'web',
        url: 'https://example.org/mcp',
        headers: { Authorization: 'x' },
      },
      { type: 'sse', name: 'old', url: 'https://example.org/sse', headers: {} },
      { type: 'http', name: 'short', url: 'https://example.org', headers: {} },
    ]);
  });

  it('MCP-7: leaves out a bad server and says why without a value of it', () => {
    const reasons = [
      [7, /must be an object/],
      [{}, /"command" is missing/],
      [{ command: 3 }, /"command" must be a string/],
      [{ command: 'x', args: 's3cret' }, /"args" must be an array/],
      [{ command: 'x', args: [{ a: 's3cret' }] }, /"args\[0\]" must be a string/],
      [{ command: 'x', env: 's3cret' }, /"env" must be an object/],
      [{ command: 'x', env: { A: ['s3cret'] } }, /"env.A" must be a string/],
      [{ command: 'x', cwd: '/s3cret' }, /"cwd"/],
      [{ command: 'x', envFile: 's3cret' }, /"envFile"/],
      [{ command: 'x', sandboxEnabled: true }, /"sandboxEnabled"/],
      [{ type: 'ws', url: 's3cret' }, /"type" must be/],
      [{ type: 'http', command: 's3cret' }, /"url" is missing/],
      [{ url: 'x', headers: { A: { b: 's3cret' } } }, /"headers.A" must be a string/],
    ] as const;
    for (const [entry, reason] of reasons) {
      const { servers, problems } = readMcpServers({ bad: entry, good: { command: 'x' } });
      assert.deepEqual(
        servers.map(({ name }) => name),
        ['good'],
      );
      assert.match(problems[0] ?? '', reason);
      assert.doesNotMatch(problems.join(), /s3cret/);
    }
    assert.equal(readMcpServers(['s3cret']).problems.length, 1);
    assert.deepEqual(readMcpServers(undefined).problems, []);
  });

  it('MCP-1: reads a .vscode/mcp.json, with comments and inputs', () => {
    const { servers, inputs, problems } = readMcpFile(`{
      // what to ask for
      "inputs": [
        { "type": "promptString", "id": "key", "description": "API key", "password": true },
        { "type": "pickString", "id": "zone", "options": ["eu", { "label": "US", "value": "us" }], "default": "eu" },
        { "nonsense": 1 }, 7,
      ],
      "servers": { /* one */ "api": { "command": "api", "env": { "KEY": "\${input:key}" }, "cwd": "\${workspaceFolder}" }, },
    }`);
    assert.deepEqual(problems, []);
    assert.equal(servers.length, 1);
    assert.deepEqual(servers.flatMap(getInputs), ['key']);
    assert.deepEqual(
      [...inputs.values()],
      [
        { id: 'key', description: 'API key', password: true },
        { id: 'zone', description: 'zone', password: false, initial: 'eu', options: ['eu', 'us'] },
      ],
    );
  });

  it('MCP-1: runs no command of VS Code’s for an input', () => {
    const { servers, problems } = readMcpFile(
      JSON.stringify({
        inputs: [{ type: 'command', id: 'x', command: 'workbench.action.terminal.new' }],
        servers: { a: { command: 'a', args: ['${input:x}'] }, b: { command: 'b' } },
      }),
    );
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['b'],
    );
    assert.match(problems[0] ?? '', /^a: an input that runs a command/);
  });

  it('MCP-7: a file that can’t be read is told of without a word of it', () => {
    for (const text of [
      '',
      's3cret',
      '{"servers": s3cret}',
      '["s3cret"]',
      '{"servers":"s3cret"}',
    ]) {
      const { servers, problems } = readMcpFile(text);
      assert.deepEqual(servers, []);
      assert.equal(problems.length, 1);
      assert.doesNotMatch(problems.join(), /s3cret/);
    }
    assert.deepEqual(readMcpFile('{}').problems, []);
  });

  it('MCP-1, SEC-75: a server is described with everything that decides what it does', () => {
    const { servers } = readMcpServers({
      a: { command: 'run', args: ['a b', '--x'], env: { LD_PRELOAD: '/evil.so' } },
      b: { url: 'https://example.org/?key=${env:TOKEN}', headers: { A: 'b' } },
      c: { command: '/opt/run\u200btests', args: ['', 'a\nb', '"x"', 'it\u202es'] },
      d: { command: 'https://example.org', args: ['A=b'] },
      e: { command: 'A=1', args: ['npx'] },
    });
    assert.deepEqual(
      servers.map((server) => describeServer(server)),
      [
        'a runs LD_PRELOAD=/evil.so run "a b" --x',
        'b connects to https://example.org/?key=${env:TOKEN} A=b',
        String.raw`c runs /opt/run⟨U+200B⟩tests "" "a\nb" "\"x\"" it⟨U+202E⟩s`,
        'd runs https://example.org A=b',
        'e runs "A=1" npx',
      ],
    );
  });

  it('MCP-1: what looks like a space and is none isn’t seen either', () => {
    const { servers } = readMcpServers({
      plain: { command: 'npx', args: ['a b', '\u2122\ufe0f'] },
      nbsp: { command: 'npx', args: ['a\u00a0b'] },
      wide: { command: 'npx', args: ['a\u3000b'] },
      variants: { command: 'npx', args: ['\u2122\ufe0f\ufe0f\ufe0f'] },
    });
    assert.deepEqual(servers.map(hasUnseen), [false, true, true, true]);
  });
});

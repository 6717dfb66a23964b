import assert from 'node:assert/strict';
import { readAgentSettings } from '../../../../src/platform/settings/agentSettings';
import type { BundledAgent } from '../../../../src/platform/settings/bundledAgent';

const demoAgent: BundledAgent = {
  command: '/node',
  args: ['/demoAgent.js', '--store', '/store'],
  env: { ELECTRON_RUN_AS_NODE: '1' },
};
const variables = {
  workspaceFolder: '/code/project',
  userHome: '/home/ada',
  env: { TOKEN: 's3cret', EMPTY: '' },
};

function read(value: unknown, workspaceFolder: string | undefined = variables.workspaceFolder) {
  return readAgentSettings(value, { ...variables, workspaceFolder }, demoAgent);
}

function reasonOf(entry: unknown): string {
  const { agents, problems } = read({ bad: entry });
  assert.deepEqual(agents, []);
  assert.equal(problems.length, 1);
  assert.equal(problems[0]?.id, 'bad');
  return problems[0].reason;
}

describe('agent settings', () => {
  it('reads an entry with everything', () => {
    const entry = {
      title: 'My Agent',
      command: '${userHome}/bin/agent',
      args: ['--root', '${workspaceFolder}', '--key=${env:TOKEN}'],
      env: { KEY: '${env:TOKEN}', NONE: '${env:EMPTY}' },
      cwd: '${workspaceFolder}/sub',
    };
    assert.deepEqual(read({ mine: entry }).agents, [
      {
        id: 'mine',
        title: 'My Agent',
        command: '/home/ada/bin/agent',
        args: ['--root', '/code/project', '--key=s3cret'],
        env: { KEY: 's3cret', NONE: '' },
        cwd: '/code/project/sub',
        protocol: '1',
      },
    ]);
  });

  it('reads the defaults of new sessions, and the command that continues one', () => {
    const defaults = { mode: 'plan', web: true };
    const resumeCommand = ['agent', '--resume=${sessionId}'];
    const [agent] = read({ mine: { command: 'agent', defaults, resumeCommand } }).agents;
    assert.deepEqual(agent?.defaults, defaults);
    assert.deepEqual(agent.resumeCommand, resumeCommand);
  });

  it('asks each agent for the version of the protocol that its entry names, otherwise that of the setting', () => {
    const remote = { url: 'wss://build.example/acp', protocol: '2' };
    const entries = { own: { command: 'a', protocol: 'auto' }, other: { command: 'b' }, remote };
    const versions = (protocol?: '1' | '2' | 'auto'): (string | undefined)[] =>
      readAgentSettings(entries, variables, demoAgent, {
        ...(protocol && { protocol }),
      }).agents.map((agent) => agent.protocol);
    assert.deepEqual(versions(), ['auto', '1', '2']);
    assert.deepEqual(versions('2'), ['auto', '2', '2']);
    assert.deepEqual(versions('auto'), ['auto', 'auto', '2']);
    assert.deepEqual(versions('1'), ['auto', '1', '2']);
  });

  it('calls an agent without a title by its id', () => {
    assert.equal(read({ mine: { command: 'agent' } }).agents[0]?.title, 'mine');
    assert.equal(read({ mine: { command: 'agent', title: ' ' } }).agents[0]?.title, 'mine');
  });

  it('starts the embedded agent where an entry asks for it, with the entry’s own arguments added', () => {
    const entry = { title: 'Demo', command: '${demoAgent}', args: ['--pace', '0'] };
    const [agent] = read({ demo: { ...entry, env: { ELECTRON_RUN_AS_NODE: '0' } } }).agents;
    assert.equal(agent?.command, '/node');
    assert.deepEqual(agent.args, ['/demoAgent.js', '--store', '/store', '--pace', '0']);
    assert.deepEqual(agent.env, { ELECTRON_RUN_AS_NODE: '1' });
  });

  it('leaves out an agent that is null or not enabled', () => {
    const none = { agents: [], problems: [] };
    assert.deepEqual(read({ demo: null }), none);
    assert.deepEqual(read({ mine: { command: 'agent', enabled: false } }), none);
    assert.deepEqual(read(undefined), none);
  });

  it('names a bad entry with the reason and keeps the others', () => {
    const { agents, problems } = read({ bad: { command: 7 }, good: { command: 'agent' } });
    assert.deepEqual(
      agents.map(({ id }) => id),
      ['good'],
    );
    assert.deepEqual(problems, [{ id: 'bad', reason: '"command" must be a string.' }]);
  });

  it('says what is wrong with each kind of bad entry', () => {
    const reasons = [
      [7, /must be an object/],
      [{}, /"command" is missing/],
      [{ command: '  ' }, /"command" is missing/],
      [{ command: 'a\0b' }, /NUL/],
      [{ command: 'a', args: 'x y' }, /"args" must be an array/],
      [{ command: 'a', args: ['x', 1] }, /"args\[1\]" must be a string/],
      [{ command: 'a', env: ['A=b'] }, /"env" must be an object/],
      [{ command: 'a', env: { 'A=B': 'c' } }, /invalid variable name/],
      [{ command: 'a', env: { A: 1 } }, /"env\.A" must be a string/],
      [{ command: 'a', cwd: 'sub' }, /absolute/],
      [{ command: 'a', enabled: 'no' }, /true or false/],
      [{ comand: 'a' }, /Unknown property "comand"/],
      [{ command: '${env:NOT_THERE}' }, /NOT_THERE isn’t set/],
      [{ command: 'a', args: ['${file}'] }, /Unknown variable \$\{file\}/],
      [{ command: 'a', defaults: ['plan'] }, /"defaults" must be an object/],
      [{ command: 'a', defaults: { mode: 1 } }, /"defaults\.mode" must be a string/],
      [{ command: 'a', resumeCommand: 'a ${sessionId}' }, /"resumeCommand" must be an array/],
      [{ command: 'a', resumeCommand: ['a', 'b'] }, /contain \$\{sessionId\}/],
      [{ command: 'a', resumeCommand: ['a', '${sessionId}', '${env:X}'] }, /no other variable/],
      [{ command: 'a', resumeCommand: ['${sessionId}', 'x'] }, /begin with a program/],
      [{ command: 'a', resumeCommand: [' ', '${sessionId}'] }, /begin with a program/],
      [{ command: 'a', resumeCommand: [] }, /begin with a program/],
      [{ command: 'a', protocol: '3' }, /"protocol" must be one of: "1", "2", "auto"/],
      [{ command: 'a', protocol: 2 }, /"protocol" must be one of/],
      [{ command: 'a', protocol: null }, /"protocol" must be one of/],
      [{ url: 'wss://h/', protocol: '' }, /"protocol" must be one of/],
    ] as const;
    for (const [entry, reason] of reasons) {
      assert.match(reasonOf(entry), reason);
    }
  });

  it('needs a folder only where an entry names it', () => {
    const { agents, problems } = readAgentSettings(
      { a: { command: '${workspaceFolder}/agent' }, b: { command: 'agent' } },
      { ...variables, workspaceFolder: undefined },
      demoAgent,
    );
    assert.deepEqual(
      agents.map(({ id }) => id),
      ['b'],
    );
    assert.match(problems[0]?.reason ?? '', /needs an open folder/);
  });

  it('says so when the whole setting is of the wrong kind', () => {
    for (const value of [[], 'agent', 3, true]) {
      assert.equal(read(value).problems.length, 1);
    }
  });

  it('does not replace inside of what it has put in', () => {
    const agents = readAgentSettings(
      { a: { command: 'agent', args: ['${env:TRICK}'] } },
      { ...variables, env: { TRICK: '${userHome}' } },
      demoAgent,
    ).agents;
    assert.deepEqual(agents[0]?.args, ['${userHome}']);
  });

  it('reads an agent with an address, and marks its folder as one of the other machine', () => {
    const remote = {
      url: 'wss://build.example/acp',
      headers: { 'X-Secret-Key': '${secret:goose}' },
      pathMappings: [{ theirs: 'C:\\code', ours: '/code' }],
    };
    const [agent] = read({ far: { ...remote, cwd: '/srv/app' } }).agents;
    assert.deepEqual(agent, {
      ...{ id: 'far', title: 'far', command: '', args: [], env: {} },
      ...{ cwd: '/[build.example]/srv/app', remote, protocol: '1' },
    });
  });

  it('SEC-290: only the user’s own entry lets it use the editor’s tools, and only at the address that it names', () => {
    const url = 'wss://build.example/acp';
    const allows = (entry: object, own: unknown): unknown =>
      readAgentSettings({ far: entry }, variables, demoAgent, {
        userAgents: { far: own, other: { url, editorToolsFor: url } },
      }).agents[0]?.usesEditorTools;
    const named = { url, editorToolsFor: url };
    assert.equal(allows(named, named), true);
    assert.equal(allows(named, { editorToolsFor: ' wss://BUILD.example:443/acp ' }), true);
    for (const own of [undefined, null, {}, { url }, { editorToolsFor: true }, 'x', [url]]) {
      assert.equal(allows(named, own), undefined);
    }
    for (const other of ['wss://evil.example/acp', 'wss://build.example/acp2', 'build.example']) {
      assert.equal(allows(named, { url, editorToolsFor: other }), undefined);
      assert.equal(allows({ ...named, url: 'wss://evil.example/acp' }, named), undefined);
    }
    assert.equal(allows({ command: 'agent', editorToolsFor: url }, named), undefined);
    assert.match(reasonOf({ url, editorToolsFor: true }), /editorToolsFor/);
  });

  it('SEC-150: says what is wrong with an address, and never takes a secret from the settings', () => {
    for (const [entry, reason] of [
      [{ url: 'wss://h/acp', command: 'x' }, /no "command"/],
      [{ url: 'ftp://h/' }, /must be an address/],
      [{ url: 'not one' }, /must be an address/],
      [{ url: 'wss://me:secret@h/' }, /user, a password/],
      [{ url: 'tcp://localhost' }, /needs a port/],
      [{ url: 'ws://build.example/acp' }, /isn’t encrypted/],
      [{ url: 'tcp://127.0.0.1.build.example:1' }, /isn’t encrypted/],
      [{ url: 'wss://h/', headers: { Authorization: 'Bearer abc' } }, /may be a secret/],
      [{ url: 'wss://h/', headers: { 'X-A\n': 'b' } }, /can’t be sent/],
      [{ url: 'wss://h/', headers: { 'X-A': 'b\r\nX-B: c' } }, /can’t be sent/],
      [{ url: 'wss://h/', pathMappings: [{ theirs: '/a' }] }, /absolute path/],
      [{ url: 'wss://h/', pathMappings: [{ theirs: '/a/../..', ours: '/b' }] }, /absolute path/],
    ] as const) {
      assert.match(reasonOf(entry), reason);
    }
    for (const header of [
      { 'X-Password': 'hunter' },
      { 'X-Passphrase': 'a b' },
      { 'X-Credential': 'a' },
      { 'X-Bearer': 'a' },
      { 'X-Session': 'a' },
      { 'X-Signature': 'a' },
      { 'X-Token-Type': 'a' },
      { 'X-Custom': 'hunter2Zq8' },
      { 'X-Custom': 'Bearer sk-ant-api03-abcdefghijklmnop1234' },
      { 'X-Custom': 'password=hunter' },
      { 'X-Custom': 'team-1 ${secret:x}' },
      { Authorization: 'Bearer sk-ant-api03-abcdefghijklmnop1234${secret:x}' },
      { Authorization: 'Bearer ${secret:x}hunter2' },
      { Authorization: '${secret:x} ' },
      { Authorization: '${secret: }' },
    ]) {
      assert.match(reasonOf({ url: 'wss://h/', headers: header }), /may be a secret/);
    }
    for (const header of [
      { 'X-Team': 'blue' },
      { 'X-Region': 'eu-west-1' },
      { 'Accept-Language': 'de;q=0.9, en' },
      { 'X-Date': '2026-11-01' },
      { Authorization: 'Bearer ${secret:x}' },
      { Authorization: '${secret:user}:${secret:x}' },
      { Cookie: 'sid=${secret:a}; csrf=${secret:b.c-d}' },
    ]) {
      assert.deepEqual(read({ far: { url: 'wss://h/', headers: header } }).problems, []);
    }
    for (const rest of [
      '?token=hunter',
      '?access_token=sk-ant-api03-abcdefghijklmnop1234',
      '?a=b&api%5Fkey=c',
      '?x=hunter2Zq8',
      '?hunter2Zq8',
      '?x=${secret:a}',
      '/sk-ant-api03-abcdefghijklmnop1234',
    ]) {
      assert.match(reasonOf({ url: `wss://h/acp${rest}` }), /may have a secret in it/);
    }
    for (const rest of ['?agent=goose', '?v=2&debug', '?token=', '/v2/blue']) {
      assert.deepEqual(read({ far: { url: `wss://h/acp${rest}` } }).problems, []);
    }
    for (const url of [
      'ws://localhost:1/',
      'ws://127.0.0.1:1/',
      'http://[::1]:1/',
      'tcp://127.0.0.1:1',
    ]) {
      assert.deepEqual(read({ near: { url } }).problems, []);
    }
    const entry = { far: { url: 'ws://build.example/' } };
    assert.deepEqual(
      readAgentSettings(entry, variables, demoAgent, { insecureHosts: ['build.example'] }).problems,
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ableInitialize, type Json } from '../../../../fakeAgent/scenario';
import { posixOnly } from '../../../../support/posixOnly';
import { isRunning, pidIn } from '../../../../support/processes';
import { removeTemporary, temporaryFile } from '../../../../support/temporary';
import { until } from '../../../../support/until';
import { type Diagnosed, diagnosed, folderWith, nodeProgram, titles } from './bench';

describe('the diagnosis of an agent', function () {
  this.timeout(30_000);
  after(removeTemporary);

  function outcomes({ diagnosis }: Diagnosed): string[] {
    return diagnosis.steps.map(({ kind, outcome }) => `${kind} ${outcome}`);
  }

  function remedies({ findings }: Diagnosed): (string | undefined)[] {
    return findings.map(({ remedy }) => remedy);
  }

  it('SEC-172: of one that works finds nothing, and says what it can do', async () => {
    const record = temporaryFile('works.ndjson');
    const pidFile = temporaryFile('works.pid');
    const sessions: Json[] = [{ sessionId: 'a', cwd: '/w' }];
    const found = await diagnosed({ initialize: ableInitialize, sessions, record, pidFile });
    assert.deepEqual(titles(found), []);
    assert.deepEqual(outcomes(found), [
      'command done',
      'node done',
      'start done',
      'initialize done',
      'list done',
      'end done',
    ]);
    const { agent } = found.diagnosis;
    assert.deepEqual(agent?.list, { sessions: 1, hasMore: false });
    assert.equal(found.diagnosis.node?.version, process.version);
    assert.match(found.report.markdown, /No problem was found/);
    assert.match(found.report.markdown, /\| `fork` \| yes \|/);
    assert.match(found.report.markdown, /\| `steering` \| no \|/);
    // No prompt, no session, and no process that stays.
    const methods = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { method: string }).method);
    assert.deepEqual(methods, ['initialize', 'session/list']);
    assert.equal(isRunning(pidIn(pidFile)), false);
  });

  it('of a command that isn’t there says where it was looked for', async () => {
    const found = await diagnosed({}, { config: { command: 'no-such-agent' } });
    assert.deepEqual(titles(found), ['error: The command was not found']);
    assert.deepEqual(remedies(found), ['editAgents']);
    assert.deepEqual(outcomes(found), ['command done', 'start failed']);
    assert.match(found.report.markdown, /## PATH of VS Code/);
  });

  it('of npx that isn’t there leads to Node.js', async () => {
    const found = await diagnosed({}, { config: { command: 'npx', env: { PATH: '/nowhere' } } });
    assert.deepEqual(titles(found), ['error: Node.js was not found']);
    assert.deepEqual(remedies(found), ['installNode']);
  });

  posixOnly('of a file that isn’t executable names it', async () => {
    const folder = folderWith({ agent: 'text' }, 0o644);
    const command = path.join(folder, 'agent');
    const found = await diagnosed({}, { config: { command } });
    assert.deepEqual(titles(found), ['error: The command can’t be run']);
    assert.ok(found.findings[0]?.detail.includes(command));
    const onPath = { command: 'agent', env: { PATH: folder } };
    assert.equal((await diagnosed({}, { config: onPath })).diagnosis.lookup.refused, command);
  });

  posixOnly('of a command that only the login shell finds says so', async () => {
    const folder = folderWith({ agent: '#!/bin/sh\nexit 3\n' });
    const found = await diagnosed({}, { config: { command: 'agent' }, login: { PATH: folder } });
    assert.equal(found.diagnosis.lookup.program?.through, 'loginPath');
    assert.match(found.report.markdown, /on the PATH of the login shell/);
  });

  posixOnly('of a command outside of every PATH finds where it is installed', async () => {
    const home = path.dirname(temporaryFile('home'));
    const bin = path.join(home, '.nvm/versions/node/v24.1.0/bin');
    const file = path.join(bin, 'nvm-agent');
    mkdirSync(bin, { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    const found = await diagnosed({}, { config: { command: 'nvm-agent' } });
    assert.ok(found.findings[0]?.detail.includes(file));
  });

  posixOnly('of a script without Node leads to Node.js', async () => {
    const scripts = folderWith({ agent: '#!/usr/bin/env node\n' });
    const config = { command: 'agent', env: { PATH: scripts } };
    const found = await diagnosed({}, { config });
    // The PATH of the settings takes precedence over the login shell's, as in the start.
    assert.equal(found.diagnosis.lookup.loginPath, scripts);
    assert.deepEqual(titles(found)[0], 'error: Node.js was not found');
    assert.deepEqual(remedies(found)[0], 'installNode');
  });

  posixOnly('of a script whose Node only the login shell finds says where that is', async () => {
    const scripts = folderWith({ agent: '#!/usr/bin/env node\n' });
    const folder = folderWith({ node: nodeProgram() });
    const before = process.env['PATH'];
    process.env['PATH'] = scripts;
    try {
      const config = { command: 'agent' };
      const found = await diagnosed({}, { config, login: { PATH: folder } });
      assert.deepEqual(titles(found)[0], 'error: Only the login shell finds Node.js');
      assert.ok(found.findings[0]?.detail.includes(path.join(folder, 'node')));
    } finally {
      process.env['PATH'] = before;
    }
  });

  posixOnly('of a script whose package needs a newer Node says which', async () => {
    const manifest = { name: '@x/agent', version: '3.2.1', engines: { node: '>=99.1' } };
    const folder = folderWith({
      'package.json': JSON.stringify(manifest),
      agent: '#!/usr/bin/env node\nprocess.exit(1);\n',
      node: nodeProgram(),
    });
    const config = { command: 'agent', env: { PATH: `${folder}${path.delimiter}/usr/bin:/bin` } };
    const found = await diagnosed({}, { config });
    assert.deepEqual(titles(found), [
      'error: Node.js is too old for this agent',
      'error: It ended before it answered',
    ]);
    assert.match(found.report.markdown, /`@x\/agent@3\.2\.1`/);
  });

  posixOnly('of a script whose interpreter is missing names it', async () => {
    const folder = folderWith({ agent: '#!/no/such/shell -x\n' });
    const found = await diagnosed({}, { config: { command: path.join(folder, 'agent') } });
    assert.deepEqual(titles(found), ['error: The program that runs the command is missing']);
    assert.match(found.findings[0]?.detail ?? '', /`\/no\/such\/shell`/);
  });

  it('of one in a folder that isn’t there starts nothing in it', async () => {
    const found = await diagnosed({}, { cwd: temporaryFile('gone') });
    assert.deepEqual(titles(found), ['error: The folder to start in doesn’t exist']);
  });

  it('of a wrapper says which program it needs', async () => {
    const start = [{ stderr: 'Error: spawn gull ENOENT\n' }, { exit: 1 }];
    const found = await diagnosed({ start, on: { initialize: [] } });
    assert.deepEqual(titles(found), ['error: It needs a program that isn’t there']);
    assert.match(found.findings[0]?.detail ?? '', /`gull`/);
  });

  it('TR-6: of one that ends at once has its last words', async () => {
    const start = [{ stderr: 'Set an API key first\n' }, { exit: 41 }];
    const found = await diagnosed({ start, on: { initialize: [] } });
    assert.deepEqual(titles(found), ['error: It ended before it answered']);
    assert.match(found.findings[0]?.detail ?? '', /`exit code 41`/);
    assert.deepEqual(found.diagnosis.stderr, ['Set an API key first']);
    assert.match(found.report.markdown, /Set an API key first/);
    assert.deepEqual(outcomes(found).slice(-2), ['start done', 'initialize failed']);
  });

  it('T-30: of one that prints before its messages warns of the lines', async () => {
    const start = [{ line: 'Welcome' }, { line: 'Type a message' }];
    const found = await diagnosed({ start });
    assert.deepEqual(titles(found), ['warning: It prints text where only messages belong']);
    assert.deepEqual(found.diagnosis.noise, ['Welcome', 'Type a message']);
  });

  it('T-30: of a program that isn’t an agent quotes it', async () => {
    const start = [{ line: 'Welcome to the chat' }, { exit: 0 }];
    const found = await diagnosed({ start, on: { initialize: [] } });
    assert.deepEqual(titles(found), ['error: It printed something that isn’t ACP']);
    assert.deepEqual(remedies(found), ['editAgents']);
  });

  it('T-33: of one that never answers says so, and ends it', async () => {
    const pidFile = temporaryFile('silent.pid');
    const found = await diagnosed({ on: { initialize: [] }, pidFile }, { initializeMs: 500 });
    assert.deepEqual(titles(found), ['error: It didn’t answer']);
    assert.deepEqual(outcomes(found).slice(-1), ['initialize failed']);
    await until(() => !existsSync(pidFile) || !isRunning(pidIn(pidFile)));
  });

  it('T-36: of one with another version of the protocol names it', async () => {
    const found = await diagnosed({ initialize: { protocolVersion: 7 } });
    assert.deepEqual(titles(found), ['error: It speaks another version of the protocol']);
    assert.match(found.findings[0]?.detail ?? '', /`7`/);
    assert.deepEqual(remedies(found), ['editAgents']);
  });

  it('V2-INIT-5: of one that speaks a version which only the settings forbid offers that version', async () => {
    const found = await diagnosed({ initialize: { protocolVersion: 2 } });
    assert.deepEqual(titles(found), ['error: It speaks another version of the protocol']);
    assert.match(found.findings[0]?.detail ?? '', /version `2`, but was asked for `1`/);
    assert.deepEqual(remedies(found), ['useProtocol2']);
  });

  it('V2-INIT-5: of one that refuses version 2 with an error offers version 1', async () => {
    const error = { code: -32602, message: 'Unsupported version' };
    const found = await diagnosed(
      { on: { initialize: [{ error }] } },
      { config: { protocol: '2' } },
    );
    assert.deepEqual(titles(found), ['error: It answered “initialize” with an error']);
    assert.match(found.findings[0]?.detail ?? '', /Unsupported version.*version 2 of the protocol/);
    assert.deepEqual(remedies(found), ['useProtocol1']);
  });

  it('T-48: of one that says 2 and answers in the form of version 1 offers version 1', async () => {
    const found = await diagnosed(
      { initialize: { protocolVersion: 2, agentCapabilities: { loadSession: true } } },
      { config: { protocol: '2' } },
    );
    assert.deepEqual(titles(found), ['error: The agent mixes two versions of the protocol']);
    assert.deepEqual(remedies(found), ['useProtocol1']);
  });

  it('names the version of the protocol that was asked for, and the one that is spoken', async () => {
    const found = await diagnosed({ initialize: ableInitialize }, { config: { protocol: 'auto' } });
    assert.match(
      found.report.markdown,
      /- Protocol version that it is asked for: 2, otherwise 1\n/,
    );
    assert.match(found.report.markdown, /- Protocol version that it speaks: 1\n/);
  });

  it('of one that requires a login offers to sign in', async () => {
    const error = { code: -32000, message: 'Log in first' };
    const authMethods = [{ id: 'web', name: 'Browser' }];
    const found = await diagnosed({
      initialize: { authMethods },
      on: { 'session/list': [{ error }] },
    });
    assert.deepEqual(titles(found), ['error: You aren’t signed in']);
    assert.deepEqual(remedies(found), ['signIn']);
    assert.match(found.report.markdown, /- `Browser` \(`web`, agent\)/);
  });

  it('of one that never lists says so', async () => {
    const found = await diagnosed({ on: { 'session/list': [] } }, { listMs: 500 });
    assert.deepEqual(titles(found), ['error: It didn’t list its sessions']);
    assert.deepEqual(outcomes(found).slice(-2), ['list failed', 'end done']);
  });

  it('T-3: of one whose list never ends reads one page', async () => {
    const record = temporaryFile('endless.ndjson');
    const result = { sessions: [], nextCursor: 'again' };
    const found = await diagnosed({ record, on: { 'session/list': [{ result }] } });
    assert.deepEqual(found.diagnosis.agent?.list, { sessions: 0, hasMore: true });
    assert.equal(readFileSync(record, 'utf8').match(/session\/list/g)?.length, 1);
  });

  it('T-32, SEC-171: in a workspace that isn’t trusted starts nothing', async () => {
    const pidFile = temporaryFile('untrusted.pid');
    const found = await diagnosed({ pidFile }, { trusted: false });
    assert.deepEqual(titles(found), ['error: This workspace is not trusted']);
    assert.deepEqual(remedies(found), ['manageTrust']);
    assert.deepEqual(outcomes(found), ['command done']);
    assert.equal(existsSync(pidFile), false);
  });

  it('can be canceled, and then has what is known by then', async () => {
    const canceled = new AbortController();
    const found = await diagnosed(
      { on: { initialize: [] } },
      {
        signal: canceled.signal,
        onStep: (step) => {
          if (step === 'initialize') {
            canceled.abort();
          }
        },
      },
    );
    assert.deepEqual(titles(found), []);
    assert.deepEqual(outcomes(found).slice(-2), ['start done', 'initialize canceled']);
    assert.match(found.report.markdown, /The diagnosis was canceled/);
  });

  it('SEC-172: refuses what the agent asks for', async () => {
    const record = temporaryFile('asks.ndjson');
    const file = temporaryFile('written');
    const found = await diagnosed({
      record,
      on: {
        'session/list': [
          {
            request: 'fs/write_text_file',
            params: { sessionId: 's', path: file, content: 'x' },
            requestId: 'w',
            wait: true,
          },
          { result: { sessions: [] } },
        ],
      },
    });
    assert.deepEqual(titles(found), []);
    assert.equal(existsSync(file), false);
    assert.match(readFileSync(record, 'utf8'), /"id":"w","error"/);
  });
});

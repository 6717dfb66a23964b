import assert from 'node:assert/strict';
import { RegistryError } from '../../../../src/features/registry/model/registryError';
import {
  agentRemoved,
  agentStopped,
  describeFailure,
  describeLoadFailure,
  loadNotOffered,
} from '../../../../src/model/failures/failures';
import { UnsentAttachment } from '../../../../src/model/failures/unsentAttachment';
import { AcpError, type AcpErrorCode } from '../../../../src/protocol/errors';
import { fromRpcError } from '../../../../src/protocol/rpc/rpcErrors';
import { type Failure, failureText } from '../../../../src/shared/failure';
import { allSecretTexts, hasSecret } from '../../../support/secretTexts';

const codes: readonly AcpErrorCode[] = [
  'notFound',
  'notExecutable',
  'exited',
  'timeout',
  'version',
  'authRequired',
  'gone',
  'unsupported',
  'invalidParams',
  'cancelled',
  'malformed',
  'rpc',
  'untrusted',
];

function assertForPeople({ title, detail }: Failure): void {
  assert.match(title, /^\S.{5,80}[^.]$/);
  assert.match(detail, /^[A-Z“].+\.$/);
  assert.doesNotMatch(
    title + detail,
    /-32|json|rpc|acp|session\/|undefined|\[object|stderr|stdout/i,
  );
}

describe('failures', () => {
  it('ER-3: each code has a message for the user, for loading as well', () => {
    for (const code of codes) {
      const error = new AcpError(code, 'session/load: -32603 whatever');
      assertForPeople(describeFailure(error, 'Claude'));
      assertForPeople(describeLoadFailure(error, 'Claude'));
    }
    assertForPeople(loadNotOffered('Claude'));
    assertForPeople(agentStopped('Claude'));
    assertForPeople(agentRemoved('Claude'));
  });

  it('ER-3: an error with words of its own is told in these, with what it offers', () => {
    const error = new RegistryError('The registry can’t be reached.', 'ECONNREFUSED');
    const failure = describeFailure(error, 'Claude');
    assert.equal(failureText(failure), 'The registry can’t be reached.');
    assert.deepEqual(failure.actions, ['showLog']);
    const unsent = describeFailure(new UnsentAttachment('a.png', new Error('no file')), 'Claude');
    assertForPeople(unsent);
    assert.match(unsent.detail, /“a\.png” could not be attached: no file\./);
  });

  it('ER-5: a missing session is "not available", whichever way the agent says so', () => {
    const answers = (['gone', 'invalidParams', 'rpc'] as const).map((code) =>
      describeLoadFailure(new AcpError(code, 'x', { rpcCode: -1 }), 'Claude'),
    );
    assert.deepEqual(new Set(answers.map(({ title }) => title)).size, 1);
    assert.ok(answers.every(({ actions }) => actions.includes('retry')));
  });

  it('LOAD-11: gone, login needed and agent ended differ', () => {
    const titles = (['gone', 'authRequired', 'exited', 'timeout'] as const).map(
      (code) => describeLoadFailure(new AcpError(code, 'x'), 'Claude').title,
    );
    assert.equal(new Set(titles).size, titles.length);
  });

  it('T-13: not offered and refused differ', () => {
    const refused = describeLoadFailure(new AcpError('unsupported', 'x'), 'Claude');
    assert.notEqual(refused.title, loadNotOffered('Claude').title);
    assert.equal(refused.code, 'unsupported');
  });

  it("ER-4: an agent's words are quoted, cleaned and bounded", () => {
    const message = `Database\u001b[31m locked\n${'x'.repeat(5_000)}`;
    const { detail } = describeFailure(new AcpError('rpc', message, { rpcCode: -32603 }), 'Claude');
    assert.match(detail, /It said: “Database locked x+…”\./);
    assert.ok(detail.length < 400);
  });

  it('ER-4, AUTH-13: what an agent says about a missing login is shown, cleaned and bounded', () => {
    const missing = new AcpError('authRequired', 'Gemini API key is\u202e missing.\n', {
      rpcCode: -32000,
    });
    const { detail, actions } = describeFailure(missing, 'Gemini');
    assert.match(detail, /It said: “Gemini API key is missing\.”\. Sign in here,/);
    assert.ok(actions.includes('signIn'));
    const long = new AcpError('authRequired', 'x'.repeat(500), { rpcCode: -32000 });
    assert.match(describeFailure(long, 'Gemini').detail, /“x{240}…”/);
  });

  it('ER-4, AUTH-13, SEC-59: whatever an agent answers is quoted, without what looks like a secret', () => {
    const said = 'Log in with `agent login` first, not with sk-live-0123456789abcdef';
    for (const code of codes) {
      const failure = describeFailure(new AcpError(code, said, { rpcCode: -32000 }), 'Claude');
      assert.equal(failure.detail.split('Log in with `agent login` first').length, 2, code);
      assert.ok(!failure.detail.includes('0123456789abcdef'));
    }
    const gone = describeLoadFailure(new AcpError('gone', 'Use --list', { rpcCode: -1 }), 'Gemini');
    assert.match(gone.detail, /It said: “Use --list”\./);
  });

  it('T-35, ER-4, SEC-59: quotes no secret, whatever an agent answers', () => {
    for (const text of allSecretTexts) {
      const error = new AcpError('rpc', `It failed: ${text}`, { rpcCode: -32603 });
      const { detail } = describeFailure(error, 'Claude');
      assert.match(detail, /It failed: /);
      assert.ok(!hasSecret(detail), `${text} -> ${detail}`);
    }
  });

  it('names the command and the exit code', () => {
    const missing = describeFailure(new AcpError('notFound', 'x', { subject: 'npx' }), 'Claude');
    assert.match(missing.detail, /“npx”/);
    const ways = ['editAgents', 'retry', 'diagnose', 'showLog', 'learnSettings'];
    assert.deepEqual(missing.actions, ways);
    const facts = { subject: 'npx', missingFolder: '/no/where' };
    const folder = describeFailure(new AcpError('notFound', 'x', facts), 'Claude');
    assert.match(folder.detail, /“\/no\/where” doesn’t exist/);
    const ended = describeFailure(new AcpError('exited', 'x', { exit: 'exit code 3' }), 'Claude');
    assert.match(ended.detail, /\(exit code 3\)/);
  });

  it('TR-6: quotes what an agent wrote last, as far as it says why', () => {
    const stderr = [
      'Loading configuration',
      '\u001b[31mError: Cannot find module \u202e"left-pad"',
      '    at Module._load (node:internal/modules/cjs/loader:1)',
      '}',
      'Node.js v22.1.0',
    ];
    const ended = describeFailure(
      new AcpError('exited', 'x', { stderr, exit: 'exit code 1' }),
      'A',
    );
    assert.match(ended.detail, /Its last output: “Error: Cannot find module "left-pad"”\./);
    assert.equal(ended.said, 'Error: Cannot find module "left-pad"');
    const plain = { stderr: ['你好', 'ขอบคุณ', 'x'.repeat(5000)] };
    const { detail } = describeFailure(new AcpError('timeout', 'x', plain), 'A');
    assert.match(detail, /Its last output: “ขอบคุณ x{240}…”/);
    assertForPeople(ended);
  });

  it('TR-6: quotes what it printed instead of messages, if that says why it ended', () => {
    const facts = {
      noise: 'gull 1.2',
      exit: 'exit code 1',
      stdout: ['gull 1.2', 'Error: No account'],
    };
    const ended = describeFailure(new AcpError('exited', 'x', facts), 'Gull');
    assert.equal(ended.title, 'Gull has ended');
    assert.equal(ended.said, 'Error: No account');
    assertForPeople(ended);
  });

  it('ER-4: says which program a wrapper needs, by the words of real ones', () => {
    const answer = (message: string, details?: string): AcpError =>
      fromRpcError({ code: -32603, message, data: details === undefined ? {} : { details } });
    const pi =
      'Internal error: Could not start pi: executable not found (command: pi). Pi needs to be installed before it can run in ACP clients. Install it via `npm install -g @earendil-works/pi-coding-agent` or ensure `pi` is on your PATH. Then try again.';
    const claude =
      'Claude Code native binary not found at /opt/claude/bin/claude. Please ensure Claude Code is installed via native installer or specify a valid path with options.pathToClaudeCodeExecutable.';
    const codex =
      '[SYSTEM_ERROR] [APP-SERVER EXIT] The Codex app-server could not be started (spawn /nope/codex ENOENT): {"generation":1,"pid":null}';
    const cases: readonly [AcpError, string][] = [
      [answer(pi), 'pi'],
      [answer('Internal error', claude), 'claude'],
      [new AcpError('timeout', 'x', { stderr: ['Starting', codex] }), 'codex'],
      [
        new AcpError('exited', 'x', { stderr: ['Error: spawn C:\\My Bin\\gull.exe ENOENT'] }),
        'gull',
      ],
    ];
    for (const [error, program] of cases) {
      for (const describe of [describeFailure, describeLoadFailure]) {
        const failure = describe(error, 'Gull');
        assert.equal(failure.title, `Gull needs “${program}”, which was not found`);
        assert.match(failure.detail, /works through “/);
        assert.match(failure.detail, /(?:It said|Its last output): “/);
      }
    }
    const other = [
      answer('No API key: spawn one'),
      answer('File not found at /a'),
      answer('Internal error', 'MCP server "time" failed: spawn uvx ENOENT'),
      answer('Internal error', 'The tool grep failed: Error: spawn rg ENOENT'),
    ];
    assert.deepEqual(
      other.map((error) => describeFailure(error, 'Gull').title),
      other.map(() => 'Gull reported an error'),
    );
  });

  it('TR-6: says of a version that npm refuses as too new what that means', () => {
    const stderr = [
      'npm error code ETARGET',
      'npm error notarget No matching version found for gull@1.6.0 with a date before 11/1/2026, 7:09:38 PM.',
    ];
    const { detail } = describeFailure(new AcpError('exited', 'x', { stderr }), 'Gull');
    assert.match(detail, /min-release-age/);
  });

  it('T-30: says of a program that isn’t an agent what it prints, and what to check', () => {
    for (const code of ['exited', 'timeout', 'malformed'] as const) {
      const facts = { noise: 'Welcome\u001b[1m to the\tchat', exit: 'exit code 1' };
      const { title, detail, actions } = describeFailure(new AcpError(code, 'x', facts), 'Gemini');
      assert.equal(title, 'Gemini printed something that isn’t ACP');
      assert.match(detail, /^Its output began with “Welcome to the chat”, and it didn’t answer\./);
      assert.match(detail, /Check its command in the settings: .*--acp/);
      assert.equal(detail.includes('exit code 1'), code === 'exited');
      assert.equal(actions[0], 'editAgents');
    }
  });

  it('T-32: without trust the one way on is to manage trust', () => {
    assert.deepEqual(describeFailure(new AcpError('untrusted', ''), 'Claude').actions, [
      'manageTrust',
      'learnTrust',
    ]);
  });

  it('an error from outside the protocol is our fault, not the agent’s', () => {
    const failure = describeFailure(new TypeError('x is not a function'), 'Claude');
    assert.equal(failure.code, 'internal');
    assertForPeople({ ...failure, title: failure.title.replace('ACP Sessions', 'it') });
  });

  it('a hostile title cannot turn the sentence around', () => {
    const { title } = describeFailure(new AcpError('exited', ''), '\u202egpj\n'.repeat(50));
    assert.doesNotMatch(title, /[\u202e\n]/);
    assert.ok(title.length < 90);
  });
});

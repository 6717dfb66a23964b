import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { SharedSessions } from '../../../../src/protocol/share/sharedSessions';
import { type Json, update } from '../../../fakeAgent/scenario';
import { temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import type { Message } from './client';
import { SharingBench } from './sharingBench';

describe('an agent that is shared', function () {
  this.timeout(20_000);
  const bench = SharingBench.ofSuite();
  const { share, connected } = bench;

  describe('keeps its clients to what is shared', () => {
    const http = { type: 'http', name: 'web', url: 'https://tools.example', headers: [] };
    const acp = { type: 'acp', name: 'editor', serverId: 'x' };
    const program = { name: 'own', command: 'sh', args: [], env: [] };
    const calls: readonly (readonly [string, () => Json, boolean])[] = [
      ['the folder itself', () => ({ cwd: bench.folder, mcpServers: [] }), true],
      ['a folder below', () => ({ cwd: path.join(bench.folder, 'a'), mcpServers: [http] }), true],
      ['a server of the client', () => ({ cwd: bench.folder, mcpServers: [acp] }), true],
      ['another folder', () => ({ cwd: '/', mcpServers: [] }), false],
      ['a folder whose name begins the same', () => ({ cwd: `${bench.folder}x` }), false],
      ['a folder that is no text', () => ({ cwd: 7 }), false],
      ['another one besides', () => ({ cwd: bench.folder, additionalDirectories: ['/'] }), false],
      [
        'folders that are no list',
        () => ({ cwd: bench.folder, additionalDirectories: '/' }),
        false,
      ],
      [
        'an MCP server that is a program',
        () => ({ cwd: bench.folder, mcpServers: [program] }),
        false,
      ],
      [
        'one with a type, too',
        () => ({ cwd: bench.folder, mcpServers: [{ ...program, type: 'http' }] }),
        false,
      ],
    ];
    it('SEC-159: whatever the method', async () => {
      const sessions = [{ sessionId: 's1', cwd: bench.folder }];
      await share({ sessions });
      const one = await connected();
      for (const method of ['session/new', 'session/load', 'session/resume', 'session/fork']) {
        for (const [what, params, isTaken] of calls) {
          const { error } = await one.ask(method, { sessionId: 's1', ...(params() as object) });
          const { code } = (error ?? {}) as { code?: number };
          assert.equal(code !== -32602, isTaken, `${method}: ${what}`);
        }
      }
    });

    it('SEC-159: with the rows of their folders only', async () => {
      const row = (sessionId: string, cwd: string): Json => ({ sessionId, cwd });
      await share({ sessions: [row('in', bench.folder), row('out', '/'), row('no', '')] });
      const { result } = await (await connected()).ask('session/list');
      const { sessions } = result as { sessions: readonly Message[] };
      assert.deepEqual(
        sessions.map(({ sessionId }) => sessionId),
        ['in'],
      );
    });

    const withId = [
      ['session/load', (): Json => ({ cwd: bench.folder })],
      ['session/resume', (): Json => ({ cwd: bench.folder })],
      ['session/fork', (): Json => ({ cwd: bench.folder })],
      ['session/prompt', (): Json => ({ prompt: [] })],
      ['session/close', (): Json => ({})],
      ['session/delete', (): Json => ({})],
      ['_session/steering', (): Json => ({ prompt: [] })],
    ] as const;
    for (const [method, params] of withId) {
      it(`SEC-160: ${method} with sessions of their folders only`, async () => {
        const record = temporaryFile('foreign');
        const row = (sessionId: string, cwd: string): Json => ({ sessionId, cwd });
        await share({
          ...{ record, sessions: [row('in', bench.folder), row('out', '/')] },
          on: { '_session/steering': [{ result: {} }] },
        });
        const one = await connected();
        for (const sessionId of ['out', 'never heard of', '']) {
          const { error } = await one.ask(method, { ...(params() as object), sessionId });
          assert.equal((error as { code: number } | undefined)?.code, -32602, sessionId);
        }
        const { error } = await one.ask(method, { ...(params() as object), sessionId: 'in' });
        assert.notEqual((error as { code: number } | undefined)?.code, -32602);
        assert.ok(!fs.readFileSync(record, 'utf8').includes('"out"'));
      });
    }

    it('SEC-160: with a session that a page further on names', async () => {
      const row = (sessionId: string): Json => ({ sessionId, cwd: bench.folder });
      const pages = [
        [{ result: { sessions: [row('first')], nextCursor: '2' } }],
        [{ result: { sessions: [row('last')] } }],
      ];
      await share({ replays: { last: [{ result: {} }] }, on: { 'session/list': pages } });
      const one = await connected();
      const answer = await one.ask('session/load', { sessionId: 'last', cwd: bench.folder });
      assert.ok('result' in answer, JSON.stringify(answer));
      assert.equal(one.received.length, 2, 'the answers that it asked for, and no others');
    });

    it('SEC-160: and reads a list without an end for a hundred pages', async () => {
      const record = temporaryFile('endless');
      await share({
        record,
        on: { 'session/list': [{ result: { sessions: [], nextCursor: '1' } }] },
      });
      const { error } = await (await connected()).ask('session/close', { sessionId: 's' });
      assert.equal((error as { code: number }).code, -32602);
      assert.equal(fs.readFileSync(record, 'utf8').match(/"session\/list"/g)?.length, 100);
    });

    it('SEC-160: and refuses what an agent doesn’t list in time', async () => {
      const on = { 'session/list': [{ waitForCancel: true as const }] };
      await share({ on }, { lookupMs: 50 });
      const { error } = await (await connected()).ask('session/close', { sessionId: 's' });
      assert.match((error as { message: string }).message, /as far as the agent lists them/);
    });

    it('SEC-160: who may stop a subagent, and hear nothing of sessions elsewhere', async () => {
      const prompt = [
        { update: { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Child' } },
        { update: update.title('Not yours'), sessionId: 'out' },
        { update: { sessionUpdate: 'subagent_update', sessionId: 'other' }, sessionId: 'out' },
        { result: { stopReason: 'end_turn' } },
      ] as const;
      const sessions = new SharedSessions();
      await share({ on: { 'session/prompt': prompt } }, { sessions });
      const [one, two] = [await connected(), await connected()];
      const { result } = await one.ask('session/new', { cwd: bench.folder, mcpServers: [] });
      await one.ask('session/prompt', { ...(result as object), prompt: [] });
      assert.deepEqual(
        ['child', 'other', 'out'].map((id) => sessions.isShared(id)),
        [true, false, false],
      );
      assert.deepEqual(two.updates('out'), []);
    });

    it('SEC-164: with nothing in _meta but where a fork ends and what steering does', async () => {
      const record = temporaryFile('meta');
      const sessions = [{ sessionId: 's1', cwd: bench.folder }];
      await share({ record, sessions });
      const one = await connected();
      const options = { additionalDirectories: ['/'], executable: 'evil', env: { A: 'b' } };
      const fork = { version: 1, messageId: 'm1', more: 'evil' };
      await one.ask('session/list');
      await one.ask('session/fork', {
        ...{ sessionId: 's1', cwd: bench.folder, mcpServers: [] },
        _meta: { claudeCode: { options }, jetbrains: { air: { fork, more: options } } },
      });
      await one.ask('session/load', {
        ...{ sessionId: 's1', cwd: bench.folder, mcpServers: [] },
        _meta: { claudeCode: { options } },
      });
      const lines = fs.readFileSync(record, 'utf8');
      assert.ok(!lines.includes('evil') && !lines.includes('claudeCode'));
      assert.ok(lines.includes('"fork":{"version":1,"messageId":"m1"}'));
    });

    it('SEC-162: with what was checked, and not with a member that stands twice', async () => {
      const record = temporaryFile('twice');
      await share({ record });
      const one = await connected();
      const cwd = JSON.stringify(bench.folder);
      one.socket.send(
        `{"jsonrpc":"2.0","id":9,"method":"session/new","params":{"cwd":"/","cwd":${cwd},"mcpServers":[]}}`,
      );
      await until(() => one.received.some(({ id }) => id === 9));
      assert.ok(!fs.readFileSync(record, 'utf8').includes('"cwd":"/"'));
    });
  });
});

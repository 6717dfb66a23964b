import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import { update } from '../../../fakeAgent/scenario';
import { isRunning, pidIn } from '../../../support/processes';
import { temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import type { Message } from './client';
import { SharingBench } from './sharingBench';

describe('an agent that is shared', function () {
  this.timeout(20_000);
  const bench = SharingBench.ofSuite();
  const { share, client, connected } = bench;

  describe('lets in', () => {
    const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
      ['no token', { authorization: '' }, /401/],
      ['a wrong token', { authorization: 'Bearer wrong' }, /401/],
      ['another scheme', { authorization: 'Basic abc' }, /401/],
      ['a page in a browser', { origin: 'http://127.0.0.1' }, /403/],
      ['a name that others can have point here', { host: 'evil.example' }, /403/],
    ];
    for (const [what, headers, status] of refusals) {
      it(`SEC-155, SEC-157: nobody with ${what}`, async () => {
        await share();
        await assert.rejects(client(headers).open(), status);
        assert.deepEqual(bench.server.clients, []);
        assert.ok(!bench.log.lines.join('\n').includes(bench.token));
      });
    }

    it('nobody at another path, and answers no page', async () => {
      await share();
      await assert.rejects(client({}, new URL('/other', bench.server.url)).open(), /404/);
      const page = await fetch(bench.server.url.href.replace('ws:', 'http:'));
      assert.equal(page.status, 426);
    });

    it('SEC-155: nobody with a token from before, whose client it disconnects', async () => {
      await share();
      const first = await connected();
      bench.server.newToken();
      await until(() => first.ended !== undefined && bench.server.clients.length === 0);
      await assert.rejects(client().open(), /401/);
    });

    it('SEC-155: from an address with many wrong tokens only the right one, for a while', async () => {
      await share();
      for (let count = 0; count < 20; count++) {
        await assert.rejects(client({ authorization: 'Bearer wrong' }).open(), /401/);
      }
      await assert.rejects(
        client({ authorization: 'Bearer wrong' }).open(),
        /socket hang up|ECONNRESET/,
      );
      await (await client().open()).initialize();
      await assert.rejects(
        client({ authorization: 'Bearer wrong' }).open(),
        /socket hang up|ECONNRESET/,
      );
    });

    it('SEC-155: nobody who tries many tokens in requests that are wrong in other ways, too', async () => {
      await share();
      const wrong = { authorization: 'Bearer wrong' };
      const other = new URL('/other', bench.server.url);
      const tries = [
        ...[() => client(wrong, other), () => client({ ...wrong, origin: 'http://127.0.0.1' })],
        () => client({ ...wrong, host: 'evil.example' }),
      ];
      for (let count = 0; count < 21; count += tries.length) {
        for (const again of tries) {
          await assert.rejects(again().open(), count < 18 ? /401/ : /401|hang up|ECONNRESET/);
        }
      }
      for (const again of tries) {
        await assert.rejects(again().open(), /socket hang up|ECONNRESET/);
      }
      await (await client().open()).initialize();
    });

    it('SEC-156: a client with the token, for which connections without one give way', async () => {
      await share();
      const one = await connected();
      let open = 0;
      const silent = Array.from({ length: 128 }, () => {
        const socket = net.connect(Number(bench.server.url.port), '127.0.0.1', () => (open += 1));
        return socket.on('error', () => undefined).on('close', () => (open -= 1));
      });
      try {
        await until(() => silent.every((socket) => !socket.connecting) && open <= 64);
        await (await client().open()).initialize();
        assert.equal(bench.server.clients.length, 2);
        assert.ok('result' in (await one.ask('session/list')));
      } finally {
        for (const socket of silent) {
          socket.destroy();
        }
      }
    });

    it('SEC-169: eight clients, and no ninth', async () => {
      await share();
      await Promise.all(Array.from({ length: 8 }, () => client().open()));
      await assert.rejects(client().open(), /503/);
      assert.equal(bench.server.clients.length, 8);
    });

    it('a client through a tunnel, whose port is another one', async () => {
      await share();
      await client({ host: 'localhost:1234' }).open();
    });
  });

  it('listens at the previous port if that is free', async () => {
    await share();
    const port = Number(bench.server.url.port);
    await share({}, { port });
    assert.notEqual(Number(bench.server.url.port), port);
    await bench.stop();
    await share({}, { port });
    assert.equal(Number(bench.server.url.port), port);
  });

  it('SEC-167: hides the files and terminals of the client from the agent, which has its own', async () => {
    const record = temporaryFile('received');
    await share({ record });
    const one = await client().open();
    const clientCapabilities = {
      fs: { readTextFile: true },
      terminal: true,
      auth: { terminal: true },
      subagents: {},
    };
    await one.ask('initialize', { protocolVersion: 1, clientCapabilities });
    const [line = ''] = fs.readFileSync(record, 'utf8').split('\n');
    const { params } = JSON.parse(line) as { params: Message };
    assert.deepEqual(params['clientCapabilities'], { subagents: {} });
  });

  describe('answers', () => {
    const messages: readonly (readonly [string, string, number])[] = [
      ['what isn’t JSON', 'hello', -32700],
      ['a list of messages', '[]', -32600],
      [
        'an id that would be another one afterward',
        '{"jsonrpc":"2.0","id":1e30,"method":"x"}',
        -32600,
      ],
      // SEC-162
      ['what is nested twice as deep as it may be', deep(200), -32600],
      ['what is nested far deeper', deep(200_000), -32600],
    ];
    for (const [what, text, code] of messages) {
      it(`${what} with an error, and goes on`, async () => {
        await share();
        const one = await connected();
        one.socket.send(text);
        await until(() => one.received.some(({ error }) => error !== undefined));
        const { error } = one.received.at(-1) as { error: { code: number } };
        assert.equal(error.code, code);
        assert.ok('result' in (await one.ask('session/list')));
      });
    }
  });

  describe('ends a connection', () => {
    it('SEC-158: whose first message isn’t initialize, before anything was started', async () => {
      const pidFile = temporaryFile('not-started');
      await share({ pidFile });
      const one = await client().open();
      await one.ask('session/list');
      assert.equal(one.ended?.code, 1008);
      assert.ok(!fs.existsSync(pidFile));
    });

    it('SEC-169: that says nothing', async () => {
      await share({}, { quietMs: 30 });
      const one = await client().open();
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1008);
    });

    it('with a binary message', async () => {
      await share();
      const one = await connected();
      one.socket.send(new Uint8Array([1, 2, 3]));
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1003);
    });

    it('SEC-169: with a message of twice the limit, from either side', async () => {
      const sessions = [{ sessionId: 's', cwd: bench.folder }];
      await share(
        { sessions, replays: { '*': [{ bigLine: 40_000 }] } },
        { maxMessageBytes: 10_000 },
      );
      const one = await connected();
      one.socket.send(`"${'x'.repeat(20_000)}"`);
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1009);
      const two = await connected();
      await two.ask('session/load', { sessionId: 's', cwd: bench.folder });
      assert.equal(two.ended?.code, 1009);
    });

    it('SEC-170: with its process and all that this has started, in the middle of a turn', async () => {
      const [agent, child] = [temporaryFile('agent-pid'), temporaryFile('child-pid')];
      const prompt = [{ grandchild: child, ignoreTerm: true }, { waitForCancel: true as const }];
      const sessions = [{ sessionId: 's1', cwd: bench.folder }];
      await share({ sessions, pidFile: agent, ignoreTerm: true, on: { 'session/prompt': prompt } });
      const one = await connected();
      one.socket.send(
        '{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}',
      );
      await until(() => fs.existsSync(child) && fs.readFileSync(child, 'utf8') !== '');
      one.socket.terminate();
      await until(() => !isRunning(pidIn(agent)) && !isRunning(pidIn(child)));
      await until(() => bench.server.clients.length === 0);
    });

    it('when its agent has ended, after what that said last', async () => {
      const prompt = [{ update: update.agent('bye'), sessionId: 's1' }, { exit: 3 }];
      await share({
        sessions: [{ sessionId: 's1', cwd: bench.folder }],
        on: { 'session/prompt': prompt },
      });
      const one = await connected();
      await one.ask('session/prompt', { sessionId: 's1', prompt: [] });
      assert.equal(one.ended?.code, 1011);
      assert.equal(one.updates('s1').length, 1);
    });

    it('SEC-170: and all others with the server, which waits for their processes', async () => {
      const pidFile = temporaryFile('stopped-pid');
      await share({ pidFile });
      const one = await connected();
      const { url } = bench.server;
      await bench.server.stop();
      assert.ok(!isRunning(pidIn(pidFile)));
      await until(() => one.ended !== undefined);
      await assert.rejects(client({}, url).open(), /ECONNREFUSED/);
    });
  });

  it('SEC-169: waits for a client that reads slowly, and holds little for it', async () => {
    const done = temporaryFile('generated');
    const much = { repeat: [{ bigLine: 1_000_000 }], times: 24 };
    const sessions = ['s', 't'].map((sessionId) => ({ sessionId, cwd: bench.folder }));
    await share({ sessions, replays: { s: [much, { touch: done }], '*': [much] } });
    const one = await connected();
    one.socket.pause();
    one.socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 9,
        method: 'session/load',
        params: { sessionId: 's', cwd: bench.folder },
      }),
    );
    // Long enough for all of it if nothing waited: the answer of another client comes after it.
    const two = await connected();
    await two.ask('session/load', { sessionId: 't', cwd: bench.folder });
    assert.ok(!fs.existsSync(done));
    assert.equal(one.received.length, 1);
    one.socket.resume();
    await until(() => one.received.some(({ id }) => id === 9));
    assert.equal(one.updates('s').length, much.times);
  });
});

function deep(levels: number): string {
  const nested = '['.repeat(levels) + ']'.repeat(levels);
  return `{"jsonrpc":"2.0","id":9,"method":"session/list","params":{"cursor":${nested}}}`;
}

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inProject } from '../../../support/project';
import { until } from '../../../support/until';
import { connect, Peer, type Raw, type Seen, target } from '../peer';

const folder = inProject('test/fixtures/wire');

function read(agent: string): Raw[] {
  const lines = fs.readFileSync(`${folder}/${agent}.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Raw);
}

/** The update in a logged message, if it is one. */
function updateOf(line: Raw): Raw | undefined {
  return line['method'] === 'session/update'
    ? ((line['params'] as Raw)['update'] as Raw)
    : undefined;
}

/**
 * Replays a log: answers the list and the load at their places in it, and sends everything else
 * around them.
 */
async function replay(
  agent: string,
): Promise<Seen & { readonly peer: Peer; readonly wire: Raw[] }> {
  const lines = read(agent);
  const peer = new Peer();
  peer.answer('session/list', () => lines.find((line) => line['id'] === '$list')?.['result']);
  peer.answer('session/load', (message) => {
    for (const line of lines.filter(({ id }) => id !== '$list')) {
      peer.send(line['id'] === '$load' ? { ...line, id: message['id'] } : line);
    }
    return undefined;
  });
  const seen = await connect(peer.client);
  await seen.connection.loadSession({ ...target, sessionId: 'session-1' });
  const wire = lines.map(updateOf).filter((update) => update !== undefined);
  await until(() => seen.updates.length === wire.length);
  return { ...seen, peer, wire };
}

/** Fields that the normalizer derives. */
const derived = new Set([
  ...['terminalOutput', 'terminalExit', 'printed', 'content'],
  ...['availableCommands', 'configOptions', 'isWorking'],
]);

/** Checks that `update` has nothing that isn't in `wire`, except for derived fields. */
function assertFromWire(update: Raw, wire: Raw): void {
  for (const [key, value] of Object.entries(update)) {
    if (!derived.has(key)) {
      assert.deepEqual(value, wire[key], key);
    }
  }
}

describe('what real agents send', () => {
  const agents = fs.readdirSync(folder).map((file) => file.replace('.jsonl', ''));
  for (const agent of agents) {
    it(`UP-2: ${agent}: every update is understood, in order, and nothing is logged`, async () => {
      const { updates, wire, log } = await replay(agent);
      for (const [index, { update }] of updates.entries()) {
        assertFromWire(update as unknown as Raw, wire[index] ?? {});
      }
      assert.deepEqual(
        updates.map(({ update }) => update.sessionUpdate),
        wire.map((update) => update['sessionUpdate']),
      );
      assert.deepEqual(log.lines, []);
    });

    it(`CO-7: ${agent}: all content blocks and diffs are of known types`, async () => {
      const { updates } = await replay(agent);
      assert.ok(!JSON.stringify(updates.map(({ update }) => update)).includes('"type":"unknown"'));
    });
  }

  for (const agent of agents.filter((name) => read(name).some(({ id }) => id === '$list'))) {
    it(`LIST-12: ${agent}: every row of the list is understood`, async () => {
      const { connection } = await replay(agent);
      const wire = read(agent).find(({ id }) => id === '$list')?.['result'] as { sessions: Raw[] };
      const { sessions } = await connection.listSessions({ cwd: '/home/user/project' });
      assert.equal(sessions.length, wire.sessions.length);
      assert.ok(sessions.every((row) => row.title && row.updatedAt));
    });
  }

  it('CF-3, CF-6: every config option of every agent is understood, with all its choices', async () => {
    for (const agent of agents) {
      const { updates, wire } = await replay(agent);
      for (const [index, { update }] of updates.entries()) {
        if (update.sessionUpdate === 'config_option_update') {
          const sent = wire[index]?.['configOptions'] as Raw[];
          assert.equal(update.configOptions.length, sent.length);
          assert.ok(
            update.configOptions.every(({ name, type }) => name !== '' && type !== 'unknown'),
          );
        }
      }
    }
  });

  it('T-9: gemini: most of the history comes after the answer', async () => {
    const lines = read('gemini');
    const answer = lines.findIndex((line) => line['id'] === '$load');
    assert.ok(answer <= 1);
    assert.ok((await replay('gemini')).updates.length > 10);
  });

  for (const agent of ['pi', 'codexAndQwen']) {
    it(`TE-9: ${agent}: output of its own terminals is found in _meta`, async () => {
      const { updates } = await replay(agent);
      const outputs = updates.flatMap(({ update }) =>
        'terminalOutput' in update ? update.terminalOutput : [],
      );
      assert.ok(outputs.some(({ text }) => text !== ''));
      const shown = updates.flatMap(({ update }) =>
        update.sessionUpdate === 'tool_call' && update.content ? update.content : [],
      );
      const ids = shown.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
      assert.ok(outputs.every(({ terminalId }) => ids.includes(terminalId)));
    });
  }

  it('EX-4, EX-5: vendor requests are refused, vendor notifications are passed over', async () => {
    const { peer } = await replay('codexAndQwen');
    const answers = peer.received.filter((message) => message['method'] === undefined);
    assert.deepEqual(
      answers.map((message) => [message['id'], (message['error'] as Raw)['code']]),
      [[0, -32601]],
    );
  });
});

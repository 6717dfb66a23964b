import assert from 'node:assert/strict';
import { AcpError } from '../../../../src/protocol/errors';
import type { BackgroundItem, SessionUpdate } from '../../../../src/protocol/updates';
import type { BackgroundTask } from '../../../../src/shared/transcript/backgroundTask';
import { until } from '../../../support/until';
import { idle } from '../fakes';
import { type SessionBench, sessionBench } from '../sessionBench';
import { call, state } from '../updates';

const terminal: BackgroundItem = { type: 'terminal', terminalId: 't' };
const toolCall: BackgroundItem = { type: 'toolCall', toolCallId: 'c' };
const describedAs = (command: string, canCancel?: boolean): SessionUpdate => ({
  ...{ sessionUpdate: 'terminal_update', terminalId: 't', command },
  ...(canCancel !== undefined && { canCancel }),
});
const printed = (text: string): SessionUpdate => ({
  ...{ sessionUpdate: 'terminal_output_chunk', terminalId: 't' },
  data: Buffer.from(text).toString('base64'),
});

describe('What runs in the background of a session', () => {
  async function opened() {
    const made = sessionBench();
    await made.session.load();
    const connection = made.connections[0]!;
    return { made, connection };
  }
  const listed = ({ session }: SessionBench): readonly BackgroundTask[] =>
    session.tasks.all?.listed ?? [];
  const stops = ({ connections }: SessionBench): readonly string[] =>
    connections.flatMap(({ calls }) => calls).filter((each) => each.startsWith('stop '));

  it('V2-TURN-12: is listed with what it is, whatever the agent has told of it', async () => {
    const { made, connection } = await opened();
    assert.equal(made.session.tasks.all, undefined);
    connection.send('s0', call('c', { title: 'Watch the files' }));
    connection.send('s0', describedAs('npm test'), printed('one\ntwo\n'));
    const background = [
      ...[terminal, toolCall, { type: 'subagent', sessionId: 'unknown' } as const],
      ...[{ type: 'other', name: 'dream' } as const, { ...terminal, terminalId: 'unknown' }],
    ];
    connection.send('s0', state('idle', { background }));
    assert.deepEqual(
      listed(made).map(({ kind, title, output, canStop }) => [kind, title, output, canStop]),
      [
        ['terminal', 'npm test', 'one\ntwo\n', undefined],
        ['toolCall', 'Watch the files', undefined, undefined],
        ['subagent', 'Subagent', undefined, undefined],
        ['other', 'Other work (dream)', undefined, undefined],
        ['terminal', 'Terminal', undefined, undefined],
      ],
    );
    assert.equal(listed(made)[1]?.index, 0);
    const size = { columns: 40, rows: 10 };
    connection.send('s0', { sessionUpdate: 'terminal_update', terminalId: 't', size });
    assert.deepEqual(listed(made)[0]?.size, size);
    connection.send('s0', state('idle', { background: [] }));
    assert.equal(made.session.tasks.all, undefined);
  });

  it('V2-TERM-7, V2-TOOL-9: is stopped where the agent says that it can be, and nowhere else', async () => {
    const { made, connection } = await opened();
    connection.send('s0', call('c', { title: 'Watch' }), describedAs('npm test', true));
    connection.send('s0', state('idle', { background: [terminal, toolCall] }));
    const [first, second] = listed(made);
    assert.ok(first?.canStop && second && !second.canStop);
    await made.session.tasks.stop(second.id);
    await made.session.tasks.stop('terminal other');
    assert.deepEqual(stops(made), []);
    await made.session.tasks.stop(first.id);
    await made.session.tasks.stop(first.id);
    assert.deepEqual(stops(made), [`stop s0 ${JSON.stringify(terminal)}`], 'once');
    assert.equal(listed(made)[0]?.stop, 'asked');
    connection.send('s0', {
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'c', canCancel: true },
    });
    await made.session.tasks.stop(second.id);
    assert.equal(stops(made).length, 2);
    // The agent says that it has stopped, and later runs it again.
    connection.send('s0', state('idle', { background: [] }));
    connection.send('s0', state('idle', { background: [terminal] }));
    assert.equal(listed(made)[0]?.stop, undefined);
    connection.send('s0', describedAs('npm test', false));
    assert.equal(listed(made)[0]?.canStop, undefined);
  });

  it('V2-TERM-7: says that it couldn’t be stopped, and can be tried again', async () => {
    const { made, connection } = await opened();
    connection.send('s0', describedAs('npm test', true));
    connection.send('s0', state('idle', { background: [terminal] }));
    connection.changing = () => {
      throw new AcpError('invalidParams', 'It has exited');
    };
    const id = listed(made)[0]?.id ?? '';
    await made.session.tasks.stop(id);
    assert.deepEqual([listed(made)[0]?.stop, listed(made)[0]?.canStop], ['failed', true]);
    await made.session.tasks.stop(id);
    assert.equal(stops(made).length, 2);
  });

  it('what a terminal puts out is followed, at most a few times a second', async () => {
    const { made, connection } = await opened();
    connection.send('s0', state('idle', { background: [terminal] }));
    await idle();
    let changes = 0;
    made.session.onDidChangeState(() => {
      changes++;
    });
    for (let at = 0; at < 100; at++) {
      connection.send('s0', printed(`line ${at}\n`));
    }
    await until(() => changes > 0);
    assert.ok(changes < 5, `${changes}`);
    assert.match(listed(made)[0]?.output ?? '', /line 99\n$/);
  });

  it('of twice as much as is listed, the first is, and the last lines of an output', async () => {
    const { made, connection } = await opened();
    const background = Array.from({ length: 100 }, (_, at) => ({
      ...{ type: 'terminal' as const, terminalId: at === 0 ? 't' : `${at}` },
    }));
    connection.send('s0', printed(`${'x'.repeat(39)}\n`.repeat(100)));
    connection.send('s0', state('idle', { background }));
    const { count, listed: first } = made.session.tasks.all ?? {};
    assert.deepEqual([count, first?.length], [100, 50]);
    assert.equal(first?.[0]?.output, `${'x'.repeat(39)}\n`.repeat(49));
  });

  it('is unknown when the agent is gone', async () => {
    const { made, connection } = await opened();
    connection.send('s0', describedAs('npm test', true));
    connection.send('s0', state('idle', { background: [terminal] }));
    await made.session.reload();
    assert.equal(made.session.tasks.all, undefined);
  });
});

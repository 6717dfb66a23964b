import assert from 'node:assert/strict';
import { until } from '../support/until';
import type { Raw } from '../unit/protocol/peer';
import { budgets } from './budgets';
import type { Check, CheckRun } from './check';
import { deep, jsonOf, long } from './hostileLines';
import { flood, SoakWorld, sessionId } from './world';

function attack(name: string, run: (world: SoakWorld, run: CheckRun) => Promise<string>): Check {
  return {
    name,
    run: async (given) => {
      const world = await SoakWorld.open();
      const said = await run(world, given);
      await world.settled();
      await world.close();
      return said;
    },
  };
}

let lastId = 0;

/** Sends a request from the agent; resolves with the client's answer. */
function ask(world: SoakWorld, method: string, params: object): Promise<Raw> {
  lastId += 1;
  const id = `request-${lastId}`;
  const answered = world.peer.message((message) => message['id'] === id);
  world.line(jsonOf({ jsonrpc: '2.0', id, method, params: { sessionId, ...params } }));
  return answered;
}

const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];

/** Requests are answered in order, so the answer to this one proves that all earlier ones have been answered. */
async function laterAnswer(world: SoakWorld): Promise<void> {
  await ask(world, 'terminal/output', { terminalId: 'there is none' });
}

export const requestAttacks: readonly Check[] = [
  attack('a permission whose rawInput is nested deep', async (world, run) => {
    const rawInput = deep(run.size(20_000, 5000));
    const answered = ask(world, 'session/request_permission', {
      toolCall: { toolCallId: 'deep', title: 'Deep', kind: 'execute', rawInput },
      options,
    });
    await until(() => world.session.requests.waiting.length > 0 || isAnswered(world));
    await world.settled();
    const isShown = world.tab.newest().some(({ kind }) => kind === 'permission');
    assert.ok(isShown || isAnswered(world), 'neither shown nor refused');
    world.session.turns.cancel();
    void answered;
    return isShown ? 'shown' : 'refused';
  }),
  attack('questions without end', async (world, run) => {
    await flood(run.size(10_000, 2000), (index) => {
      const toolCall = { toolCallId: `c${index}`, title: `Call ${index}`, kind: 'execute' };
      const params = { sessionId, toolCall, options };
      const method = 'session/request_permission';
      world.line(jsonOf({ jsonrpc: '2.0', id: `many-${index}`, method, params }));
    });
    await world.settled();
    const waiting = world.session.requests.waiting.length;
    assert.ok(waiting <= budgets.waiting, `${waiting} questions wait`);
    return `${waiting} wait`;
  }),
  attack('a permission with 100,000 choices, a form with 100,000 fields', async (world, run) => {
    const many = Array.from({ length: run.size(100_000, 10_000) }, (_, index) => index);
    void ask(world, 'session/request_permission', {
      toolCall: { toolCallId: 'many', title: long(1_000_000), kind: 'execute' },
      options: many.map((index) => ({ optionId: `o${index}`, name: 'Name', kind: 'allow_once' })),
    });
    const field = { type: 'string', description: 'd'.repeat(100) };
    void ask(world, 'elicitation/create', {
      mode: 'form',
      message: 'Please',
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(many.map((index) => [`f${index}`, field])),
      },
    });
    await world.settled();
    return world.note;
  }),
  attack('fs/write_text_file of 34 MB gets an error', async (world) => {
    const path = '/home/user/project/big.txt';
    const answered = ask(world, 'fs/write_text_file', { path, content: long(34_000_000) });
    let isThere = false;
    void answered.then(() => {
      isThere = true;
    });
    await laterAnswer(world);
    await world.settled();
    assert.ok(isThere, 'it has no answer');
    assert.ok((await answered)['error'], 'it was taken');
    return 'refused';
  }),
  attack('60,000 bad requests', async (world, run) => {
    await flood(run.size(60_000, 2000), (index) => {
      const id = `bad-${index}`;
      const method = index % 3 === 0 ? `_vendor/m${index}` : 'fs/read_text_file';
      world.line(jsonOf({ jsonrpc: '2.0', id, method, params: { path: index } }));
      world.update({ sessionUpdate: `of kind ${index}` });
      world.update({ sessionUpdate: 'tool_call', toolCallId: index });
    });
    await laterAnswer(world);
    const { lines } = world.log;
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    assert.ok(lines.length <= budgets.logLines, `${lines.length} lines in the log`);
    assert.ok(characters <= budgets.logCharacters, `${characters} characters in the log`);
    return `${lines.length} lines in the log`;
  }),
  attack('session/new answers with an id that is open', async (world) => {
    const { sessions, agents, workspace } = world.bench;
    const agent = agents.get('demo');
    const folder = workspace.folders[0];
    assert.ok(agent && folder);
    world.bench.realPaths.set(folder.path, folder.path);
    world.peer.answer('session/new', () => ({ sessionId }));
    const said = await sessions.create(agent, folder).then(
      () => 'taken',
      (error: unknown) => String(error),
    );
    assert.notEqual(said, 'taken', 'nobody is told');
    assert.equal(sessions.find('demo', sessionId), world.session, 'the open one was replaced');
    return 'refused';
  }),
  attack('session/new answers with an id that has a NUL', async (world) => {
    const { sessions, agents, workspace } = world.bench;
    const agent = agents.get('demo');
    const folder = workspace.folders[0];
    assert.ok(agent && folder);
    world.peer.answer('session/new', () => ({ sessionId: 'a\0b' }));
    await assert.rejects(sessions.create(agent, folder), 'it was taken');
    return 'refused';
  }),
  attack('a selection of 150,000 backticks', async (world, run) => {
    const text = '`a '.repeat(run.size(300_000, 150_000));
    world.peer.answer('session/prompt', () => ({ stopReason: 'end_turn' }));
    // An agent without support for resources gets it as text.
    const { connection } =
      world.session.agent.state.kind === 'ready' ? world.session.agent.state : {};
    assert.ok(connection);
    Object.assign(connection.capabilities, { promptEmbeddedContext: false });
    const uri = 'file:///home/user/project/a.md';
    const common = { type: 'selection', uri, name: 'a.md', startLine: 1, endLine: 2 } as const;
    world.session.turns.submit({ text: 'Look', attachments: [{ ...common, text }] });
    world.session.turns.submit({
      text: 'And there',
      attachments: [{ type: 'file', uri: 'file://host/x', name: 'x' }],
    });
    await turnEnded(world);
    return `${world.peer.methods().filter((method) => method === 'session/prompt').length} prompts`;
  }),
];

function isAnswered(world: SoakWorld): boolean {
  return world.peer.received.some(({ id }) => id === `request-${lastId}`);
}

/** Waits until every prompt has ended; if one never does, the check counts as hanging. */
async function turnEnded({ session }: SoakWorld): Promise<void> {
  await until(() => session.turns.current.kind === 'idle' && session.turns.queue.length === 0);
}

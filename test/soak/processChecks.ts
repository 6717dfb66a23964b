import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Session } from '../../src/model/session/session';
import { modelOf } from '../bench/modelRows';
import {
  ableInitialize,
  fakeAgent,
  type Json,
  type Scenario,
  type Step,
  update,
} from '../fakeAgent/scenario';
import { isRunning } from '../support/processes';
import { until } from '../support/until';
import type { Check } from './check';

const cwd = process.cwd();
const info = { sessionId: 's1', cwd, additionalDirectories: [] };
const row: Json = { sessionId: 's1', cwd, title: 'One' };
const hello: Step = { update: update.agent('hello') };
const half: Step = { raw: '{"jsonrpc":"2.0","id":' };

type Model = ReturnType<typeof modelOf>;

interface Stage extends Model {
  readonly session: Session;
  /** The path of a file of this name, to which process ids are written. */
  file(name: string): string;
}

/** Drives an agent, ends it, and checks that nothing of it is left. */
async function withAgent(
  scenario: (file: (name: string) => string) => Scenario,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-soak-'));
  const file = (name: string): string => path.join(folder, name);
  const command = fakeAgent({
    sessions: [row],
    initialize: ableInitialize,
    pidFile: file('agent.pid'),
    ...scenario(file),
  });
  const model = modelOf(command);
  const agent = model.agents.all[0];
  assert.ok(agent);
  try {
    const session = model.sessions.open(agent, info);
    await run({ ...model, session, file });
  } finally {
    await model.agents.close();
    const left = ['agent.pid', 'grandchild.pid'].filter((name) => isLeft(file(name)));
    for (const name of left) {
      process.kill(pidOf(file(name)), 'SIGKILL');
    }
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(left, [], 'left running');
  }
}

function pidOf(file: string): number {
  return Number(readFileSync(file, 'utf8'));
}

function isLeft(file: string): boolean {
  return existsSync(file) && isRunning(pidOf(file));
}

/** Does everything that a user would do, whatever the outcome. */
async function useAll({ agents, session }: Stage): Promise<void> {
  const agent = agents.all[0];
  assert.ok(agent);
  await agent.connect().catch(() => undefined);
  await agent.lists.of({ name: 'w', path: cwd }).load();
  await session.load();
  session.turns.submit({ text: 'Go', attachments: [] });
  await until(() => session.turns.current.kind === 'idle' && session.turns.queue.length === 0);
}

const ways: readonly Step[] = [{ exit: 0 }, { exit: 1 }, { kill: 'SIGKILL' }, { kill: 'SIGSEGV' }];

const permission: Step = {
  request: 'session/request_permission',
  params: {
    sessionId: 's1',
    toolCall: { toolCallId: 'c', title: 'Call' },
    options: [{ optionId: 'a', name: 'A', kind: 'allow_once' }],
  },
};

/** The points of a session at which an agent can end; `end` is the step that ends it. */
const points: Readonly<Record<string, (end: Step) => Scenario>> = {
  'before the first line': (end) => ({ start: [end] }),
  'at initialize': (end) => ({ on: { initialize: [end] } }),
  'in the answer to initialize': (end) => ({ on: { initialize: [half, end] } }),
  'at session/list': (end) => ({ on: { 'session/list': [end] } }),
  'in the answer to session/list': (end) => ({ on: { 'session/list': [half, end] } }),
  'at session/load': (end) => ({ on: { 'session/load': [end] } }),
  'in the replay': (end) => ({ on: { 'session/load': [hello, hello, half, end] } }),
  'after session/load': (end) => ({ on: { 'session/load': [hello, { result: {} }, end] } }),
  'at session/prompt': (end) => ({ on: { 'session/prompt': [hello, end] } }),
  'while it asks': (end) => ({ on: { 'session/prompt': [permission, end] } }),
};

const deaths = Object.entries(points).flatMap(([point, scenario]) =>
  ways.map((end) => ({ name: `${point}: ${JSON.stringify(end)}`, scenario: scenario(end) })),
);
const allDeaths = [
  ...deaths,
  {
    name: 'closed stdout',
    scenario: { on: { 'session/prompt': [hello, { closeStdout: true }] } } satisfies Scenario,
  },
];

/** Something hostile that an agent does to its client while it runs. */
function hostile(
  name: string,
  scenario: (file: (name: string) => string) => Scenario,
  run: (stage: Stage) => Promise<void>,
): Check {
  return {
    name,
    wholeOnly: true,
    run: async () => {
      await withAgent(scenario, run);
      return 'nothing is left';
    },
  };
}

async function loads({ session }: Stage): Promise<void> {
  await session.load();
  assert.equal(session.phase.kind, 'ready');
}

export const processChecks: readonly Check[] = [
  {
    name: `an agent that dies in ${allDeaths.length} ways`,
    wholeOnly: true,
    seconds: 240,
    run: async () => {
      for (const { name, scenario } of allDeaths) {
        await withAgent(
          () => scenario,
          async (stage) => {
            await useAll(stage);
            const { agents, session } = stage;
            // A restart, too, must come to an end.
            await agents.all[0]?.restart().catch(() => undefined);
            await session.reload();
            assert.notEqual(session.phase.kind, 'loading', name);
          },
        );
      }
      return `${allDeaths.length} ways`;
    },
  },
  hostile(
    'an agent that floods stdout and stderr',
    () => ({
      replays: {
        '*': [
          { line: 'noise', times: 300_000 },
          { stderr: 'noise\n', times: 300_000 },
          { stderrBytes: 20_000_000 },
          { generate: 20_000 },
          { bigLine: 40_000_000 },
          { bigLine: 40_000_000, noise: true },
          hello,
        ],
      },
    }),
    loads,
  ),
  hostile(
    'an agent that writes half lines and no UTF-8',
    () => ({
      replays: {
        '*': [
          { base64: Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x0a, 0xe2, 0x82]).toString('base64') },
          { raw: '\n{"jsonrpc":"2.0","method":"session/upd' },
          { raw: '\n' },
          hello,
        ],
      },
    }),
    loads,
  ),
  hostile(
    'an agent that stops in the middle of a line',
    () => ({ on: { 'session/load': [hello, half] } }),
    async ({ session }) => {
      const loaded = session.load();
      await until(() => session.transcript.entries.length > 0);
      session.cancelLoad();
      await loaded;
      assert.equal(session.phase.kind, 'cancelled');
    },
  ),
  hostile(
    'an agent that never reads',
    () => ({ on: { 'session/load': [{ result: {} }, { stopReading: true }] } }),
    async (stage) => {
      const { session } = stage;
      await session.load();
      session.turns.submit({ text: 'p'.repeat(20_000_000), attachments: [] });
      await until(() => session.turns.current.kind === 'running');
      session.turns.cancel();
      await stage.agents.all[0]?.stop();
      await until(() => session.turns.current.kind === 'idle');
    },
  ),
  hostile(
    'an agent that ignores its end',
    () => ({ ignoreTerm: true, ignoreStdinEnd: true }),
    loads,
  ),
  hostile(
    'an agent whose child ignores its end',
    (file) => ({
      replays: { '*': [{ grandchild: file('grandchild.pid'), ignoreTerm: true }, hello] },
    }),
    loads,
  ),
  hostile(
    'an agent whose child leaves its group',
    (file) => ({
      replays: { '*': [{ grandchild: file('grandchild.pid'), leaves: true }, hello] },
    }),
    loads,
  ),
];

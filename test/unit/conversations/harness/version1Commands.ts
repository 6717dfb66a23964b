import path from 'node:path';
import process from 'node:process';
import { endOfTurn } from '../../../fakeAgent/changes';
import { type Json, type Step, update } from '../../../fakeAgent/scenario';

/*
 * What agents of version 1 do that the demo agent doesn't, by the command that asks for it.
 */

type Steps = readonly Step[];

const say = (text: string): Step => ({ update: update.agent(text) });

/** Waits until the test has seen what there is so far, see `Whole.goOn`. */
export function goOn(folder: string, at = 0): Step {
  return { waitForFile: path.join(folder, `go-on-${at}`) };
}

export const textContent = (text: string): Json => ({
  type: 'content',
  content: { type: 'text', text },
});

export const options: Json = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

function askAbout(toolCallId: string, sessionId = '$sessionId'): Step {
  const params = { sessionId, toolCall: { toolCallId }, options };
  return { request: 'session/request_permission', params, wait: true };
}

/** Prints four lines, slowly. */
const tests =
  "let line = 0; const timer = setInterval(() => { console.log('test ' + ++line); " +
  'if (line === 4) clearInterval(timer); }, 200);';

const runTests = { command: process.execPath, args: ['-e', tests] };

/** A command in a terminal of the client's, from its creation to its release. */
const terminal: Steps = [
  {
    update: update.toolCall('t1', 'npm test', {
      ...{ kind: 'execute', status: 'pending' },
      rawInput: runTests,
    }),
  },
  askAbout('t1'),
  {
    request: 'terminal/create',
    params: { sessionId: '$sessionId', ...runTests },
    requestId: 'terminal',
    wait: true,
  },
  {
    update: update.toolCallUpdate('t1', {
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId: '$answer.terminalId' }],
    }),
  },
  {
    request: 'terminal/wait_for_exit',
    params: { sessionId: '$sessionId', terminalId: '$answer.terminalId' },
    wait: true,
  },
  { waitForAnswer: 'terminal' },
  {
    request: 'terminal/release',
    params: { sessionId: '$sessionId', terminalId: '$answer.terminalId' },
    wait: true,
  },
  { update: update.toolCallUpdate('t1', { status: 'completed' }) },
  say('All of them passed.'),
  endOfTurn,
];

/** A change and a command that nobody was asked about; the agent repeats the answers. */
function unasked(folder: string): Steps {
  const file = path.join(folder, 'unasked.md');
  const content = '# Written without a question\n';
  return [
    say('I write a file and run a command, and ask nobody.'),
    {
      request: 'fs/write_text_file',
      params: { sessionId: '$sessionId', path: file, content },
      wait: true,
    },
    say('The change: '),
    say('$answerText'),
    {
      request: 'terminal/create',
      params: { sessionId: '$sessionId', command: process.execPath, args: ['--version'] },
      wait: true,
    },
    say('The command: '),
    say('$answerText'),
    endOfTurn,
  ];
}

/** Subagents as an earlier draft of the protocol tells of them: two sessions, the second of which asks. */
const earlierSubagents: Steps = [
  ...earlierSubagent('find', 'Find the callers', [
    { update: update.agent('`src/cart.ts` rounds a price that is **already rounded**.') },
  ]),
  ...earlierSubagent('check', 'Check the tests', [
    { update: update.toolCall('npm', 'npm test -- cart', { kind: 'execute', status: 'pending' }) },
    askAbout('npm', 'check'),
    { update: update.toolCallUpdate('npm', { status: 'completed' }) },
  ]),
  say('Both are done.'),
  endOfTurn,
];

function earlierSubagent(id: string, name: string, does: Steps): Steps {
  const about = { subagentSessionId: id };
  return [
    {
      update: {
        ...{ sessionUpdate: 'subagent_spawned', ...about, name, task: `${name}, please.` },
        capabilities: { cancel: true },
      },
    },
    { update: update.user(`${name}, please.`), sessionId: id },
    ...does.map((step) => ('update' in step ? { ...step, sessionId: id } : step)),
    { update: { sessionUpdate: 'subagent_state_update', ...about, state: 'completed' } },
  ];
}

/** Subagents without sessions: what they do names the call that has started them. */
const callSubagents: Steps = [
  ...callSubagent('find', 'Find the callers', [
    update.agent('`src/cart.ts` rounds a price that is **already rounded**.'),
  ]),
  ...callSubagent('check', 'Check the tests', [
    update.toolCall('npm', 'npm test -- cart', { kind: 'execute', status: 'pending' }),
  ]).slice(0, -1),
  askAbout('npm'),
  { update: update.toolCallUpdate('npm', { status: 'completed' }) },
  { update: update.toolCallUpdate('check', { status: 'completed' }) },
  say('Both are done.'),
  endOfTurn,
];

function callSubagent(id: string, title: string, does: readonly Json[]): Steps {
  const _meta = { claudeCode: { parentToolUseId: id } };
  const start = { kind: 'think', status: 'in_progress', name: 'Task' };
  return [
    { update: update.toolCall(id, title, { ...start, rawInput: { prompt: `${title}, please.` } }) },
    ...does.map((one) => ({ update: { ...(one as object), _meta } })),
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}

/** A subagent that outlives the turn, whose end is `ends`, and what follows its own. */
export function watcher(folder: string, title: string, ends: Steps, follows: Steps = []): Steps {
  const about = { sessionUpdate: 'subagent_update', sessionId: 'watcher' };
  return [
    { update: update.title(title) },
    {
      update: {
        ...{ ...about, title: 'Watch the build', description: 'Say when it is done.' },
        state: { state: 'running' },
      },
    },
    ...ends,
    goOn(folder),
    { update: { ...about, state: { state: 'idle', stopReason: 'end_turn' } } },
    ...follows,
  ];
}

/** Changes two files, `prices.txt` and `report.txt`, in a turn that the agent begins by itself. */
function changesLater(folder: string): Steps {
  const program =
    "const fs = require('fs'); fs.writeFileSync('prices.txt', 'Fern 5.50\\n'); " +
    "fs.writeFileSync('report.txt', 'All prices are raised.\\n');";
  return [
    say('I go on later.'),
    endOfTurn,
    // What follows a turn at once still belongs to it.
    { waitMs: 5000 },
    {
      update: update.toolCall('raise', 'node raise-prices', {
        ...{ kind: 'execute', status: 'pending' },
        rawInput: { command: 'node', args: ['-e', program], cwd: folder },
      }),
    },
    askAbout('raise'),
    { update: update.toolCallUpdate('raise', { status: 'in_progress' }) },
    { runNode: program, in: folder },
    { update: update.toolCallUpdate('raise', { status: 'completed' }) },
    say('Two files have changed; I reported neither.'),
  ];
}

/** All commands, for a session in the workspace's folder; some go on when the test says so in `folder`. */
export function version1Commands(
  workspace: string,
  folder: string,
): Readonly<Record<string, Steps>> {
  return {
    '/terminal': terminal,
    '/unasked': unasked(workspace),
    '/earlier': earlierSubagents,
    '/calls': callSubagents,
    '/watch': watcher(folder, '/watch', [endOfTurn]),
    '/later': changesLater(workspace),
  };
}

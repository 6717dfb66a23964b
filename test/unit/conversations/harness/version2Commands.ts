import { type Json, type Step, update2 } from '../../../fakeAgent/scenario';
import { goOn, options, textContent, watcher } from './version1Commands';

/*
 * What only agents of version 2 can tell, by the command that asks for it.
 */

type Steps = readonly Step[];

/** A turn from the prompt that begins it to the state that ends it. */
function turn(name: string, ...steps: Steps): Steps {
  const messageId = `prompt-${name}`;
  return [
    { update: { sessionUpdate: 'user_message', messageId, content: '$prompt' } },
    { result: { messageId } },
    { update: { sessionUpdate: 'session_info_update', title: name } },
    { update: update2.running },
    ...steps,
    { update: update2.idle('end_turn', { background: [] }) },
  ];
}

const say = (text: string, id = text): Step => ({ update: update2.agent(text, id) });

const call = (id: string, rest: { readonly [key: string]: Json }): Step => ({
  update: update2.toolCall(id, rest),
});

const ask = (title: string, subject: Json): Step => ({
  request: 'session/request_permission',
  params: { sessionId: '$sessionId', title, subject, options },
  wait: true,
});

const patch = `diff --git /w/rates.md /w/rates.md
new file mode 100644
--- /dev/null
+++ /w/rates.md
@@ -0,0 +1 @@
+# Rates
diff --git /w/oldRates.ts /w/oldRates.ts
deleted file mode 100644
--- /w/oldRates.ts
+++ /dev/null
@@ -1 +0,0 @@
-export const rate = 0.19;
diff --git /w/round.ts /w/money/round.ts
rename from /w/round.ts
rename to /w/money/round.ts
`;

const files = turn(
  '/patch',
  call('tidy', {
    title: 'Tidy up the rates',
    kind: 'edit',
    status: 'completed',
    content: [
      {
        type: 'diff',
        changes: [
          { operation: 'add', path: '/w/rates.md' },
          { operation: 'delete', path: '/w/oldRates.ts' },
          { operation: 'move', path: '/w/money/round.ts', oldPath: '/w/round.ts' },
          { operation: 'copy', path: '/w/seeds.ts', oldPath: '/w/plants.ts' },
          { operation: 'modify', path: '/w/logo.png', fileType: 'binary' },
        ],
        patch: { format: 'git_patch', text: patch },
      },
    ],
  }),
  say('Those were five files.'),
);

const corrected = (folder: string): Steps =>
  turn(
    '/correct',
    say('The parcel costs **4.90** to send.', 'wrong'),
    say('The code for the till is 1234.', 'secret'),
    goOn(folder),
    say('The parcel costs **5.90** to send.', 'wrong'),
    { update: { sessionUpdate: 'agent_message', messageId: 'secret', content: [] } },
    say('One message was corrected, and one withdrawn.'),
  );

const npmTest = 'npm test';
const terminalId = 'terminal-1';

/** The command goes on after the turn; one character of its output comes in two pieces. */
const command = (folder: string): Steps => [
  ...turn(
    '/watch',
    call('npm', { title: npmTest, kind: 'execute', status: 'pending' }),
    ask('Run this command?', { type: 'command', command: npmTest, cwd: '/w', toolCallId: 'npm' }),
    { update: update2.terminal(terminalId, { command: npmTest, capabilities: { cancel: {} } }) },
    call('npm', { status: 'completed', content: [{ type: 'terminal', terminalId }] }),
    say('The tests go on.'),
  ).slice(0, -1),
  { update: update2.idle('end_turn', { background: [{ type: 'terminal', terminalId }] }) },
  ...[
    [0x20, 0xe2, 0x9c],
    [0x93, 0x0a],
  ].map((bytes): Step => {
    const data = Buffer.from(bytes).toString('base64');
    return { update: { sessionUpdate: 'terminal_output_chunk', terminalId, data } };
  }),
  goOn(folder),
  { update: update2.terminal(terminalId, { exitStatus: { exitCode: 0 } }) },
  { update: update2.running },
  say('The tests have passed.'),
  { update: update2.idle('end_turn', { background: [] }) },
];

/** A command of the agent's own, whose output comes while it runs. */
const ownTerminal = turn(
  '/terminal',
  call('npm', { title: npmTest, kind: 'execute', status: 'pending' }),
  ask('Run this command?', { type: 'command', command: npmTest, cwd: '/w', toolCallId: 'npm' }),
  { update: update2.terminal(terminalId, { command: npmTest }) },
  call('npm', { status: 'in_progress', content: [{ type: 'terminal', terminalId }] }),
  { update: update2.output(terminalId, 'test 1\ntest 2\n') },
  { update: update2.terminal(terminalId, { exitStatus: { exitCode: 0 } }) },
  call('npm', { status: 'completed' }),
  say('All of them passed.'),
);

const found = [
  'src/cart/total.ts:12: export function lineTotal(line: CartLine): number {',
  'src/cart/cart.ts:41: const total = lines.map(lineTotal).reduce(add, 0);',
  'src/email/order.tsx:58: <td>{money(lineTotal(line))}</td>',
];

const search = (folder: string): Steps =>
  turn(
    '/search',
    call('search', {
      ...{ title: 'Search for "lineTotal"', kind: 'search', status: 'in_progress' },
      locations: [{ path: '/w/src/cart/total.ts', line: 12 }],
    }),
    ...found.flatMap(
      (line, at): Steps => [
        {
          update: {
            ...{ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'search' },
            content: textContent(line),
          },
        },
        goOn(folder, at),
      ],
    ),
    call('search', { status: 'completed' }),
    say('Those were three lines.'),
  );

const paused = (folder: string): Steps =>
  turn(
    '/pause',
    call('upload', { title: 'Upload the catalog', kind: 'execute', status: 'paused' }),
    call('archive', { title: 'Search the archive', kind: 'search', status: 'in_progress' }),
    call('archive', { status: 'cancelled', content: [textContent('The catalog has it already.')] }),
    goOn(folder),
    call('upload', { status: 'completed' }),
    say('The upload paused on its way, and I canceled the search.'),
  );

function plan(planId: string, ...steps: readonly (readonly [string, string])[]): Step {
  const entries = steps.map(([content, status]) => ({ content, status, priority: 'medium' }));
  return { update: { sessionUpdate: 'plan_update', plan: { type: 'items', planId, entries } } };
}

const idea = '## Later\n\nA catalog for **next spring**:\n\n1. Ask what sells.\n';

const plans = (folder: string): Steps =>
  turn(
    '/plans',
    plan('shop', ['Count the pots', 'in_progress'], ['Paint the door', 'pending']),
    plan('release', ['Run all tests', 'in_progress'], ['Tell support', 'pending']),
    goOn(folder),
    { update: { sessionUpdate: 'plan_removed', planId: 'release' } },
    plan('shop', ['Count the pots', 'completed'], ['Paint the door', 'cancelled']),
    {
      update: {
        sessionUpdate: 'plan_update',
        plan: { type: 'markdown', planId: 'spring', content: idea },
      },
    },
    say('One plan is done, one is gone, and one is for later.'),
  );

const unknown = turn(
  '/strange',
  { update: { sessionUpdate: 'hologram' } },
  // Meant for other programs: nothing of it is shown.
  { update: { sessionUpdate: '_demo/aside' } },
  {
    update: {
      ...{ sessionUpdate: 'agent_message', messageId: 'scent' },
      content: [{ type: 'scent', of: 'a fern after rain' }],
    },
  },
  call('sculpt', { title: 'Make a sculpture', kind: 'other', status: 'pending' }),
  ask('Go on with “Make a sculpture”?', { type: 'premonition', toolCallId: 'sculpt' }),
  call('sculpt', { status: 'completed', content: [{ type: 'sculpture' }] }),
  say('A hologram, a scent and a sculpture: whoever can show them will.'),
);

const watched = { update: update2.idle('end_turn', { background: [] }) };
const background = [{ type: 'subagent', sessionId: 'watcher' }];

/** What else the agent is asked: to stop a command. */
export const version2Requests = {
  'terminal/cancel': [
    { result: {} },
    { update: update2.terminal(terminalId, { exitStatus: { signal: 'SIGTERM' } }) },
    { update: update2.idle('end_turn', { background: [] }) },
  ],
};

/** All commands; some go on when the test says so in this folder. */
export function version2Commands(folder: string): Readonly<Record<string, Steps>> {
  return {
    '/patch': files,
    '/correct': corrected(folder),
    '/watch': command(folder),
    '/terminal': ownTerminal,
    '/search': search(folder),
    '/pause': paused(folder),
    '/plans': plans(folder),
    '/strange': unknown,
    '/build': [
      ...turn('/build').slice(0, -1),
      ...watcher(
        folder,
        '/build',
        [{ update: update2.idle('end_turn', { background }) }],
        [watched],
      ),
    ],
  };
}

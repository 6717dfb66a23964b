import path from 'node:path';
import { endOfTurn } from '../../fakeAgent/changes';
import { fakeAgent, type Json, type Step, update } from '../../fakeAgent/scenario';

/*
 * Three agents that do the same task, each in the manner of a real one: what they can, what they say, and in which
 * order they say it is as those were seen to do it.
 */

/** The agents' names, in the order in which they are asked. */
export const names = ['Ada', 'Ben', 'Cleo'] as const;

/** The first word of the prompt begins the agents' turns. */
export const prompt = 'Refuse addresses without a domain.';

/** The branches that the prompt leads to begin with this. */
export const stem = 'refuse-addresses-without-a-domain';

type Name = (typeof names)[number];

export const branchOf = (name: Name): string => `${stem}/${name.toLowerCase()}`;

/** The folder of an agent's worktree. */
export function treeOf(workspace: string, name: Name): string {
  return path.join(`${workspace}.worktrees`, `${stem}-${name.toLowerCase()}`);
}

/** The setting `acpSessions.agents`. */
export function crew(workspace: string): Readonly<Record<string, object>> {
  return {
    ada: { title: 'Ada', ...ada(treeOf(workspace, 'Ada')) },
    ben: { title: 'Ben', ...ben(treeOf(workspace, 'Ben')) },
    cleo: { title: 'Cleo', ...cleo(treeOf(workspace, 'Cleo')) },
  };
}

const say = (text: string): Step => ({ update: update.agent(text) });

const oldCheck = "  return text.includes('@');\n";
const oldKept = '  return address.toLowerCase();\n';

/** As Claude: lists, has options, tells a change as fragments, and asks for each edit by itself. */
function ada(tree: string): object {
  const file = path.join(tree, 'src/email.js');
  return fakeAgent({
    ownIds: true,
    initialize: {
      agentInfo: { name: 'ada', title: 'Ada', version: '1.0.0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { close: {}, delete: {}, fork: {}, list: {}, resume: {} },
      },
    },
    setup: {
      configOptions: [
        option('Mode', 'mode', 'Manual', 'Accept edits', 'Plan'),
        option('Model', 'model', 'Oak', 'Fern'),
        option('Effort', 'thought_level', 'Medium', 'High'),
      ],
    },
    commands: {
      Refuse: [
        { update: update.title('Addresses without a domain') },
        say('I’ll compare the whole address with a pattern, and leave out spaces around it.'),
        ...asksToEdit(file, 'pattern', {
          oldText: oldCheck,
          newText: '  return /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(text);\n',
        }),
        ...edits(file, 'spaces', {
          oldText: oldKept,
          newText: '  return address.trim().toLowerCase();\n',
        }),
        say('An address needs a name, an `@`, and a domain with a dot.'),
        { update: { ...usage(24_000, 200_000), cost: { amount: 0.07, currency: 'USD' } } },
        endOfTurn,
      ],
    },
  });
}

const newTest = `
test('refuses a domain without a dot', () => {
  assert.equal(isAddress('mia@home'), false);
});
`;
const firstTest = `
test('takes an address', () => {
  assert.equal(isAddress('mia@example.com'), true);
`;
const lastTest = `  assert.equal(kept('Mia@Example.com'), 'mia@example.com');
`;

/** As Codex: edits by itself, names the folder of each command, and asks for those. */
function ben(tree: string): object {
  const file = path.join(tree, 'src/email.js');
  const test = path.join(tree, 'test/email.test.js');
  return fakeAgent({
    ownIds: true,
    initialize: {
      agentInfo: { name: 'ben', title: 'Ben', version: '2.0.0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { close: {}, list: {}, resume: {}, title: {} },
      },
    },
    setup: { configOptions: [option('Mode', 'mode', 'Workspace access', 'Read-only')] },
    commands: {
      Refuse: [
        say('I split the address at its `@`, and test both halves.'),
        ...edits(file, 'split', {
          oldText: oldCheck,
          newText:
            "  const [name, domain = ''] = text.split('@');\n  return name !== '' && domain.includes('.');\n",
        }),
        ...edits(test, 'first', {
          oldText: firstTest,
          newText: `${newTest}${firstTest}`,
        }),
        ...edits(test, 'last', {
          oldText: lastTest,
          newText: `${lastTest}  assert.equal(kept('mia@example.com'), 'mia@example.com');\n`,
        }),
        ...asksToRun('node --test', tree),
        say('The domain must have a dot. There are tests for it, and they pass.'),
        { update: usage(31_000, 258_400) },
        { update: update.title('Refuse addresses without a domain') },
        endOfTurn,
      ],
    },
  });
}

/** As Gemini: lists no sessions, has modes, gives no titles, and in this mode edits without asking. */
function cleo(tree: string): object {
  const file = path.join(tree, 'src/email.js');
  return fakeAgent({
    ownIds: true,
    initialize: {
      agentInfo: { name: 'cleo', title: 'Cleo', version: '0.9.0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
      },
    },
    setup: {
      modes: {
        currentModeId: 'autoEdit',
        availableModes: [
          { id: 'default', name: 'Default', description: 'Prompts for approval' },
          { id: 'autoEdit', name: 'Auto Edit', description: 'Auto-approves edit tools' },
        ],
      },
    },
    commands: {
      Refuse: [
        { update: update.thought('**Looking at the check**\nIt only looks for the sign.') },
        ...edits(file, 'dot', {
          oldText: oldCheck,
          newText: "  return text.includes('@') && text.includes('.');\n",
        }),
        say('Addresses without a dot are refused.'),
        endOfTurn,
      ],
    },
  });
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

/** A change that is made without asking, with its fragments. */
function edits(file: string, id: string, texts: Texts): readonly Step[] {
  return [
    { update: update.toolCall(id, `Edit ${path.basename(file)}`, callOf(file, texts)) },
    { editFile: file, ...texts },
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}

/** The same with a question before it. */
function asksToEdit(file: string, id: string, texts: Texts): readonly Step[] {
  const title = `Edit ${path.basename(file)}`;
  const [call, ...others] = edits(file, id, texts);
  const answers = ['Yes', 'Yes, allow all edits during this session', 'No'] as const;
  return [
    ...(call ? [call] : []),
    asks({ toolCallId: id, title, ...callOf(file, texts) }, answers),
    ...others,
  ];
}

/** A command that runs in the agent's own terminal, once that is allowed. */
function asksToRun(command: string, cwd: string): readonly Step[] {
  const call = { kind: 'execute', status: 'pending', rawInput: { command, cwd } };
  const answers = [
    'Yes, proceed',
    `Yes, and don't ask again for commands that start with \`${command}\``,
    `No, and tell Ben what to do differently`,
  ] as const;
  return [
    { update: update.toolCall(command, command, { ...call, status: 'in_progress' }) },
    asks({ toolCallId: command, title: command, ...call }, answers),
    {
      update: update.toolCallUpdate(command, {
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: '# tests 4\n# pass 4\n' } }],
      }),
    },
  ];
}

function callOf(file: string, { oldText, newText }: Texts) {
  return {
    ...{ kind: 'edit', status: 'pending', locations: [{ path: file }] },
    rawInput: { file_path: file, old_string: oldText, new_string: newText },
    content: [{ type: 'diff', path: file, oldText, newText }],
  };
}

function asks(toolCall: Json, [once, always, no]: readonly [string, string, string]): Step {
  const options = [
    { optionId: 'once', name: once, kind: 'allow_once' },
    { optionId: 'always', name: always, kind: 'allow_always' },
    { optionId: 'no', name: no, kind: 'reject_once' },
  ];
  return {
    request: 'session/request_permission',
    params: { sessionId: '$sessionId', toolCall, options },
    wait: true,
  };
}

function usage(used: number, size: number) {
  return { sessionUpdate: 'usage_update', used, size };
}

function option(name: string, category: string, ...choices: readonly string[]): Json {
  return {
    ...{ type: 'select', id: category, name, category },
    currentValue: choices[0] ?? '',
    options: choices.map((choice) => ({ value: choice, name: choice })),
  };
}

import assert from 'node:assert/strict';
import type { TurnRecorder } from '../../../../src/model/changes/turnRecorder';
import { serverNotFound } from '../../../../src/model/session/ownServers';
import { normaliseUpdate } from '../../../../src/protocol/v1/normaliseUpdate';
import { readPermission } from '../../../../src/protocol/v1/readRequests';
import type { JsonObject } from '../../../../src/util/json';
import { prompted, sessionBench } from '../sessionBench';

const never = new AbortController().signal;
const args = { symbol: 'total', path: 'src/b.ts' };

/** What an agent sends of a call, and how it asks about it. */
interface Wire {
  readonly updates: readonly JsonObject[];
  readonly toolCall: JsonObject;
  readonly options: readonly JsonObject[];
}

const option = (optionId: string, kind: string): JsonObject => ({ optionId, name: 'x', kind });
const options = [
  option('always', 'allow_always'),
  option('once', 'allow_once'),
  option('no', 'reject_once'),
];

/** As Claude 0.101, Codex 2.6.0 and OpenCode 1.18.33 were seen to do it. */
const claude = 'mcp__vscode_editor__references';
const claudes = { toolCallId: 'c', name: claude, title: claude, kind: 'other', content: [] };
const given = { claudeCode: { mcpServer: { name: 'vscode_editor', source: 'dynamic' } } };
const wires = {
  claude: {
    updates: [
      { sessionUpdate: 'tool_call', ...claudes, rawInput: {}, status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: args },
    ],
    toolCall: { ...claudes, status: 'pending', rawInput: args, _meta: given },
    options,
  },
  codex: {
    updates: [
      {
        ...{ sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', status: 'in_progress' },
        title: 'mcp.vscode_editor.references',
        rawInput: { server: 'vscode_editor', tool: 'references', arguments: args },
      },
    ],
    toolCall: { toolCallId: 'c', kind: 'execute', status: 'pending' },
    options,
  },
  openCode: {
    updates: [
      {
        ...{ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'vscode_editor_references' },
        ...{ kind: 'other', status: 'pending', locations: [], rawInput: {} },
      },
    ],
    toolCall: {
      ...{ toolCallId: 'c', title: 'vscode_editor_references', kind: 'other', status: 'pending' },
      ...{ locations: [], rawInput: {} },
    },
    options,
  },
} satisfies Record<string, Wire>;

interface Setup {
  readonly name?: string;
  readonly others?: readonly string[];
  /** Whether the agent has asked our server for its tools; without it there is none. */
  readonly isConnected?: boolean;
  readonly rule?: 'allow' | 'reject';
  readonly recorder?: TurnRecorder;
}

async function asking({ rule, recorder, ...own }: Setup = {}) {
  const made = sessionBench(() => undefined, {}, recorder);
  const { name = 'vscode_editor', others = [], isConnected = true } = own;
  made.decide = () => rule;
  made.ownServers = {
    offer: () =>
      Promise.resolve({
        server: { type: 'http', name, url: 'http://127.0.0.1:1/mcp', headers: {} },
        others,
        isConnected: () => isConnected,
        opened: () => undefined,
        withdraw: () => undefined,
      }),
    answer: () => Promise.reject(serverNotFound()),
  };
  const { session } = made;
  const { connection } = await prompted(made);
  const send = (update: JsonObject): void => {
    const event = normaliseUpdate({ sessionId: 's0', update });
    assert.ok(typeof event === 'object' && 'update' in event);
    connection.send('s0', event.update);
  };
  return { made, session, connection, send };
}

/** How a question is answered: by the user, who says no, or without them. */
async function answerTo(wire: Wire, setup?: Setup): Promise<string> {
  const { session, connection, send } = await asking(setup);
  for (const update of wire.updates) {
    send(update);
  }
  const { toolCall } = wire;
  const request = readPermission({ sessionId: 's0', toolCall, options: wire.options });
  const answer = connection.requests.requestPermission(request, never);
  const entry = session.transcript.entries.findLast(({ kind }) => kind === 'permission');
  assert.ok(entry?.kind === 'permission');
  const { state } = entry;
  if (state.kind === 'waiting') {
    session.requests.answerPermission(entry.requestId, 'no');
    assert.deepEqual(await answer, { optionId: 'no' });
    return 'asked';
  }
  const given = (await answer)?.optionId;
  assert.equal(session.acts.hasLasting, false);
  return state.kind === 'selected' ? `${given} by ${state.by}` : state.kind;
}

const changed = (wire: Wire, toolCall: JsonObject, first: JsonObject = {}): Wire => ({
  ...wire,
  updates: wire.updates.map((update, at) => (at === 0 ? { ...update, ...first } : update)),
  toolCall: { ...wire.toolCall, ...toolCall },
});

describe('questions about the editor’s tools', () => {
  for (const [agent, wire] of Object.entries(wires)) {
    it(`SEC-210: ${agent}’s are answered without the user, once, and seen to be`, async () => {
      assert.equal(await answerTo(wire), 'once by extension');
    });

    it(`SEC-210: ${agent}’s are asked if the session doesn’t have our server for certain`, async () => {
      for (const setup of [
        { isConnected: false },
        { name: 'vscode_editor2' },
        { others: ['vscode_editor'] },
        { others: ['VSCode-Editor'] },
        // Its tool `editor_references` would be written the same.
        { others: ['vscode'] },
      ] satisfies readonly Setup[]) {
        assert.equal(await answerTo(wire, setup), 'asked', JSON.stringify(setup));
      }
    });

    it(`SEC-210: ${agent}’s are never answered for longer, and a rule that rejects wins`, async () => {
      assert.equal(await answerTo({ ...wire, options: options.toSpliced(1, 1) }), 'asked');
      assert.equal(await answerTo(wire, { rule: 'reject' }), 'no by rule');
    });

    it(`SEC-210: ${agent}’s are asked if anything else is said of the call`, async () => {
      for (const more of [
        { kind: 'edit' },
        { kind: 'read' },
        { title: 'references' },
        { title: 'Run make' },
        { name: 'bash' },
        { rawInput: { ...args, command: 'rm -rf .' } },
        { rawInput: { ...args, path: { command: 'rm' } } },
        { rawInput: 'rm -rf .' },
        { rawInput: [args] },
        { content: [{ type: 'diff', path: '/w/a', oldText: 'a', newText: 'b' }] },
        { content: [{ type: 'terminal', terminalId: 't' }] },
        { content: [{ type: 'content', content: { type: 'text', text: 'rm' } }] },
        { locations: [{ path: '/w/a' }] },
        { rawOutput: { output: 'x' } },
        { status: 'completed' },
      ]) {
        assert.equal(await answerTo(changed(wire, more)), 'asked', JSON.stringify(more));
        if (agent === 'claude' && 'title' in more) {
          // Its earlier title doesn't count: the name says which tool it is.
          continue;
        }
        const before = changed({ ...wire, updates: wire.updates.slice(0, 1) }, {}, more);
        assert.equal(await answerTo(before), 'asked', `before: ${JSON.stringify(more)}`);
      }
    });
  }

  /** How questions of all three agents about a tool are answered. */
  async function answersTo(tool: string, input: JsonObject): Promise<string[]> {
    const title = `mcp__vscode_editor__${tool}`;
    const claudes = { title, name: title, rawInput: input };
    const openCodes = { title: `vscode_editor_${tool}`, rawInput: input };
    const codexs = {
      title: `mcp.vscode_editor.${tool}`,
      rawInput: { server: 'vscode_editor', tool, arguments: input },
    };
    return [
      await answerTo(changed(wires.claude, claudes, claudes)),
      await answerTo(changed(wires.codex, {}, codexs)),
      await answerTo(changed(wires.openCode, openCodes, openCodes)),
    ];
  }

  it('SEC-210: those of a tool that acts are answered, too, because the tool itself asks', async () => {
    for (const [tool, input] of Object.entries({
      rename_symbol: { symbol: 'total', newName: 'sum' },
      code_action: { path: 'a.ts', line: 3, title: 'Add import' },
      ask_user: { question: 'Which?', options: ['a', 'b'], multiple: true },
      debug_state: {},
      run_task: { task: 'build' },
    })) {
      assert.deepEqual(await answersTo(tool, input), Array(3).fill('once by extension'), tool);
    }
    assert.equal(
      await answerTo(
        changed(
          wires.codex,
          {},
          {
            title: 'mcp.vscode_editor.ask_user',
            rawInput: {
              ...{ server: 'vscode_editor', tool: 'ask_user' },
              arguments: { question: 'x', options: [{ command: 'rm' }] },
            },
          },
        ),
      ),
      'asked',
    );
  });

  it('SEC-210: those of a tool that we don’t have are asked', async () => {
    for (const tool of ['toString', 'references2', 'hover_', 'shell']) {
      assert.deepEqual(await answersTo(tool, {}), Array(3).fill('asked'), tool);
    }
  });

  it('SEC-210: Claude’s are asked if the server is of its own configuration, or isn’t named', async () => {
    for (const mcpServer of [
      { name: 'vscode_editor', source: 'project' },
      { name: 'other', source: 'dynamic' },
      { source: 'dynamic' },
      undefined,
    ]) {
      const _meta = { claudeCode: { mcpServer } };
      assert.equal(await answerTo(changed(wires.claude, { _meta })), 'asked');
    }
    assert.equal(await answerTo(changed(wires.claude, { name: undefined })), 'asked');
  });

  it('SEC-210: Codex’s are asked if the input names another server or tool, or says more', async () => {
    const input = { server: 'vscode_editor', tool: 'references', arguments: args };
    for (const rawInput of [
      { ...input, server: 'other' },
      { ...input, tool: 'hover' },
      { ...input, command: ['rm'] },
      args,
      {},
    ]) {
      assert.equal(await answerTo(changed(wires.codex, {}, { rawInput })), 'asked');
    }
    const none = { rawInput: { ...input, arguments: null } };
    assert.equal(await answerTo(changed(wires.codex, {}, none)), 'once by extension');
  });

  it('SEC-210: those about a call that nothing was said of before are asked without its title', async () => {
    assert.equal(await answerTo({ ...wires.codex, updates: [] }), 'asked');
    assert.equal(await answerTo({ ...wires.openCode, updates: [] }), 'once by extension');
  });
});

describe('calls of the editor’s tools in the record of a turn', () => {
  it('are no commands, whatever kind they have, but others that look like them are', async () => {
    const acted: string[] = [];
    const nothing = (): Promise<void> => Promise.resolve();
    const recorder: TurnRecorder = {
      ...{ prepare: nothing, begin: nothing, write: (_, write) => write() },
      ...{ beginUnprompted: () => undefined, end: () => undefined, runs: () => undefined },
      acted: (entry) => void acted.push(entry?.toolCallId ?? ''),
      completed: () => undefined,
    };
    const { send } = await asking({ recorder });
    const [first] = wires.codex.updates;
    send({ ...first, toolCallId: 'own' });
    send({ sessionUpdate: 'tool_call_update', toolCallId: 'own', status: 'completed' });
    send({ ...first, toolCallId: 'other', rawInput: { command: ['touch', 'a'] } });
    send({ ...first, toolCallId: 'acts', title: 'mcp.vscode_editor.run_job' });
    assert.deepEqual(acted, ['other', 'acts']);
  });
});

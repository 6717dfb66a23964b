import assert from 'node:assert/strict';
import { common, createLowlight } from 'lowlight';
import { toSearchEntry } from '../../src/features/search/model/searchEntries';
import { Transcript } from '../../src/model/transcript/transcript';
import { transcriptMarkdown } from '../../src/model/transcript/transcriptText';
import { LineSplitter } from '../../src/protocol/lineSplitter';
import type { SessionUpdate } from '../../src/protocol/updates';
import { normaliseUpdate } from '../../src/protocol/v1/normaliseUpdate';
import { TerminalText } from '../../src/shared/terminal/terminalText';
import type { Entry } from '../../src/shared/transcript/entries';
import { withoutSecrets } from '../../src/util/secrets/secretText';
import { Outline } from '../../src/views/transcript/feed/outlineFeed';
import { TranscriptSearch } from '../../src/views/transcript/find/transcriptSearch';
import { drawEntry } from '../../src/views/transcript/rows/draw';
import { median } from '../bench/statistics';
import { generatedUpdate } from '../fakeAgent/generate';
import { folder } from '../unit/model/fakePlatform';
import { goodInitialize, Peer } from '../unit/protocol/peer';
import type { LaterKind } from '../unit/protocol/v1/updateKinds';
import { agentsOn } from './agentsOn';
import { budgets } from './budgets';
import type { Check } from './check';

/** Prepares the input of size `n` and returns a function that processes it. */
type Prepare = (n: number) => () => unknown;

const rounds = 5;
/** Shorter times are noise; the input is doubled until the work takes at least this long. */
const leastMs = 30;
const maxDoublings = 8;

/**
 * Checks that twice the input costs about twice the processor time; if a first measurement fails, a second, longer one
 * decides.
 */
function linear(name: string, n: number, prepare: Prepare): Check {
  return {
    name: `${name}: twice as much costs about twice`,
    wholeOnly: true,
    seconds: 180,
    run: async () => {
      const size = await largeEnough(n, prepare);
      let ratio = await ratioOf(size, prepare, rounds);
      if (ratio > budgets.cost) {
        ratio = await ratioOf(size, prepare, 3 * rounds);
      }
      assert.ok(ratio <= budgets.cost, `${ratio.toFixed(2)} times the cost at ${2 * size}`);
      return `${ratio.toFixed(2)} × at ${2 * size}`;
    },
  };
}

async function largeEnough(n: number, prepare: Prepare): Promise<number> {
  let size = n;
  for (let doubled = 0; doubled < maxDoublings; doubled++) {
    if ((await costOf(size, prepare)) >= leastMs) {
      return size;
    }
    size *= 2;
  }
  return size;
}

/** Alternates the two, so that changes in the machine's speed affect both equally. */
async function ratioOf(n: number, prepare: Prepare, count: number): Promise<number> {
  const once: number[] = [];
  const twice: number[] = [];
  for (let round = 0; round < count; round++) {
    once.push(await costOf(n, prepare));
    twice.push(await costOf(2 * n, prepare));
  }
  return median(twice) / median(once);
}

async function costOf(n: number, prepare: Prepare): Promise<number> {
  const work = prepare(n);
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const text = (value: string): object => ({ type: 'text', text: value });
const terminalOutput = (index: number): object => ({
  terminal_output: { terminal_id: `t${index % 10}`, data: 'x\n' },
});

type FirstKind = Exclude<SessionUpdate['sessionUpdate'], LaterKind>;

/** The `index`th of many updates of each kind of version 1, all of one session. */
const kinds: Readonly<Record<FirstKind, (index: number) => object>> = {
  user_message_chunk: (index) => ({ content: text(`word ${index} `), messageId: `u${index % 50}` }),
  agent_message_chunk: () => ({ content: text('word '), messageId: 'a' }),
  agent_thought_chunk: (index) => ({ content: text('word '), messageId: `t${index}` }),
  tool_call: (index) => ({ toolCallId: `c${index}`, title: 'Call', kind: 'edit' }),
  tool_call_update: (index) => ({
    toolCallId: 'c',
    title: `${index}`,
    _meta: terminalOutput(index),
  }),
  _acp_sessions_unknown: (index) => ({ what: 'update', name: `u${index}`, raw: '{}' }),
  _acp_sessions_turn_end: () => ({ stopReason: 'max_tokens' }),
  plan: (index) => ({
    entries: [{ content: `Step ${index}`, priority: 'high', status: 'pending' }],
  }),
  plan_removed: (index) => ({ planId: `p${index}` }),
  available_commands_update: (index) => ({
    availableCommands: [{ name: `c${index}`, description: 'd' }],
  }),
  current_mode_update: (index) => ({ currentModeId: `m${index}` }),
  config_option_update: () => ({ configOptions: [] }),
  session_info_update: (index) => ({ title: `Title ${index}` }),
  prompt_suggestions_update: (index) => ({ suggestions: [{ prompt: [text(`Go on ${index}`)] }] }),
  usage_update: (index) => ({ used: index, size: 1_000_000 }),
  notice: (index) => ({ severity: 'info', title: `Notice ${index}` }),
  compaction_update: (index) => ({ compactionId: `k${index}`, status: 'completed' }),
  compaction_summary_chunk: () => ({ compactionId: 'k', content: text('word ') }),
  subagent_update: (index) => ({ sessionId: `a${index}`, title: `Subagent ${index}` }),
  session_message: (index) => ({ messageId: `m${index}`, content: [text('word ')] }),
  session_message_chunk: () => ({ messageId: 'm', content: text('word ') }),
};

function applying(sessionUpdate: string, make: (index: number) => object): Check {
  return linear(`updates of kind ${sessionUpdate}`, 20_000, (n) => {
    const params = times(n, (index) => ({
      sessionId: 's',
      update: { sessionUpdate, ...make(index) },
    }));
    const transcript = new Transcript();
    return () => {
      for (const one of params) {
        const event = normaliseUpdate(one);
        assert.ok(typeof event !== 'string', sessionUpdate);
        transcript.apply(event.update);
      }
    };
  });
}

/** The entries of an ordinary session. */
function entriesOf(n: number): readonly Entry[] {
  const transcript = new Transcript();
  for (let index = 0; index < n; index++) {
    const event = normaliseUpdate({ sessionId: 's', update: generatedUpdate(index, 'mixed') });
    if (typeof event !== 'string') {
      transcript.apply(event.update);
    }
  }
  return transcript.entries;
}

function callWith(content: object): Entry {
  const transcript = new Transcript();
  const update = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Call', content: [content] };
  const event = normaliseUpdate({ sessionId: 's', update });
  assert.ok(typeof event !== 'string');
  transcript.apply(event.update);
  const entry = transcript.entries[0];
  assert.ok(entry);
  return entry;
}

const code = (n: number): string =>
  times(n, (index) => `const value${index} = call(${index}, 'text'); // ${index % 7}`).join('\n');

async function listPage(n: number): Promise<void> {
  const peer = new Peer(goodInitialize());
  const sessions = times(n, (index) => ({
    sessionId: `s${index}`,
    cwd: folder.path,
    updatedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  }));
  peer.answer('session/list', () => ({ sessions }));
  const agents = agentsOn(peer);
  const list = agents.all[0]?.lists.of(undefined);
  await list?.load();
  assert.equal(list?.rows.length, n);
  await agents.close();
}

/** Searches the entries for a text that none of them contains. */
function find(entries: readonly Entry[]): Promise<void> {
  return new Promise((resolve) => {
    const search = new TranscriptSearch(
      () => entries,
      (message) => {
        if (message.state !== 'searching') {
          search.dispose();
          resolve();
        }
      },
    );
    const options = { matchCase: false, wholeWord: false, isPattern: false };
    search.start({
      type: 'find',
      query: 1,
      from: 0,
      search: { text: 'nowhere to be', ...options },
    });
  });
}

export const costChecks: readonly Check[] = [
  ...Object.entries(kinds).map(([kind, make]) => applying(kind, make)),
  linear('lines from bytes', 20_000, (n) => {
    const line = `${JSON.stringify(generatedUpdate(6, 'mixed'))}\n`;
    const bytes = Buffer.from(line.repeat(n));
    return () => {
      const splitter = new LineSplitter({
        maxBytes: 1e9,
        onLine: () => undefined,
        onOversize: () => undefined,
      });
      for (let at = 0; at < bytes.length; at += 1000) {
        splitter.push(bytes.subarray(at, at + 1000));
      }
    };
  }),
  linear('one line in many pieces', 2_000_000, (n) => {
    const bytes = Buffer.from('x'.repeat(n));
    return () => {
      const splitter = new LineSplitter({
        maxBytes: 1e9,
        onLine: () => undefined,
        onOversize: () => undefined,
      });
      for (let at = 0; at < bytes.length; at += 100) {
        splitter.push(bytes.subarray(at, at + 100));
      }
      splitter.end();
    };
  }),
  linear('rows that are drawn', 5000, (n) => {
    const entries = entriesOf(n);
    return () => entries.map((entry) => drawEntry(entry, '/'));
  }),
  linear('a diff', 500, (n) => {
    const old = code(n);
    const newText = old.replaceAll('% 7', '').replaceAll(/value(\d)0 /g, 'other$1 ');
    const entry = callWith({ type: 'diff', path: '/a.ts', oldText: old, newText });
    return () => drawEntry(entry, '/');
  }),
  linear('highlighting', 200, (n) => {
    const engine = createLowlight(common);
    const source = code(n);
    return () => engine.highlight('typescript', source);
  }),
  linear('a page of the list', 2000, (n) => () => listPage(n)),
  linear('terminal text', 20_000, (n) => {
    const output = '\u001b[32mok\u001b[0m some words\r\u001b[2Kline\n'.repeat(n);
    return () => new TerminalText().write(output);
  }),
  linear('export as Markdown', 2000, (n) => {
    const entries = entriesOf(n);
    const header = { title: 'T', agentTitle: 'A', cwd: '/', sessionId: 's' };
    return () => [...transcriptMarkdown(header, entries)];
  }),
  linear('a long message as Markdown', 500, (n) => {
    const blocks = [
      { type: 'text', text: `- *a* [b](c) \`d\` <e>\n\n${code(2)}\n`.repeat(n) },
    ] as const;
    const header = { title: 'T', agentTitle: 'A', cwd: '/', sessionId: 's' };
    return () => [...transcriptMarkdown(header, [{ kind: 'agent', blocks }])];
  }),
  linear('find', 20_000, (n) => {
    const entries = entriesOf(n);
    return () => find(entries);
  }),
  linear('the outline', 20_000, (n) => {
    const entries = entriesOf(n);
    return () => new Outline(() => entries);
  }),
  linear('entries of the index', 5000, (n) => {
    const entries = entriesOf(n);
    return () => entries.map((entry) => toSearchEntry(entry, '/'));
  }),
  linear('the search for secrets', 5000, (n) => {
    const output = 'GET https://a:b@host/x?c=d password: "e f" -u g:h key at src/key.ts\n'.repeat(
      n,
    );
    return () => withoutSecrets(output);
  }),
];

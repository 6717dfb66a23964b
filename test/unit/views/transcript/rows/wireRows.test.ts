import assert from 'node:assert/strict';
import fs from 'node:fs';
import type {
  DrawnBlock,
  DrawnEntry,
  DrawnToolCall,
} from '../../../../../src/shared/transcript/drawn';
import { inProject } from '../../../../support/project';
import { until } from '../../../../support/until';
import { folder } from '../../../model/fakePlatform';
import { session as info } from '../../../model/fakes';
import { goodInitialize, Peer, type Raw } from '../../../protocol/peer';
import { snapshotOf, windowWith } from '../../wireWindow';

const fixtures = inProject('test/fixtures/wire');
const cwd = folder.path;

function linesOf(agent: string): Raw[] {
  const lines = fs.readFileSync(`${fixtures}/${agent}.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Raw);
}

/** An agent that answers a load with the log, every line in its place. */
function replaying(agent: string): Peer {
  const lines = linesOf(agent);
  const capabilities = { loadSession: true, sessionCapabilities: { list: {} } };
  const peer = new Peer(goodInitialize({ agentCapabilities: capabilities }));
  peer.answer('session/list', () => {
    return lines.find(({ id }) => id === '$list')?.['result'] ?? { sessions: [] };
  });
  peer.answer('session/load', (message) => {
    for (const line of lines.filter(({ id }) => id !== '$list')) {
      peer.send(line['id'] === '$load' ? { ...line, id: message['id'] } : line);
    }
    return undefined;
  });
  return peer;
}

/** The rows that an agent's log produces in a tab: its bytes go through everything between them and the page. */
async function drawn(agent: string): Promise<readonly DrawnEntry[]> {
  const peer = replaying(agent);
  const { agents, sessions } = windowWith(peer);
  const session = sessions.open(agents.all[0]!, info('session-1', { cwd }));
  await session.load();
  const wanted = linesOf(agent).filter(
    ({ method, params }) =>
      method === 'session/update' && (params as Raw)['sessionId'] === 'session-1',
  );
  await until(() => session.transcript.updates === wanted.length);
  const rows = snapshotOf(session).entries;
  await session.close();
  await agents.close();
  return rows;
}

function textOf(block: DrawnBlock): string {
  return 'text' in block && block.type !== 'resource' ? block.text : `[${block.type}]`;
}

/** The author of each message, and the titles of tools. */
function outline(rows: readonly DrawnEntry[]): string[] {
  return rows.map((row) => {
    if ('blocks' in row) {
      return `${row.kind}: ${row.blocks.map(textOf).join(' | ')}`;
    }
    return row.kind === 'toolCall' ? `tool: ${row.title}` : row.kind;
  });
}

function tools(rows: readonly DrawnEntry[]): readonly DrawnToolCall[] {
  return rows.filter((row) => row.kind === 'toolCall');
}

/** The tools' output, in whichever form it arrived. */
function printed(rows: readonly DrawnEntry[]): string[] {
  return tools(rows).map(({ content }) =>
    content
      .map((item) =>
        item.type === 'terminal'
          ? (item.output?.text ?? '')
          : item.type === 'block'
            ? textOf(item.block)
            : item.type,
      )
      .join(' | '),
  );
}

describe('rows of what real agents send', () => {
  const agents = fs.readdirSync(fixtures).map((file) => file.replace('.jsonl', ''));
  for (const agent of agents) {
    it(`UP-2: ${agent}: every entry is drawn, with a title of one line and no lone JSON`, async () => {
      const rows = await drawn(agent);
      assert.ok(rows.length > 1);
      assert.ok(rows.every(({ kind }) => kind !== 'unshown'));
      for (const { title, content } of tools(rows)) {
        assert.match(title, /^[^\n]{1,200}$/);
        assert.ok(
          !content.some((item) => item.type === 'block' && /^[{[]/.test(textOf(item.block))),
        );
      }
    });
  }

  it('Claude: what commands print, with terminals and without, and edits', async () => {
    const rows = await drawn('claude');
    assert.deepEqual(printed(rows), ['robin\nwren\n', '2 garden.txt', 'diff']);
    assert.deepEqual(
      tools(rows).map(({ status }) => status),
      ['completed', 'completed', 'completed'],
    );
  });

  it('Claude: a mention and its text are one attachment, and a summary is folded', async () => {
    assert.deepEqual(
      outline(await drawn('claude')).filter((line) => !line.startsWith('tool')),
      [
        'user: Count the birds in the garden.',
        "agent: I'll look outside.",
        'agent: There are two.',
        'user: Does that agree with @notes.md and this picture? | [resource] | [image]',
        'agent: It does.',
        'compaction',
        'user: And the cats?',
        'agent: None today.',
      ],
    );
  });

  it('Codex: output of its own commands, steering as a prompt, and attachments in their places', async () => {
    const rows = await drawn('codex');
    assert.deepEqual(printed(rows), ['drip\nsplash\n']);
    assert.deepEqual(outline(rows), [
      'user: Water the plants on the balcony.',
      "agent: I'll turn the tap.",
      'tool: tap --open',
      'user: Only the ferns.',
      'agent: The ferns, then.',
      'user: Is it like  | [resource] |  says? | [image] | Answer in one word.',
      'agent: Yes.',
    ]);
  });

  it('Gemini: the prompts contain nothing that the user hasn’t written', async () => {
    const rows = outline(await drawn('gemini'));
    assert.ok(!rows.join().includes('session_context'));
    assert.ok(!rows.join().includes('Function Response'));
    assert.equal(rows[0], 'user: Let me look at the file first.');
    assert.equal(rows.filter((line) => line.startsWith('user')).length, 2);
  });

  it('Qwen: chunks without a word make no message', async () => {
    assert.ok(!outline(await drawn('codexAndQwen')).includes('agent: '));
  });
});

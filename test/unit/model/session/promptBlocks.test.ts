import assert from 'node:assert/strict';
import {
  type ReadContext,
  type ReadText,
  promptBlocks as realBlocks,
} from '../../../../src/model/session/promptBlocks';
import type { AgentCapabilities } from '../../../../src/protocol/agentConnection';
import type { Attachment, Draft } from '../../../../src/shared/transcript/prompt';
import { allCapabilities } from '../fakes';

const plain = {
  ...allCapabilities,
  promptImage: false,
  promptAudio: false,
  promptEmbeddedContext: false,
};
const file: Attachment = { type: 'file', uri: 'file:///w/a%20b.txt', name: 'a b.txt' };
const image: Attachment = { type: 'image', name: 'p.png', mimeType: 'image/png', data: 'AAAA' };
const selection: Attachment = {
  type: 'selection',
  uri: 'file:///w/a.ts',
  name: 'a.ts',
  startLine: 2,
  endLine: 3,
  text: 'let a;\nlet b;',
};
const read = (): Promise<string> => Promise.resolve('content');
const problems: Attachment = {
  type: 'context',
  source: 'problems',
  about: 'all',
  name: 'Problems',
};

function promptBlocks(
  draft: Draft,
  capabilities: AgentCapabilities,
  readText: ReadText,
  readContext: ReadContext = () => Promise.resolve([]),
) {
  return realBlocks(draft, capabilities, readText, readContext);
}

describe('Blocks of a prompt', () => {
  it('PR-4, CO-4: files and selections go as resources where the agent takes them', async () => {
    const asked: string[] = [];
    const blocks = await promptBlocks(
      { text: 'look', attachments: [file, selection] },
      allCapabilities,
      (path) => {
        asked.push(path);
        return read();
      },
    );
    assert.deepEqual(blocks, [
      { type: 'text', text: 'look' },
      { type: 'resource', uri: 'file:///w/a%20b.txt', text: 'content' },
      { type: 'resource', uri: 'file:///w/a.ts#L2-L3', text: 'let a;\nlet b;' },
    ]);
    assert.deepEqual(asked, ['/w/a b.txt']);
  });

  it('PR-3, CO-4, CO-5: else a file goes as a link with its name, and is not read', async () => {
    const blocks = await promptBlocks({ text: 'look', attachments: [file] }, plain, () =>
      assert.fail('the file was read'),
    );
    assert.deepEqual(blocks, [
      { type: 'text', text: 'look' },
      { type: 'resource_link', uri: 'file:///w/a%20b.txt', name: 'a b.txt' },
    ]);
  });

  it('PR-3: else a selection goes as text that says where it is from', async () => {
    const blocks = await promptBlocks({ text: 'look', attachments: [selection] }, plain, read);
    assert.deepEqual(blocks[1], {
      type: 'text',
      text: '\n\na.ts, lines 2 to 3:\n```\nlet a;\nlet b;\n```\n',
    });
  });

  it('a selection with fences of its own stays in its fence', async () => {
    const fenced = { ...selection, text: '````\nx\n````' };
    const [block] = await promptBlocks({ text: '', attachments: [fenced] }, plain, read);
    assert.ok(block?.type === 'text');
    assert.match(block.text, /:\n`{5}\n````\nx\n````\n`{5}\n$/);
  });

  it('PR-2, CO-2: an image goes only where the agent takes images', async () => {
    const draft = { text: 'look', attachments: [image] };
    assert.deepEqual(await promptBlocks(draft, allCapabilities, read), [
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
    assert.deepEqual(await promptBlocks(draft, plain, read), [{ type: 'text', text: 'look' }]);
  });

  it('CO-5: what cannot be read as text, or is too long, goes as a link', async () => {
    const unreadable = [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Error('no')),
      () => Promise.resolve('x'.repeat(200_001)),
    ];
    for (const reading of unreadable) {
      const draft: Draft = { text: '', attachments: [file] };
      assert.deepEqual(await promptBlocks(draft, allCapabilities, reading), [
        { type: 'resource_link', uri: 'file:///w/a%20b.txt', name: 'a b.txt' },
      ]);
    }
  });

  it('CM-2, MSG-4: a command is text to the letter, first, with no id', async () => {
    const draft = { text: '/plan  the day\n', attachments: [file] };
    const blocks = await promptBlocks(draft, plain, read);
    assert.deepEqual(blocks[0], { type: 'text', text: '/plan  the day\n' });
    assert.equal(blocks.length, 2);
  });

  it('CO-5: a file on another machine goes as a link', async () => {
    const elsewhere: Attachment = { type: 'file', uri: 'file://host/x', name: 'x' };
    assert.deepEqual(
      await promptBlocks({ text: '', attachments: [elsewhere] }, allCapabilities, () =>
        Promise.reject(new Error('no')),
      ),
      [{ type: 'resource_link', uri: 'file://host/x', name: 'x' }],
    );
  });

  it('a selection of any number of fences stays in its fence', async () => {
    const fenced = { ...selection, text: '` '.repeat(300_000) };
    const [block] = await promptBlocks({ text: '', attachments: [fenced] }, plain, read);
    assert.ok(block?.type === 'text');
    assert.ok(block.text.endsWith(' \n```\n'));
  });

  it('is never without a block', async () => {
    const draft = { text: '', attachments: [image] };
    assert.deepEqual(await promptBlocks(draft, plain, read), [{ type: 'text', text: '' }]);
  });

  it('reads what a context stands for when the prompt is sent', async () => {
    const draft: Draft = { text: 'fix', attachments: [problems] };
    const parts = [{ uri: 'acp-sessions:problems/a.ts', name: 'a.ts', text: '3: Unused' }];
    const readContext: ReadContext = ({ source, about }) =>
      Promise.resolve(source === 'problems' && about === 'all' ? parts : []);
    assert.deepEqual((await promptBlocks(draft, allCapabilities, read, readContext)).slice(1), [
      { type: 'resource', uri: 'acp-sessions:problems/a.ts', text: '3: Unused' },
    ]);
    assert.deepEqual((await promptBlocks(draft, plain, read, readContext)).slice(1), [
      { type: 'text', text: '\n\na.ts:\n```\n3: Unused\n```\n' },
    ]);
  });

  it('says that a context was empty, and fails with the name of one that can’t be read', async () => {
    const draft: Draft = { text: 'fix', attachments: [problems] };
    assert.deepEqual((await promptBlocks(draft, allCapabilities, read)).slice(1), [
      { type: 'text', text: '\n\nProblems: nothing at the moment.\n' },
    ]);
    const failing: ReadContext = () => Promise.reject(new Error('too slow'));
    await assert.rejects(promptBlocks(draft, allCapabilities, read, failing), /Problems.*too slow/);
  });

  it('sends a text that is in no file as it is', async () => {
    const text: Attachment = {
      type: 'text',
      uri: 'acp-sessions:plan.md',
      name: 'Plan',
      text: '# Do',
    };
    const draft: Draft = { text: '', attachments: [text] };
    assert.deepEqual(await promptBlocks(draft, allCapabilities, read), [
      { type: 'resource', uri: 'acp-sessions:plan.md', text: '# Do' },
    ]);
    assert.deepEqual(await promptBlocks(draft, plain, read), [
      { type: 'text', text: '\n\nPlan:\n```\n# Do\n```\n' },
    ]);
  });
});

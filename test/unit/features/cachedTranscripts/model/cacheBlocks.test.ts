import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  blocksIn,
  type CachedOf,
  getHeader,
  planWriting,
  readBlock,
  type Writing,
} from '../../../../../src/features/cachedTranscripts/model/cacheBlocks';
import { Slices } from '../../../../../src/features/cachedTranscripts/model/slices';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { textsOf } from './cacheWindow';

const of: CachedOf = { agentId: 'a', program: 'p', sessionId: 's', cwd: '/w' };
const header = getHeader(of);

function said(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

function write(entries: readonly Entry[], maxBytes?: number): Promise<Writing | undefined> {
  return planWriting(entries, header, { blocks: [], known: [] }, () => false, maxBytes);
}

async function read(file: Buffer): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const block of blocksIn(file, of) ?? []) {
    await readBlock(file, block, { entries, nested: new Map() }, new Slices());
  }
  return entries;
}

describe('the file of a cached transcript', () => {
  it('holds what was written, however its blocks are divided', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at}\n\u2028${'ü'.repeat(at * 1_000)}`);
    const writing = await write(texts.map(said));
    assert.ok(writing && writing.blocks.length > 3);
    const file = Buffer.concat([header, ...writing.added]);
    assert.deepEqual(textsOf(await read(file)), texts);
  });

  it('keeps the blocks that are still the same', async () => {
    const texts = Array.from({ length: 400 }, (_, at) => `${at}${'x'.repeat(1_000)}`);
    const writing = await write(texts.map(said));
    assert.ok(writing);
    const { blocks } = writing;
    const file = Buffer.concat([header, ...writing.added]);
    const changed = texts.with(300, 'another');
    const next = await planWriting(changed.map(said), header, { blocks, known: [] }, () => false);
    assert.ok(next && next.kept > header.length);
    assert.equal(next.kept, blocks[Math.floor(300 / blocks[0]!.count) - 1]!.end);
    const after = Buffer.concat([file.subarray(0, next.kept), ...next.added]);
    assert.deepEqual(textsOf(await read(after)), changed);
    const same = await planWriting(
      changed.map(said),
      header,
      next.blocks.length > 0 ? { blocks: next.blocks, known: [] } : { blocks: [], known: [] },
      () => false,
    );
    assert.deepEqual(same?.added, []);
  });

  it('SEC-112: a transcript that is too large isn’t written', async () => {
    const noise = (): Entry => said(randomBytes(100_000).toString('base64'));
    const entries = [noise(), noise(), noise(), noise()];
    assert.ok(await write(entries, 600_000));
    assert.equal(await write(entries, 200_000), undefined);
  });

  it('an entry that is too large loses its bulk', async () => {
    const large: Entry = {
      kind: 'toolCall',
      toolCallId: 'c',
      title: 'Call',
      toolKind: 'read',
      status: 'completed',
      content: [
        {
          type: 'content',
          block: { type: 'image', mimeType: 'image/png', data: 'A'.repeat(34e6) },
        },
      ],
      locations: [],
    };
    const writing = await write([large]);
    assert.ok(writing);
    const [entry] = await read(Buffer.concat([header, ...writing.added]));
    assert.ok(entry?.kind === 'toolCall' && entry.title === 'Call');
    assert.match(JSON.stringify(entry.content), /Left out/);
  });

  it('SEC-112: a block that is larger than it says is refused', async () => {
    const data = deflateRawSync(Buffer.alloc(128 * 1024 * 1024));
    const head = Buffer.alloc(16);
    head.writeUInt32LE(data.length, 0);
    head.writeUInt32LE(1, 4);
    await assert.rejects(read(Buffer.concat([header, head, data])), /larger than/);
  });

  it('is of nobody else', () => {
    const empty = Buffer.concat([header, Buffer.alloc(16)]);
    for (const other of [{ agentId: 'b' }, { program: 'q' }, { sessionId: 't' }, { cwd: '/' }]) {
      assert.equal(blocksIn(empty, { ...of, ...other }), undefined);
    }
  });
});

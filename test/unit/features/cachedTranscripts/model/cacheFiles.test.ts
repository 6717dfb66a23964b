import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CachedOf,
  planWriting,
} from '../../../../../src/features/cachedTranscripts/model/cacheBlocks';
import { CacheFiles } from '../../../../../src/features/cachedTranscripts/model/cacheFiles';
import { getMark } from '../../../../../src/model/files/processMark';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import { withDisk } from '../../../../support/fullDisk';
import { remove, temporaryFolder } from '../../../model/files/hostileFiles';

const of: CachedOf = { agentId: 'a', program: 'p', sessionId: 's', cwd: '/w' };

describe('the files of cached transcripts', () => {
  let folder: string;
  let files: CacheFiles;
  beforeEach(() => {
    folder = temporaryFolder('cache');
    files = new CacheFiles(folder, 'workspace');
  });
  afterEach(() => remove(folder));

  function write(texts: readonly string[]): Promise<unknown> {
    const entries = texts.map(
      (text): Entry => ({ kind: 'agent', blocks: [{ type: 'text', text }] }),
    );
    return files.write(of, undefined, (header, blocks) =>
      planWriting(entries, header, { blocks, known: [] }, () => false),
    );
  }

  it('SEC-140: stay as they were if the disk becomes full', async () => {
    await write(['good']);
    const before = (await files.read(of))?.data;
    assert.ok(before);
    const full = withDisk({ atOnce: 40, room: 60 }, () => write(['another', 'x'.repeat(1_000)]));
    await full.catch(() => undefined);
    assert.deepEqual((await files.read(of))?.data, before);
  });

  it('SEC-141: are all that is left when they are bounded, besides what a window writes just then', async () => {
    await write(['good']);
    const [place = ''] = readdirSync(folder);
    const [program = ''] = readdirSync(path.join(folder, place));
    const inside = path.join(folder, place, program);
    const [file = ''] = readdirSync(inside);
    const writing = `.acp-${getMark('ab')}.tmp`;
    for (const name of [writing, `${file}.0123456789ab.new`, 'other']) {
      writeFileSync(path.join(inside, name), 'half');
    }
    mkdirSync(path.join(inside, 'folder'));
    await files.bound(1_000_000);
    assert.deepEqual(readdirSync(inside).sort(), [file, writing].sort());
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SharedWork } from '../../../../../../src/features/review/model/atWork/sharedWork';
import { readWork } from '../../../../../../src/features/review/model/atWork/workLines';

describe('What works in a folder', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shared-work-'));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('has its end written when a decision is over', async () => {
    const shared = new SharedWork(folder, {
      warn: (text: string) => assert.ok(false, text),
    });
    const session = { agentId: 'agent', sessionId: 'session' };
    await shared.decided(session, [path.join(folder, 'a')], () => Promise.resolve());
    const works = fs
      .readdirSync(folder)
      .map((name) => readWork(fs.readFileSync(path.join(folder, name), 'utf8')));
    assert.deepEqual(
      works.map((work) => typeof work?.ended),
      ['number'],
    );
    shared.dispose();
  });
});

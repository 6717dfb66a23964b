import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { generatedUpdate } from '../../fakeAgent/generate';
import { replacedMessage } from '../../fakeAgent/generateVersion2';
import type { Json, Mix } from '../../fakeAgent/scenario';
import { inProject } from '../../support/project';
import { assertKept, assertValid } from '../demoAgent/schema';

const file = inProject('node_modules/@agentclientprotocol/sdk/dist/v2/unstable/schema/zod.gen.js');
const version2 = (await import(pathToFileURL(file).href)) as {
  readonly zSessionUpdate: { parse(value: unknown): unknown };
};

/** Four turns: each kind of update, with what varies from turn to turn. */
const indexes = Array.from({ length: 80 }, (_, index) => index);

function wireLength(update: Json): number {
  const params = { sessionId: 'bench-100000', update };
  return Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
}

function averageLength(mix: Mix): number {
  const lengths = indexes.map((index) => wireLength(generatedUpdate(index, mix)));
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

describe('fake agent: generated updates', () => {
  it('are valid in version 1', () => {
    for (const index of indexes) {
      assertValid('zSessionUpdate', generatedUpdate(index, 'mixed'));
    }
  });

  it('are valid in version 2', () => {
    for (const update of [
      ...indexes.map((index) => generatedUpdate(index, 'version2')),
      replacedMessage('m1', 1),
    ]) {
      assertKept(update, version2.zSessionUpdate.parse(update), JSON.stringify(update));
    }
  });

  it('are as long in version 2 as in version 1, give or take a tenth', () => {
    const ratio = averageLength('version2') / averageLength('mixed');
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}, ${averageLength('mixed')}`);
  });
});

import assert from 'node:assert/strict';
import { Patience } from '../../../../../src/features/editorTools/model/patience';
import { ToolRefusal } from '../../../../../src/features/editorTools/model/tool';

const hangs = (): Promise<never> => new Promise(() => undefined);

describe('waiting for language servers', () => {
  let told = 0;
  let patience: Patience;
  beforeEach(() => {
    told = 0;
    patience = new Patience({ ms: () => 5, tell: () => (told += 1) });
  });
  const giveUp = (): Promise<void> =>
    assert.rejects(
      patience.waitFor(hangs()),
      (error) => error instanceof ToolRefusal && error.message.includes('did not answer'),
    );

  it('one that hangs is given up and said; after three in a row, the user is told once', async () => {
    await giveUp();
    await giveUp();
    assert.equal(told, 0);
    for (let more = 0; more < 6; more++) {
      await giveUp();
    }
    assert.equal(told, 1);
  });

  it('an answer or a failure between them means that the server is there', async () => {
    for (let again = 0; again < 3; again++) {
      await giveUp();
      await giveUp();
      assert.equal(await patience.waitFor(Promise.resolve(1)), 1);
      await giveUp();
      await giveUp();
      await assert.rejects(patience.waitFor(Promise.reject(new Error('no'))), /no/);
    }
    assert.equal(told, 0);
  });
});

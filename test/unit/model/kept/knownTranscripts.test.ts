import assert from 'node:assert/strict';
import { ProvidedTranscripts } from '../../../../src/model/kept/knownTranscripts';
import type { Session } from '../../../../src/model/session/session';
import { sessionBench } from '../sessionBench';

describe('cached transcripts, before the features are there', () => {
  const { session } = sessionBench();
  let recalled: [string, Session][];
  let built: number;
  const note = (method: string, of: Session): Promise<void> => {
    recalled.push([method, of]);
    return Promise.resolve();
  };
  let made: ProvidedTranscripts;

  beforeEach(() => {
    recalled = [];
    built = 0;
    made = new ProvidedTranscripts(() => {
      built++;
      made.provide({
        recall: (of) => note('recall', of),
        recallWhole: (of) => note('recallWhole', of),
      });
      return Promise.resolve();
    });
  });

  it('have the features built, and are shown then', async () => {
    await made.recall(session);
    assert.deepEqual([built, recalled], [1, [['recall', session]]]);
  });

  it('are asked for at once when they are there', async () => {
    await made.recall(session);
    recalled = [];
    void made.recall(session);
    void made.recallWhole(session);
    const expected = [
      ['recall', session],
      ['recallWhole', session],
    ];
    assert.deepEqual([built, recalled], [1, expected]);
  });

  it('are missing if the features are, and nothing fails', async () => {
    const failing = new ProvidedTranscripts(() => Promise.reject(new Error('no file')));
    await failing.recall(session);
    await failing.recallWhole(session);
    await new ProvidedTranscripts(() => Promise.resolve()).recall(session);
    assert.deepEqual(recalled, []);
  });
});

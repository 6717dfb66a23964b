import assert from 'node:assert/strict';
import { ProvidedRecorders } from '../../../../src/model/changes/providedRecorders';
import type { TurnRecorder } from '../../../../src/model/changes/turnRecorder';
import { deferred } from '../../../../src/util/async';

const session = { agentId: 'a', sessionId: 's', folders: ['/work'] };

describe('A recorder that a feature provides', () => {
  let told: string[];
  let warnings: string[];
  const log = { warn: (text: string) => void warnings.push(text) };
  beforeEach(() => {
    told = [];
    warnings = [];
  });

  const recorder: TurnRecorder = {
    prepare: () => {
      told.push('prepare');
      return Promise.resolve();
    },
    acted: () => void told.push('acted'),
    begin: (prompt) => {
      told.push(`begin ${prompt}`);
      return Promise.resolve();
    },
    beginUnprompted: (after) => void told.push(`begin after ${after}`),
    end: () => void told.push('end'),
    runs: (command) => void told.push(`runs ${command}`),
    write: async (file, write) => {
      told.push(`write ${file}`);
      await write();
    },
    completed: () => undefined,
  };

  function recorderOf(load: () => Promise<TurnRecorder>): TurnRecorder {
    const recorders = new ProvidedRecorders(() => Promise.resolve(), log);
    recorders.provide(load);
    return recorders.of(session);
  }

  it('is waited for by a turn that begins before the features are there, which loads them', async () => {
    const features = deferred<undefined>();
    let asked = 0;
    const recorders = new ProvidedRecorders(() => {
      asked += 1;
      return features.promise;
    }, log);
    const recorded = recorders.of(session);
    assert.equal(asked, 0, 'not before a turn');
    await recorded.begin('Do it');
    assert.equal(asked, 1);
    const written = recorded.write('/work/a', () => Promise.resolve());
    recorded.end();
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
    recorders.provide(() => Promise.resolve(recorder));
    features.resolve(undefined);
    await written;
    assert.deepEqual(told, ['begin Do it', 'write /work/a', 'end']);
    assert.deepEqual(warnings, []);
  });

  it('is none if no feature provides one: everything happens unrecorded', async () => {
    const recorded = new ProvidedRecorders(() => Promise.resolve(), log).of(session);
    await recorded.begin('Do it');
    await recorded.write('/work/a', () => {
      told.push('written');
      return Promise.resolve();
    });
    recorded.end();
    assert.deepEqual([told, warnings], [['written'], []]);
  });

  it('holds no prompt until it is loaded, and misses nothing that happens meanwhile', async () => {
    const loading = deferred<TurnRecorder>();
    const recorded = recorderOf(() => loading.promise);
    await recorded.begin('Do it');
    const written = recorded.write('/work/a', () => {
      told.push('written');
      return Promise.resolve();
    });
    recorded.end();
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
    loading.resolve(recorder);
    await written;
    assert.deepEqual(told.slice(0, 2), ['begin Do it', 'write /work/a']);
    assert.deepEqual(told.slice(2).sort(), ['end', 'written']);
  });

  it('lets everything happen unrecorded if it can’t be loaded, and says so for each turn', async () => {
    const recorded = recorderOf(() => Promise.reject(new Error('broken')));
    await recorded.begin('Do it');
    recorded.end();
    await recorded.begin('Again');
    await recorded.write('/work/a', () => {
      told.push('written');
      return Promise.resolve();
    });
    assert.deepEqual(told, ['written']);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /s: its changes aren’t recorded: Error: broken/);
  });

  it('SEC-144: is loaded again by the next turn if it couldn’t be loaded', async () => {
    let times = 0;
    const load = (): Promise<TurnRecorder> => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(recorder);
    };
    const recorded = recorderOf(load);
    await recorded.begin('Do it');
    recorded.end();
    await recorded.begin('Again');
    recorded.end();
    await new Promise(setImmediate);
    assert.deepEqual(told, ['begin Again', 'end']);
  });
});

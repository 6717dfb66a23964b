import assert from 'node:assert/strict';
import { LateRecorder } from '../../../../src/model/changes/providedRecorders';
import type { TurnRecorder } from '../../../../src/model/changes/turnRecorder';
import { deferred } from '../../../../src/util/async';

const session = { agentId: 'a', sessionId: 's', folders: ['/work'] };

describe('A recorder that is loaded with the first turn', () => {
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

  it('holds no prompt until it is loaded, and misses nothing that happens meanwhile', async () => {
    const loading = deferred<TurnRecorder>();
    const late = new LateRecorder(session, () => loading.promise, log);
    await late.begin('Do it');
    const written = late.write('/work/a', () => {
      told.push('written');
      return Promise.resolve();
    });
    late.end();
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
    loading.resolve(recorder);
    await written;
    assert.deepEqual(told.slice(0, 2), ['begin Do it', 'write /work/a']);
    assert.deepEqual(told.slice(2).sort(), ['end', 'written']);
  });

  it('lets everything happen unrecorded if it can’t be loaded, and says so for each turn', async () => {
    const late = new LateRecorder(session, () => Promise.reject(new Error('broken')), log);
    await late.begin('Do it');
    late.end();
    await late.begin('Again');
    await late.write('/work/a', () => {
      told.push('written');
      return Promise.resolve();
    });
    assert.deepEqual(told, ['written']);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /s: its changes aren’t recorded: Error: broken/);
  });

  it('is loaded again by the next turn if it couldn’t be loaded', async () => {
    let times = 0;
    const load = (): Promise<TurnRecorder> => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(recorder);
    };
    const late = new LateRecorder(session, load, log);
    await late.begin('Do it');
    late.end();
    await late.begin('Again');
    late.end();
    await new Promise(setImmediate);
    assert.deepEqual(told, ['begin Again', 'end']);
  });
});

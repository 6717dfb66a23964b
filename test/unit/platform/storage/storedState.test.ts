import assert from 'node:assert/strict';
import { storedPromptSessions } from '../../../../src/features/prompts/storedPromptSessions';
import { storedPorts } from '../../../../src/features/sharing/storedPorts';
import { StoredMap, storedState } from '../../../../src/platform/storage/storedState';
import type { SavedTranscript } from '../../../../src/shared/transcript/webviewMessages';

/** A window's state, which survives a restart. */
class Memory {
  readonly values = new Map<string, unknown>();

  get(key: string): never {
    return this.values.get(key) as never;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

function saved(sessionId: string): SavedTranscript {
  return { agentId: 'a', sessionId, cwd: '/project', additionalDirectories: [], title: 'T' };
}

describe('stored state', () => {
  it('has a key of its own for each value', () => {
    const keys = [...Object.values(storedState), storedPorts, storedPromptSessions].map(
      ({ key }) => key,
    );
    assert.equal(new Set(keys).size, keys.length);
  });

  it('keeps a bounded number of entries, in memory too, the latest', () => {
    const memory = new Memory();
    const map = new StoredMap(memory, storedPromptSessions);
    for (let index = 0; index < 300; index++) {
      map.set(`file:///${index}`, saved(`s${index}`));
    }
    map.set('file:///150', saved('again'));
    map.set('file:///300', saved('new'));
    const restarted = new StoredMap(memory, storedPromptSessions);
    for (const each of [map, restarted]) {
      assert.equal(each.get('file:///100'), undefined);
      assert.equal(each.get('file:///150')?.sessionId, 'again');
      assert.equal(each.get('file:///300')?.sessionId, 'new');
    }
    assert.equal((memory.get('prompts.sessions') as unknown[]).length, 200);
  });

  it('SEC-139: keeps what other windows have added since', () => {
    const memory = new Memory();
    const [one, other] = [0, 1].map(() => new StoredMap(memory, storedPorts));
    one?.set('a', 4001);
    other?.set('b', 4002);
    one?.set('c', 4003);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => [one?.get(id), other?.get(id)]),
      [4001, 4002, 4003].map((port) => [port, port]),
    );
  });

  it('reads what earlier versions have written, without what is invalid', () => {
    const memory = new Memory();
    memory.values.set('transcripts.opened', [saved('s1'), 7, { agentId: 'a' }, null]);
    memory.values.set('sessions.expansion', [['id', false], ['x'], 'y', [1, true]]);
    memory.values.set('prompts.sessions', { not: 'a list' });
    const opened = new StoredMap(memory, storedState.openedSessions);
    opened.set('another', saved('s2'));
    assert.deepEqual(memory.get('transcripts.opened'), [saved('s1'), saved('s2')]);
    assert.equal(new StoredMap(memory, storedState.expansion).get('id'), false);
    assert.equal(new StoredMap(memory, storedPromptSessions).get('x'), undefined);
  });
});

import assert from 'node:assert/strict';
import { SessionChanges } from '../../../../src/model/transcript/changes';
import { Transcript } from '../../../../src/model/transcript/transcript';
import type { Diff, ToolContent, ToolStatus } from '../../../../src/shared/transcript/content';
import { agent, call, change } from '../updates';

function diff(path: string, oldText: string | null, newText: string): Diff {
  return { type: 'diff', path, oldText, newText };
}

interface Bench {
  readonly transcript: Transcript;
  readonly changes: SessionChanges;
  /** How often the changed files were reported as possibly different. */
  readonly news: () => number;
}

function bench(): Bench {
  const transcript = new Transcript();
  const changes = new SessionChanges((place) => transcript.at(place));
  let news = 0;
  changes.onDidChange(() => {
    news++;
  });
  transcript.onDidChange((it) => changes.note(it));
  return { transcript, changes, news: () => news };
}

function edit(id: string, status: ToolStatus, ...content: readonly ToolContent[]) {
  return call(id, { status, content });
}

describe('Changed files of a session', () => {
  it('have all edits in their order, and come in the order of the first', () => {
    const { transcript, changes } = bench();
    transcript.apply(edit('1', 'completed', diff('/b', 'one', 'two'), diff('/a', null, 'new')));
    transcript.apply(
      edit('2', 'completed', diff('/b', 'two', 'three'), diff('/a', 'new', 'newer')),
    );
    assert.deepEqual(changes.files, [
      { path: '/b', edits: [diff('/b', 'one', 'two'), diff('/b', 'two', 'three')] },
      { path: '/a', edits: [diff('/a', null, 'new'), diff('/a', 'new', 'newer')] },
    ]);
  });

  it('never make one change of fragments: the hunks of two edits stay apart', () => {
    const { transcript, changes } = bench();
    const first = diff('/a', 'alpha\nbeta\ngamma', 'alpha\nBETA\ngamma');
    const second = diff('/a', 'eta\ntheta', 'eta\nTHETA');
    transcript.apply(edit('1', 'pending', diff('/a', 'beta', 'BETA')));
    transcript.apply(change('1', { status: 'completed', content: [first] }));
    transcript.apply(edit('2', 'completed', second));
    assert.deepEqual(changes.files, [{ path: '/a', edits: [first, second] }]);
  });

  it('count once their call is completed, and not when it failed', () => {
    const { transcript, changes, news } = bench();
    transcript.apply(edit('1', 'in_progress', diff('/a', 'one', 'two')));
    transcript.apply(edit('2', 'failed', diff('/b', 'one', 'two')));
    assert.deepEqual(changes.files, []);
    assert.equal(news(), 0);
    transcript.apply(change('1', { status: 'completed' }));
    assert.deepEqual(changes.files, [{ path: '/a', edits: [diff('/a', 'one', 'two')] }]);
    assert.equal(news(), 1);
  });

  it('count also when the agent showed them only as it asked, and was allowed', () => {
    for (const [optionId, expected] of [
      ['yes', [{ path: '/a', edits: [diff('/a', 'one', 'two')] }]],
      ['no', []],
    ] as const) {
      const { transcript, changes } = bench();
      transcript.apply(edit('1', 'pending', diff('/a', 'one', 'two')));
      const toolCall = transcript.toolCall('1');
      assert.ok(toolCall);
      transcript.add({
        kind: 'permission',
        requestId: 1,
        toolCall,
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
        state: { kind: 'selected', optionId, by: 'person' },
      });
      transcript.apply(change('1', { status: 'completed', content: [] }));
      assert.deepEqual(changes.files, expected);
    }
  });

  it('stay the same array while nothing changes them', () => {
    const { transcript, changes } = bench();
    transcript.apply(edit('1', 'completed', diff('/a', 'one', 'two')));
    const before = changes.files;
    transcript.apply(agent('done'));
    transcript.apply(call('2', { status: 'completed' }));
    assert.equal(changes.files, before);
  });

  it('are gathered from the calls that made them, however long the transcript is', () => {
    let looked = 0;
    const transcript = new Transcript();
    const counted = new Proxy(transcript.entries, {
      get: (entries, key) => {
        looked++;
        return Reflect.get(entries, key) as unknown;
      },
    });
    const changes = new SessionChanges((place) => counted[place]);
    for (let id = 0; id < 1000; id++) {
      transcript.apply(call(`read ${id}`, { status: 'completed' }));
    }
    transcript.onDidChange((it) => changes.note(it));
    transcript.apply(edit('1', 'completed', diff('/a', 'one', 'two')));
    assert.equal(changes.files.length, 1);
    assert.ok(looked < 10, `${looked} looks at entries`);
  });

  it('go when a call takes its changes back', () => {
    const { transcript, changes } = bench();
    transcript.apply(edit('1', 'completed', diff('/a', 'one', 'two')));
    assert.equal(changes.files.length, 1);
    transcript.apply(change('1', { content: [] }));
    assert.deepEqual(changes.files, []);
  });

  it('go with the history', () => {
    const { transcript, changes, news } = bench();
    transcript.apply(edit('1', 'completed', diff('/a', 'one', 'two')));
    assert.equal(changes.files.length, 1);
    transcript.reset();
    assert.deepEqual(changes.files, []);
    assert.equal(news(), 2);
  });

  it('V2-DIFF-2: count deleted and moved files, and edits go with a moved one', () => {
    const { transcript, changes } = bench();
    const deleted = { type: 'fileChange', operation: 'delete', path: '/gone' } as const;
    const moved = { type: 'fileChange', operation: 'move', path: '/new', oldPath: '/old' } as const;
    transcript.apply(edit('1', 'completed', diff('/old', 'one', 'two'), deleted));
    transcript.apply(edit('2', 'completed', moved, diff('/new', 'two', 'three')));
    assert.deepEqual(changes.files, [
      { path: '/gone', edits: [], change: deleted },
      {
        path: '/new',
        edits: [diff('/old', 'one', 'two'), diff('/new', 'two', 'three')],
        change: moved,
      },
    ]);
  });
});

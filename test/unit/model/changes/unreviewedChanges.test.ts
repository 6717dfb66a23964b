import assert from 'node:assert/strict';
import type { TurnReview } from '../../../../src/model/changes/reviews';
import { unreviewedChanges } from '../../../../src/model/changes/unreviewedChanges';
import { SessionChanges } from '../../../../src/model/transcript/changes';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { numberAt, placeIn } from '../../../../src/shared/transcript/places';

describe('Changes of a session that nobody has recorded', () => {
  const prompt = (text: string): Entry =>
    ({ kind: 'user', blocks: [{ type: 'text', text }] }) as unknown as Entry;
  const edit = (path: string): Entry =>
    ({
      ...{ kind: 'toolCall', toolCallId: path, toolKind: 'edit', status: 'completed' },
      content: [{ type: 'diff', path, oldText: 'a\n', newText: 'b\n' }],
    }) as unknown as Entry;

  function session(entries: readonly Entry[], nested: readonly Entry[] = []) {
    const at = (place: number) =>
      numberAt(place) === 0 ? entries[place] : nested[place - placeIn(1, 0)];
    const changes = new SessionChanges(at);
    for (const index of entries.keys()) {
      changes.note({ type: 'added', from: index } as never);
    }
    for (const index of nested.keys()) {
      changes.note({ type: 'added', from: index } as never, 1);
    }
    return { changes, shown: { entries }, info: { cwd: '/work' } };
  }
  const turn = (number: number, text: string, files: readonly string[]): TurnReview => ({
    ...{ turn: number, prompt: text, began: 0, files, added: 1, removed: 1, state: 'kept' },
  });
  const nothing = { turns: [], unrecorded: [], quietTurns: [], pending: [] };
  const paths = (...args: Parameters<typeof unreviewedChanges>): readonly string[] =>
    unreviewedChanges(...args).map(({ path }) => path);

  it('are those of turns before the first recorded one, and of turns that were done elsewhere', () => {
    const all = session([
      ...[prompt('Before'), edit('/work/a'), edit('b')],
      ...[prompt('Recorded'), edit('/work/c')],
      ...[prompt('Elsewhere'), edit('/work/d')],
      ...[prompt('Quoted'), edit('/work/e')],
    ]);
    const review = {
      ...nothing,
      turns: [turn(1, 'Recorded', ['/work/c'])],
      quietTurns: [{ turn: 2, prompt: 'Quoted', began: 0 }],
    };
    assert.deepEqual(paths(all, review), ['/work/a', 'b', '/work/d']);
    assert.equal(unreviewedChanges(all, review), unreviewedChanges(all, review));
  });

  it('are counted once if a recorded turn has changed the same file and it waits for review', () => {
    const all = session([
      prompt('Before'),
      edit('b'),
      edit('/work/a'),
      prompt('Recorded'),
      edit('b'),
    ]);
    const pending = [{ file: '/work/b' }] as never;
    const review = { ...nothing, turns: [turn(1, 'Recorded', ['/work/b'])], pending };
    assert.deepEqual(paths(all, review), ['/work/a']);
  });

  it('are all without a record, and those of turns of which nothing could be recorded', () => {
    const all = session([prompt('One'), edit('/work/a')]);
    assert.deepEqual(paths(all, undefined), ['/work/a']);
    const incomplete = { turn: 1, prompt: 'One', began: 0, incomplete: 'noGit' as const };
    assert.deepEqual(paths(all, { ...nothing, unrecorded: [incomplete] }), ['/work/a']);
  });

  it('are a subagent’s, unless a recorded turn has changed the file', () => {
    const all = session([prompt('Recorded')], [edit('/work/a'), edit('/work/b')]);
    const review = { ...nothing, turns: [turn(1, 'Recorded', ['/work/a'])] };
    assert.deepEqual(paths(all, review), ['/work/b']);
  });
});

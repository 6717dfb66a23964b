import assert from 'node:assert/strict';
import { SessionChoices } from '../../../../../src/views/sessions/nodes/sessionChoices';
import { FakeModel, memento } from '../fakes';

describe('choices of the sessions view', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = new FakeModel('a');
  });
  afterEach(() => model.tree.dispose());

  it('are there again after a restart', async () => {
    const state = memento();
    const before = new SessionChoices(state, model.settings);
    before.setFilter({ states: ['unread', 'pinned'], agents: ['a'], text: 'cart' });
    before.setSorting('title');
    before.setShowsHidden(true);
    await before.setGrouping('folder');
    const after = new SessionChoices(state, model.settings);
    const filter = { states: ['unread', 'pinned'], agents: ['a'], text: 'cart' };
    assert.deepEqual(after.filter, filter);
    assert.deepEqual(
      [after.isFiltered, after.sorting, after.showsHidden, after.grouping],
      [true, 'title', true, 'folder'],
    );
    after.clearFilter();
    assert.equal(new SessionChoices(state, model.settings).isFiltered, false);
  });

  it('show all folders by folder, and the workspace as before', async () => {
    const state = memento();
    const choices = new SessionChoices(state, model.settings);
    choices.setScope('all');
    assert.deepEqual([choices.scope, choices.grouping], ['all', 'folder']);
    await choices.setGrouping('none');
    assert.equal(choices.grouping, 'none');
    const after = new SessionChoices(state, model.settings);
    assert.deepEqual([after.scope, after.grouping], ['all', 'none']);
    await after.setGrouping('folder');
    after.setScope('workspace');
    assert.equal(after.grouping, 'none');
  });

  it('use the readable part of the stored value', () => {
    for (const stored of [null, 7, [], { filter: { states: 'open', agents: [7] }, sorting: 'x' }]) {
      const state = memento();
      void state.update('sessions.choices', stored);
      const choices = new SessionChoices(state, model.settings);
      assert.equal(choices.isFiltered, false);
      assert.equal(choices.sorting, 'time');
    }
  });

  it('group by date as the setting says, unless by folder was chosen here', async () => {
    const { choices, settings } = model;
    assert.equal(choices.grouping, 'date');
    await choices.setGrouping('none');
    assert.deepEqual([choices.grouping, settings.groupByDate], ['none', false]);
    await choices.setGrouping('folder');
    assert.deepEqual([choices.grouping, settings.groupByDate], ['folder', false]);
    await choices.setGrouping('date');
    assert.deepEqual([choices.grouping, settings.groupByDate], ['date', true]);
  });
});

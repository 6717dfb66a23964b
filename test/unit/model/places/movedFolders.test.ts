import assert from 'node:assert/strict';
import { GoneFolders } from '../../../../src/model/places/goneFolders';
import { MovedFolders } from '../../../../src/model/places/movedFolders';
import { posixOnly } from '../../../support/posixOnly';
import { until } from '../../../support/until';
import { memento } from '../../views/sessions/fakes';

describe('moved folders', () => {
  let moved: MovedFolders;
  beforeEach(() => {
    moved = new MovedFolders(memento());
  });
  afterEach(() => moved.dispose());

  it('take all folders inside with them, for their agent only', async () => {
    await moved.move('a', '/old', '/new #1 100%');
    assert.equal(moved.getPlace('a', '/old'), '/new #1 100%');
    assert.equal(moved.getPlace('a', '/old/'), '/new #1 100%');
    assert.equal(moved.getPlace('a', '/old/Sub #2/x'), '/new #1 100%/Sub #2/x');
    assert.equal(moved.getPlace('a', '/older'), '/older');
    assert.equal(moved.getPlace('b', '/old'), '/old');
    assert.deepEqual(moved.movedTo('a', '/new #1 100%/'), ['/old']);
    assert.equal(moved.getOrigin('a', '/new #1 100%/x'), '/old/x');
    assert.equal(moved.getOrigin('b', '/new #1 100%/x'), '/new #1 100%/x');
  });

  it('have the place that says most', async () => {
    await moved.move('a', '/old', '/new');
    await moved.move('a', '/old/sub', '/other');
    assert.equal(moved.getPlace('a', '/old/sub/x'), '/other/x');
    assert.equal(moved.getPlace('a', '/old/x'), '/new/x');
  });

  it('move on, are chosen again and forgotten', async () => {
    await moved.move('a', '/one', '/two');
    await moved.move('a', '/two', '/three');
    assert.equal(moved.getPlace('a', '/one'), '/three');
    await moved.move('a', '/one', '/four');
    assert.equal(moved.getPlace('a', '/one'), '/four');
    let changes = 0;
    moved.onDidChange(() => changes++);
    await moved.forget('a', '/one/inside');
    assert.equal(moved.getPlace('a', '/one'), '/one');
    await moved.move('a', '/two', '/two');
    assert.equal(moved.getPlace('a', '/two'), '/two', 'back where it was');
    assert.equal(changes, 2);
  });

  posixOnly('compare Windows paths without regard to case, others with it', async () => {
    await moved.move('a', 'C:\\Work\\App', '/mnt/app');
    assert.equal(moved.getPlace('a', 'c:/work/APP'), '/mnt/app');
    assert.match(moved.getPlace('a', 'c:\\WORK\\app\\Sub'), /^\/mnt\/app\/Sub$/);
    await moved.move('a', '/Work', '/new');
    assert.equal(moved.getPlace('a', '/project'), '/project');
  });

  it('are known to other windows, and bounded', async () => {
    const storage = memento();
    await new MovedFolders(storage).move('a', '/old', '/new');
    const other = new MovedFolders(storage);
    for (let index = 0; index < 200; index++) {
      await other.move('a', `/from${index}`, '/to');
    }
    const read = new MovedFolders(storage);
    assert.equal(read.getPlace('a', '/from0'), '/to');
    assert.equal(read.getPlace('a', '/old'), '/old');
  });

  it('are what can be read of what is stored', () => {
    const whole = { agentId: 'a', from: '/old', to: '/new' };
    for (const stored of [
      7,
      [null, 'x', { ...whole, to: '' }],
      [{ ...whole, to: 'relative' }],
      [{ ...whole, agentId: 7 }],
    ]) {
      const storage = memento();
      void storage.update('sessions.movedFolders', stored);
      assert.equal(new MovedFolders(storage).getPlace('a', '/old'), '/old');
    }
  });
});

describe('folders that are gone', () => {
  it('are known once they were looked for, and noticed when they are back', async () => {
    const missing = new Set(['/gone']);
    const gone = new GoneFolders((path) => Promise.resolve(missing.has(path)));
    let changes = 0;
    gone.onDidChange(() => changes++);
    assert.deepEqual([gone.has('/gone'), gone.has('/here')], [false, false]);
    await until(() => changes === 1);
    assert.deepEqual([gone.has('/gone'), gone.has('/here')], [true, false]);
    missing.clear();
    await gone.refresh();
    assert.deepEqual([gone.has('/gone'), changes], [false, 2]);
  });

  it('are never looked for on another machine, or where no path is', async () => {
    const gone = new GoneFolders((path) => assert.fail(`looked for ${path}`));
    for (const path of ['//host/share', '\\\\host\\share', '', 'relative', '/a\0b']) {
      assert.equal(await gone.check(path), false, path);
    }
  });
});

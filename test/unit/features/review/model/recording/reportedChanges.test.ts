import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { RecorderWorld, ten, with_ } from './recorderWorld';

describe('Recording what is only reported, without checkpoints', () => {
  let world: RecorderWorld;

  beforeEach(() => {
    world = new RecorderWorld();
    world.checkpoints.no = 'noGit';
  });

  afterEach(() => world.dispose());

  it('V2-DIFF-2: a reported deletion is one, and brought back if its text is known', async () => {
    world.write('told', 'one\ntwo\n');
    world.write('written', 'x');
    world.write('untold', 'y');
    await world.session.begin('Do it');
    await world.session.write(world.at('written'), world.writing('written', 'z'));
    for (const name of ['told', 'written', 'untold']) {
      fs.rmSync(world.at(name));
    }
    world.write('still there', 's');
    world.session.completed(
      world.call('delete', {
        diffs: [
          world.change('delete', 'told'),
          world.diff('told', 'one\ntwo\n', ''),
          ...['written', 'untold', 'still there'].map((it) => world.change('delete', it)),
          { ...world.change('delete', 'a folder'), fileType: 'directory' },
        ],
      }),
    );
    await world.end();
    assert.deepEqual(
      world
        .review()
        .pending.map(({ kind, file, form }) => [
          ...[kind, path.relative(world.folder, file), form],
        ]),
      [
        ['deleted', 'told', 'text'],
        ['deleted', 'untold', 'unkept'],
        ['deleted', 'written', 'text'],
      ],
    );
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('told'), 'one\ntwo\n');
    assert.equal(world.text('written'), 'x');
    assert.equal(fs.existsSync(world.at('untold')), false);
  });

  it('V2-DIFF-2: a reported move goes back to where the file was, with its lines', async () => {
    world.write('old', ten);
    world.write('plain', 'p');
    await world.session.begin('Do it');
    fs.renameSync(world.at('old'), world.at('new'));
    world.write('new', with_({ 2: 'two' }));
    fs.renameSync(world.at('plain'), world.at('moved'));
    world.session.completed(
      world.call('move', {
        diffs: [
          world.change('move', 'new', 'old'),
          world.diff('new', '2\n3\n', 'two\n3\n'),
          world.change('move', 'moved', 'plain'),
        ],
      }),
    );
    await world.end();
    assert.deepEqual(
      world
        .review()
        .pending.map(({ kind, file, movedFrom = '' }) => [
          ...[kind, path.relative(world.folder, file), path.relative(world.folder, movedFrom)],
        ]),
      [
        ['moved', 'moved', 'plain'],
        ['moved', 'new', 'old'],
      ],
    );
    await world.review().undo({ type: 'all' });
    assert.deepEqual([world.text('old'), world.text('plain')], [ten, 'p']);
    assert.equal(fs.existsSync(world.at('new')), false);
  });

  it('V2-DIFF-2: reported copies and binary files are changes, too; a replaced one can only be kept', async () => {
    world.write('source', 's');
    world.write('image', '\0old');
    await world.session.begin('Do it');
    world.write('copy', 's');
    world.write('image', '\0new');
    world.write('logo', '\0logo');
    world.session.completed(
      world.call('other', {
        diffs: [
          world.change('copy', 'copy', 'source'),
          { ...world.change('modify', 'image'), fileType: 'binary' },
          { ...world.change('add', 'logo'), fileType: 'binary' },
          world.change('other', 'source'),
        ],
      }),
    );
    await world.end();
    assert.deepEqual(
      world
        .review()
        .pending.map(({ kind, file, form }) => [
          ...[kind, path.relative(world.folder, file), form],
        ]),
      [
        ['added', 'copy', 'text'],
        ['modified', 'image', 'unkept'],
        ['added', 'logo', 'binary'],
      ],
    );
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('image'), '\0new');
    assert.equal(fs.existsSync(world.at('copy')), false);
    assert.equal(fs.existsSync(world.at('logo')), false);
  });
});

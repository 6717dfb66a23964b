import assert from 'node:assert/strict';
import { type TonePage, TonePages } from '../../../../src/views/attention/tonePages';

describe('pages that can play a tone', () => {
  let asked: string[];
  let pages: TonePages;
  const add = (name: string, isLive = true): TonePage =>
    pages.add({ isLive }, ({ tone }) => asked.push(`${name} ${tone}`));
  beforeEach(() => {
    asked = [];
    pages = new TonePages();
  });

  it('are asked one at a time: the next one only if a page can’t', () => {
    add('hidden', false);
    const silent = add('silent');
    add('other');
    add('last');
    pages.play('ended');
    assert.deepEqual(asked, ['silent ended']);
    pages.play('ended', silent);
    assert.deepEqual(asked, ['silent ended', 'other ended']);
  });

  it('are all silent if none can, or none is left', () => {
    const only = add('only');
    pages.play('needsAnswer');
    pages.play('needsAnswer', only);
    only.dispose();
    pages.play('needsAnswer');
    assert.deepEqual(asked, ['only needsAnswer']);
  });
});

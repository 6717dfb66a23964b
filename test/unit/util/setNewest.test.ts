import assert from 'node:assert/strict';
import { setNewest } from '../../../src/util/setNewest';

describe('setting a map’s newest entry', () => {
  it('drops the entries that were not set for longest', () => {
    const map = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    setNewest(map, 'a', 3, 3);
    setNewest(map, 'c', 4, 3);
    assert.deepEqual([...map.keys()], ['b', 'a', 'c']);
    setNewest(map, 'd', 5, 2);
    assert.deepEqual(
      [...map],
      [
        ['c', 4],
        ['d', 5],
      ],
    );
  });
});

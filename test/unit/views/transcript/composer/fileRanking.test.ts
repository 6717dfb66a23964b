import assert from 'node:assert/strict';
import {
  fileIndex,
  rankFiles,
  withFolders,
} from '../../../../../src/views/transcript/composer/fileRanking';

const paths = ['README.md', 'src/cart/total.ts', 'src/cart/total.test.ts', 'src/coupons/coupon.ts'];

function indexOf(files: readonly string[]) {
  return fileIndex(withFolders(files.map((path) => ({ path, uri: `file:///project/${path}` }))));
}

function found(text: string, open: readonly string[] = [], files = paths): string[] {
  const uris = new Set(open.map((path) => `file:///project/${path}`));
  return rankFiles(indexOf(files), text, uris).map(({ uri }) =>
    uri.slice('file:///project/'.length),
  );
}

describe('ranking of files to mention', () => {
  it('finds letters that are not next to each other, the best first', () => {
    assert.deepEqual(found('total').slice(0, 2).sort(), paths.slice(1, 3).sort());
    assert.ok(found('scoup').includes('src/coupons/coupon.ts'));
    assert.deepEqual(found('zzz'), []);
  });

  it('knows the folders that the files are in', () => {
    const [cart] = rankFiles(indexOf(paths), 'src/cart', new Set());
    assert.deepEqual(cart, {
      uri: 'file:///project/src/cart',
      name: 'cart',
      detail: 'src',
      isFolder: true,
    });
  });

  it('puts files that are open in an editor first', () => {
    assert.equal(found('', ['src/coupons/coupon.ts'])[0], 'src/coupons/coupon.ts');
    const files = ['a/total.ts', 'b/total.ts', 'c/total.ts'];
    assert.equal(found('total', ['c/total.ts'], files)[0], 'c/total.ts');
  });

  it('gives no more than anyone reads', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `file${index}.ts`);
    assert.ok(found('file', [], many).length <= 50);
    assert.ok(found('', many, many).length <= 50);
  });
});

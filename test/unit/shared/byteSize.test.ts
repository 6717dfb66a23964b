import assert from 'node:assert/strict';
import { byteSize } from '../../../src/shared/byteSize';

describe('a size in bytes', () => {
  it('is short, and as exact as anybody reads it', () => {
    const sizes: readonly (readonly [number, string])[] = [
      [0, '0 bytes'],
      [1, '1 byte'],
      [999, '999 bytes'],
      [1000, '1 KB'],
      [3000, '3 KB'],
      [999 * 1024, '999 KB'],
      [1000 * 1024, '1 MB'],
      [2.5 * 1024 ** 2, '2.5 MB'],
      [64 * 1024 ** 2, '64 MB'],
      [1.5 * 1024 ** 3, '1.5 GB'],
      [5000 * 1024 ** 3, '5,000 GB'],
    ];
    assert.deepEqual(
      sizes.map(([bytes]) => byteSize(bytes)),
      sizes.map(([, text]) => text),
    );
  });
});

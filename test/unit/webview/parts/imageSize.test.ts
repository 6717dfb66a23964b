import assert from 'node:assert/strict';
import { imageSize } from '../../../../src/webview/parts/imageSize';

function base64(...parts: readonly (string | readonly number[])[]): string {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  ).toString('base64');
}

const rest = 'x'.repeat(20);

describe('size of an image', () => {
  const images: readonly (readonly [string, string])[] = [
    [
      'PNG',
      base64('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0xc3, 0x50, 0, 0, 1, 2], rest),
    ],
    ['GIF', base64('GIF89a', [0x50, 0xc3, 2, 1], rest)],
    [
      'JPEG',
      base64(
        [0xff, 0xd8, 0xff, 0xe1, 0, 4, 9, 9],
        [0xff, 0xff, 0xc2, 0, 17, 8, 1, 2, 0xc3, 0x50],
        rest,
      ),
    ],
    ['lossy WebP', base64('RIFF1234WEBPVP8 1234', [0, 0, 0, 0x9d, 1, 0x2a, 0x50, 3, 2, 1], rest)],
    ['WebP with parts', base64('RIFF1234WEBPVP8X1234', [0, 0, 0, 0, 0x4f, 0xc3, 0, 1, 1, 0], rest)],
  ];
  for (const [name, data] of images) {
    it(`is read from a ${name}`, () => {
      const width = name === 'lossy WebP' ? 0x350 : 50_000;
      assert.deepEqual(imageSize(data), { width, height: 0x102 });
    });
  }

  it('is read from a WebP without loss', () => {
    const bits = 799 | (599 << 14);
    const size = [0, 8, 16, 24].map((shift) => (bits >> shift) & 0xff);
    assert.deepEqual(imageSize(base64('RIFF1234WEBPVP8L1234', [0x2f], size, rest)), {
      width: 800,
      height: 600,
    });
  });

  it('is read from a JPEG behind 200 KB about the camera, in lines', () => {
    const parts = Array.from({ length: 4 }, () => [
      [0xff, 0xe1, 0xc3, 0x50],
      '\0'.repeat(0xc34e),
    ]).flat();
    const data = base64([0xff, 0xd8], ...parts, [0xff, 0xc0, 0, 17, 8, 0, 3, 0, 4], rest);
    const lines = data.replace(/.{76}/g, '$&\r\n');
    assert.deepEqual(imageSize(lines), { width: 4, height: 3 });
  });

  it('is unknown for other formats, and for data that ends too early', () => {
    for (const text of [
      '',
      '%%%',
      base64('BM', rest),
      base64('<svg/>'),
      base64('GIF89a'),
      base64([0xff, 0xd8, 0xff]),
      base64([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]),
    ]) {
      assert.equal(imageSize(text), undefined, text);
    }
  });
});

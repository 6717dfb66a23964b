import assert from 'node:assert/strict';
import { FrameQueue } from '../../../src/webview/frameQueue';

describe('Frame queue', () => {
  let frames: (() => void)[];
  const nextFrame = (run: () => void): unknown => frames.push(run);

  beforeEach(() => {
    frames = [];
  });

  it('hands on at once what comes after a pause, and the rest together with the next frame', () => {
    const seen: (readonly number[])[] = [];
    const queue = new FrameQueue<number>((values) => seen.push(values), nextFrame);
    queue.push(1);
    assert.deepEqual(seen, [[1]]);
    queue.push(2);
    queue.push(3);
    assert.deepEqual(seen, [[1]]);
    assert.equal(frames.length, 1);
    frames[0]?.();
    assert.deepEqual(seen, [[1], [2, 3]]);
  });

  it('keeps the order of values that are pushed while others are handed on', () => {
    const seen: number[] = [];
    const queue: FrameQueue<number> = new FrameQueue((values) => {
      seen.push(...values);
      if (seen.length === 1) {
        queue.push(2);
      }
    }, nextFrame);
    queue.push(1);
    frames[0]?.();
    assert.deepEqual(seen, [1, 2]);
  });
});

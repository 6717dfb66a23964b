import assert from 'node:assert/strict';
import { Flow } from '../../../../src/util/process/flow';

/** Writes as much as it can: one chunk at every opportunity. */
class Flood {
  isPaused = false;
  taken = 0;

  constructor(readonly chunk: number) {}

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  writeTo(flow: Flow): void {
    if (!this.isPaused) {
      this.taken += this.chunk;
      flow.took(this.chunk, this);
    }
  }
}

describe('a flow from many sources', () => {
  const inStretch = 1000;
  let ends: (() => void)[];
  let flow: Flow;
  beforeEach(() => {
    ends = [];
    flow = new Flow(inStretch, (_ms, next) => ends.push(next));
  });

  function endStretch(): void {
    for (const end of ends.splice(0)) {
      end();
    }
  }

  it('TE-3, SEC-121: is bounded for all together, and each has its part', () => {
    const floods = Array.from({ length: 64 }, () => new Flood(64));
    const stretches = 200;
    for (let stretch = 0; stretch < stretches; stretch++) {
      for (let round = 0; round < 50; round++) {
        for (const flood of floods) {
          flood.writeTo(flow);
        }
      }
      endStretch();
    }
    const taken = floods.map((flood) => flood.taken);
    const sum = taken.reduce((all, bytes) => all + bytes, 0);
    // Plus, once, the data that each one had already read.
    assert.ok(sum <= stretches * inStretch + 64 * 64, `${sum}`);
    assert.ok(sum > (stretches * inStretch) / 2, `${sum}`);
    assert.ok(Math.min(...taken) * 3 > Math.max(...taken), taken.join());
  });

  it('TE-3: one that writes little is not held up by a flood', () => {
    const [flood, quiet] = [new Flood(64), new Flood(1)];
    for (let stretch = 0; stretch < 10; stretch++) {
      for (let round = 0; round < 50; round++) {
        flood.writeTo(flow);
      }
      quiet.writeTo(flow);
      endStretch();
    }
    assert.equal(quiet.taken, 10);
  });

  it('TE-3: what stays within the bound is never held up', () => {
    const source = new Flood(inStretch);
    for (let stretch = 0; stretch < 10; stretch++) {
      source.writeTo(flow);
      endStretch();
    }
    assert.equal(source.taken, 10 * inStretch);
    assert.equal(ends.length, 0, 'and nothing waits when nothing comes');
  });
});

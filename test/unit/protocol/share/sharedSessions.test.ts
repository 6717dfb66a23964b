import assert from 'node:assert/strict';
import { SharedSessions, type SharingClient } from '../../../../src/protocol/share/sharedSessions';

/** A client that notes what it is told. */
function client(said: string[] = []): SharingClient & { readonly said: string[] } {
  return {
    said,
    openElsewhere: (sessionId, isOpen) => said.push(`${sessionId} ${isOpen}`),
    heard: (sessionId) => said.push(`heard ${sessionId}`),
    listChanged: () => said.push('list'),
  };
}

describe('sessions of a shared agent', () => {
  const make = (): readonly [SharedSessions, ...(SharingClient & { said: string[] })[]] => {
    const shared = new SharedSessions();
    const clients = [client(), client(), client()];
    for (const each of clients) {
      shared.join(each);
    }
    return [shared, ...clients];
  };

  it('T-47: a client is told only when something is different for it', () => {
    const [shared, one, two, three] = make();
    assert.ok(one && two && three);
    shared.opened(one, 's');
    shared.opened(one, 's');
    assert.deepEqual([one.said, two.said, three.said], [[], ['s true'], ['s true']]);
    shared.opened(two, 's');
    assert.deepEqual(one.said, ['s true']);
    assert.deepEqual(three.said, ['s true']);
    shared.leave(one);
    assert.deepEqual(two.said, ['s true', 's false']);
    assert.deepEqual(three.said, ['s true'], 'the second one has it');
    assert.equal(shared.isOpenElsewhere(two, 's'), false);
    assert.equal(shared.isOpenElsewhere(three, 's'), true);
  });

  it('T-47: one that says what it has open by now is compared with before', () => {
    const [shared, one, two] = make();
    assert.ok(one && two);
    shared.setOpen(one, ['a', 'b']);
    shared.setOpen(one, ['b', 'c']);
    assert.deepEqual(two.said, ['a true', 'b true', 'a false', 'c true']);
  });

  it('are bounded, the oldest are forgotten', () => {
    const [shared, one, two] = make();
    assert.ok(one && two);
    for (let count = 0; count < 2000; count++) {
      shared.opened(one, `s${count}`);
    }
    assert.equal(shared.isOpenElsewhere(two, 's999'), false);
    assert.equal(shared.isOpenElsewhere(two, 's1000'), true);
  });

  it('may be used once they were heard of, but for the oldest of very many', () => {
    const [shared] = make();
    for (let count = 0; count < 200_000; count++) {
      shared.share(`s${count}`);
    }
    shared.share('');
    const ids = ['s99999', 's100001', 's199999', 's200000', ''];
    assert.deepEqual(
      ids.map((id) => shared.isShared(id)),
      [false, true, true, false, false],
    );
  });

  const long = (count: number): string => `${count}`.padStart(4096, 'é');

  it('SEC-168: are bounded in bytes, at twice as many: those that are used stay', () => {
    const [shared, one, two] = make();
    assert.ok(one && two);
    // 8 KiB each, twice 16 MiB together.
    for (let count = 0; count < 4096; count++) {
      shared.share(long(count));
      assert.ok(shared.isShared(long(0)), 'it is used all the time');
    }
    assert.deepEqual(
      [1, 2040, 2060, 4095].map((count) => shared.isShared(long(count))),
      [false, false, true, true],
    );
    for (let count = 0; count < 256; count++) {
      shared.opened(one, long(count));
    }
    assert.deepEqual(
      [0, 120, 140, 255].map((count) => shared.isOpenElsewhere(two, long(count))),
      [false, false, true, true],
    );
    assert.ok(two.said.includes(`${long(0)} false`));
  });

  it('SEC-160: are no subagents once the agent has listed them elsewhere, however many it lists', () => {
    const [shared] = make();
    for (let count = 0; count < 200_000; count++) {
      shared.listedElsewhere(`s${count}`);
    }
    for (const id of ['s0', 's99999', 's100001', 's199999', 'new']) {
      shared.shareSubagent(id);
      assert.equal(shared.isShared(id), false, id);
    }
    shared.share('s0');
    assert.equal(shared.isShared('s0'), true);
  });

  it('pass nothing back to where it comes from, nor to those who have left', () => {
    const [shared, one, two, three] = make();
    assert.ok(one && two && three);
    shared.leave(three);
    shared.pass(one, 's', {});
    shared.changedList(one);
    assert.deepEqual([one.said, two.said, three.said], [[], ['heard s', 'list'], []]);
  });
});

import assert from 'node:assert/strict';
import type { SessionRow } from '../../../../../src/model/agent';
import { getFamilies } from '../../../../../src/views/sessions/nodes/arrangement';
import type { RowOrigin } from '../../../../../src/views/sessions/nodes/rowFacts';
import { fc } from '../../../../support/properties';

function row(key: string): SessionRow {
  const info = { sessionId: key, cwd: '/w', additionalDirectories: [] };
  return { key, agentId: 'a', info, title: key, updatedAt: 0 };
}

/** `of`: the origin of a key and its turn. */
function families(
  keys: readonly string[],
  of: Readonly<Record<string, readonly [string, number]>>,
) {
  const { rows, leads } = getFamilies(keys.map(row), ({ key }): RowOrigin | undefined => {
    const [origin, turn] = of[key] ?? [];
    return origin === undefined || turn === undefined ? undefined : { key: origin, turn };
  });
  return { order: rows.map(({ key }) => key).join(' '), leads };
}

describe('branches among the rows', () => {
  it('follow their origin, by turn, and theirs follow them', () => {
    const { order } = families(['x', 'b', 'bb', 'a', 'y', 'o'], {
      a: ['o', 5],
      b: ['o', 2],
      bb: ['b', 1],
    });
    assert.equal(order, 'x o b bb a y');
  });

  it('take their family to the place of its first row, whose date counts for all', () => {
    const { order, leads } = families(['new', 'x', 'old'], { new: ['old', 3] });
    assert.equal(order, 'old new x');
    assert.equal(leads.get('old')?.key, 'new');
    assert.equal(leads.get('x')?.key, 'x');
  });

  it('stay where they are without their origin, and in a circle', () => {
    assert.equal(families(['a', 'x', 'b'], { a: ['gone', 1] }).order, 'a x b');
    const circle = { a: ['b', 1], b: ['a', 1], c: ['c', 1], d: ['a', 1] } as const;
    assert.equal(families(['d', 'a', 'c', 'b'], circle).order, 'd a c b');
  });

  it('never lose a row or show one twice, whatever comes from what', () => {
    const keys = Array.from({ length: 30 }, (_, n) => `${n}`);
    const origins = fc.array(fc.option(fc.tuple(fc.nat({ max: 35 }), fc.nat({ max: 5 }))), {
      minLength: 30,
      maxLength: 30,
    });
    fc.assert(
      fc.property(origins, (of) => {
        const entries = of.flatMap((origin, n) =>
          origin === null ? [] : [[`${n}`, [`${origin[0]}`, origin[1]] as const] as const],
        );
        const { order } = families(keys, Object.fromEntries(entries));
        assert.deepEqual(order.split(' ').toSorted(), keys.toSorted());
      }),
    );
  });

  it('may be ten thousand of one session, or a chain of them', () => {
    const keys = Array.from({ length: 10_000 }, (_, n) => `${n}`);
    const star = Object.fromEntries(keys.slice(1).map((key) => [key, ['0', 1] as const]));
    assert.equal(families(keys, star).order, keys.join(' '));
    const chain = Object.fromEntries(
      keys.slice(1).map((key, n) => [key, [`${n}`, 1] as const] as const),
    );
    assert.equal(families(keys.toReversed(), chain).order, keys.join(' '));
  });
});

import assert from 'node:assert/strict';
import { maxId, maxItems, maxText } from '../../../../../src/protocol/bounds';
import { maxPathLength } from '../../../../../src/shared/lengths';
import { normalise as normalise1, text } from '../../v1/normalised';
import { normalise as normalise2 } from '../../v2/normalised';

for (const [version, normalise] of [
  [1, normalise1],
  [2, normalise2],
] as const) {
  describe(`plans with an id, of version ${version}`, () => {
    const plan = (fields: object): unknown =>
      normalise({ sessionUpdate: 'plan_update', plan: { planId: 'p', ...fields } });
    const read = { sessionUpdate: 'plan', planId: 'p', entries: [] };

    it('entries may be cancelled, and odd ones cost none (PL-4, V2-PLAN-1, V2-PLAN-2)', () => {
      const entries = [
        { content: 'a', priority: 'high', status: 'cancelled' },
        { content: 'b', priority: '_odd', status: 'future' },
        { priority: 'low' },
      ];
      assert.deepEqual(plan({ type: 'items', entries }), {
        ...read,
        entries: [entries[0], { content: 'b', priority: 'medium', status: 'pending' }],
      });
      assert.equal(plan({ type: 'items' }), 'plan_update without a plan');
    });

    it('a plan may be Markdown, a file, or something unknown (PL-4, V2-PLAN-3)', () => {
      assert.deepEqual(plan({ type: 'markdown', content: '# Plan' }), {
        ...read,
        blocks: [text('# Plan')],
      });
      const uri = 'file:///plan.md';
      assert.deepEqual(plan({ type: 'file', uri }), {
        ...read,
        blocks: [{ type: 'resource_link', uri, name: uri }],
      });
      assert.deepEqual(plan({ type: '_gantt', bars: [] }), {
        ...read,
        blocks: [{ type: 'unknown', label: '_gantt' }],
      });
      for (const bad of [{ type: 'markdown' }, { type: 'file', uri: 7 }]) {
        assert.equal(plan(bad), 'plan_update without a plan');
      }
    });

    it('Markdown may name its file, which it is read without (PL-4, V2-PLAN-3)', () => {
      const markdown = (path: unknown): unknown => plan({ type: 'markdown', content: 'x', path });
      const blocks = [text('x')];
      assert.deepEqual(markdown('/a/plan.md'), { ...read, blocks, path: '/a/plan.md' });
      for (const odd of [null, 7, '', {}, '/'.repeat(2 * maxPathLength)]) {
        assert.deepEqual(markdown(odd), { ...read, blocks });
      }
    });

    it('one without an id is the only one, and one is removed by its id (PL-4, V2-PLAN-4)', () => {
      const { planId, ...rest } = read;
      for (const odd of [undefined, null, 7, '']) {
        assert.deepEqual(plan({ type: 'items', entries: [], planId: odd }), rest);
      }
      const removed = { sessionUpdate: 'plan_removed', planId };
      assert.deepEqual(normalise(removed), removed);
      assert.equal(normalise({ ...removed, planId: '' }), 'plan_removed without an id');
    });

    it('those of twice the size are cut (PL-4, V2-PLAN-1, V2-PLAN-3)', () => {
      const entry = { content: 'x'.repeat(20_000) };
      const items = plan({
        type: 'items',
        entries: Array.from({ length: 2 * maxItems }, () => entry),
      });
      assert.equal((items as { entries: unknown[] }).entries.length, maxItems + 1);
      const { blocks } = plan({ type: 'markdown', content: 'x'.repeat(2 * maxText) }) as {
        blocks: readonly { readonly text: string }[];
      };
      assert.ok((blocks[0]?.text.length ?? 0) < maxText + 100);
      const uri = `file:///${'x'.repeat(maxPathLength)}`;
      assert.equal(plan({ type: 'file', uri }), 'plan_update without a plan');
      const { planId } = plan({ type: 'x', planId: 'i'.repeat(2 * maxId) }) as { planId: string };
      assert.ok(planId.length < 100);
    });
  });
}

import assert from 'node:assert/strict';
import { form } from './harness/asking';
import { agent, toolCall } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('bounds of a page', () => {
  const open = useTranscripts();

  it('T-24, SEC-118: draws again between texts that take long', async () => {
    const text = '['.repeat(100_000);
    // As many as fit in one row.
    const texts = 9;
    const { page, host } = await open({ entries: [agent('The first one')] });
    await page.getByText('The first one').waitFor();
    await page.evaluate(() => {
      const drawn = new Set<number>();
      const look = (): void => {
        drawn.add(document.querySelectorAll('.markdown > p').length);
        document.body.dataset['drawn'] = [...drawn].join(' ');
        requestAnimationFrame(look);
      };
      look();
    });
    host.append({
      kind: 'agent',
      blocks: Array.from({ length: texts }, () => ({ type: 'text', text })),
    });
    await page.locator(`body[data-drawn$="${1 + texts}"]`).waitFor();
    const drawn = (await page.locator('body').getAttribute('data-drawn'))?.split(' ') ?? [];
    assert.ok(drawn.length > 2, `the page was drawn with ${drawn.join(', ')} texts`);
  });

  it('T-24, PL-1, TO-6, EL-6: shows two hundred things of a kind, and the next when asked', async () => {
    const many = Array.from({ length: 450 }, (_, at) => `thing-${at}`);
    const { page, errors } = await open({
      entries: [
        { kind: 'agent', blocks: many.map((text) => ({ type: 'text', text })) },
        {
          kind: 'plan',
          items: many.map((content) => ({ content, priority: 'low', status: 'pending' })),
        },
        toolCall({ locations: many.map((path) => ({ path: `/project/${path}` })) }),
        form(
          1,
          many.map((name) => ({ name, title: name, type: 'string', required: false })),
        ),
      ],
      viewport: { width: 900, height: 30_000 },
      // Keeps the browser from painting much outside the viewport.
      deviceScaleFactor: 0.2,
    });
    const more = page.getByRole('button', { name: 'Show 250 more' });
    await more.nth(3).waitFor();
    assert.equal(await page.locator('.plan-item').count(), 200);
    await page.locator('.plan-items').getByRole('button', { name: 'Show 250 more' }).click();
    await page.getByRole('button', { name: 'Show 50 more' }).waitFor();
    assert.equal(await page.locator('.plan-item').count(), 400);
    assert.deepEqual(errors, []);
  });
});

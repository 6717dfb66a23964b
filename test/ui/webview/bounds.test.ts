import assert from 'node:assert/strict';
import { form } from './harness/asking';
import { agent, toolCall } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

/** A PNG of a few bytes whose header claims this size. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(60);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

describe('bounds of a page', () => {
  const open = useTranscripts();

  it('T-24: draws emphasis and quotes that are within each other thousands of times', async () => {
    const { page, errors } = await open({
      entries: [
        agent(`${'**a '.repeat(3000)}deep${' b**'.repeat(3000)}`),
        agent(`${'>'.repeat(1000)} deep\n\nBehind the quotes`),
        agent('The last one'),
      ],
    });
    await page.getByText('The last one').waitFor();
    await page.getByText('Behind the quotes').waitFor();
    assert.equal(await page.locator('blockquote', { hasText: '…' }).count(), 50);
    assert.ok((await page.locator('strong strong').count()) < 100);
    assert.deepEqual(errors, []);
  });

  it('T-24: draws again between texts that take long', async () => {
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

  it('CO-2: names an image that would take gigabytes to draw', async () => {
    const { page } = await open({
      entries: [
        {
          kind: 'agent',
          blocks: [{ type: 'image', mimeType: 'image/png', data: png(50_000, 50_000) }],
        },
      ],
    });
    await page.getByText('Image too large to show').waitFor();
    await page.getByText('image/png, 50,000 × 50,000').waitFor();
    assert.equal(await page.locator('img').count(), 0);
  });
});

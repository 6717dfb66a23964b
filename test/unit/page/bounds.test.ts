import assert from 'node:assert/strict';
import { agent } from '../../ui/webview/harness/entries';
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

  it('T-24, SEC-118: draws emphasis and quotes that are within each other thousands of times', async () => {
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

  it('SEC-118: draws no more formulas than their length allows, and the rest on request', async () => {
    const formula = `$${'x'.repeat(98)}$ `;
    const { page, errors } = await open({ entries: [agent(formula.repeat(1000))] });
    await page.getByRole('button', { name: 'Show the rest of this text' }).waitFor();
    const drawn = await page.locator('.markdown :is(.formula, .inline-code)').count();
    assert.ok(drawn > 100 && drawn < 450, `${drawn} of 1000 are drawn`);
    assert.deepEqual(errors, []);
  });

  it('CO-2, SEC-119: names an image that would take gigabytes to draw', async () => {
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

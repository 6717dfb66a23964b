import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { agent, toolCall, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

/** Markdown that tries to run scripts, fetch resources or navigate. */
const hostile = [
  '<script>globalThis.hacked = true</script>',
  '<img src=x onerror="globalThis.hacked = true">',
  'inline <b onmouseover="globalThis.hacked = true">html</b> <svg/onload=hacked()>',
  '<iframe src="https://attacker.example/"></iframe>',
  '<style>* { display: none }</style>',
  '<a href="javascript:globalThis.hacked=true">html link</a>',
  '![tracked](https://attacker.example/pixel.png)',
  '![data](data:image/svg+xml,<svg onload=hacked()>)',
  '![odd](javascript:globalThis.hacked=true)',
  '[script link](javascript:globalThis.hacked=true)',
  '[upper](JaVaScRiPt:globalThis.hacked=true)',
  '[entity](&#106;avascript:globalThis.hacked=true)',
  '[tab](<java\tscript:globalThis.hacked=true>)',
  '[command link](command:workbench.action.quit)',
  '[deep link](vscode://settings/x)',
  '[data link](data:text/html,<script>hacked=true</script>)',
  '[share](//attacker.example/share)',
  '[unc](\\\\\\\\attacker.example\\share)',
  '[reference][evil]',
  '<javascript:globalThis.hacked=true>',
  '[title](https://example.org "onclick=hacked()")',
  '| a |\n|---|\n| <script>globalThis.hacked=true</script> |',
  '```"><script>globalThis.hacked=true</script>\ncode\n```',
  '`<script>globalThis.hacked=true</script>`',
  '# <script>globalThis.hacked=true</script>',
  '- <img src=x onerror=globalThis.hacked=true>',
  '\n[evil]: javascript:globalThis.hacked=true',
].join('\n\n');

async function clickAll(found: Locator): Promise<void> {
  for (const one of await found.all()) {
    await one.click();
  }
}

function addressesIn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#root [href], #root [src]')].map(
      (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
    ),
  );
}

describe('what agents send', () => {
  const open = useTranscripts();

  it('T-24, CO-1: Markdown that wants to run or fetch something is text', async () => {
    const { page, host, errors, requests } = await open({
      entries: [
        user(hostile),
        agent(hostile),
        toolCall({
          status: 'failed',
          title: '<img src=x onerror="globalThis.hacked = true">',
          name: '<script>globalThis.hacked=true</script>',
          content: [{ type: 'content', block: { type: 'text', text: hostile } }],
        }),
        {
          kind: 'plan',
          items: [{ content: '<script>x</script>', priority: 'high', status: 'pending' }],
        },
      ],
      viewport: { width: 900, height: 12_000 },
    });
    await page.getByText('<script>globalThis.hacked = true</script>').first().waitFor();
    for (const more of await page.getByRole('button', { name: 'Show more' }).all()) {
      await more.click();
    }
    await clickAll(page.getByRole('link'));
    await clickAll(page.locator('.dead-link'));
    const opened = (await host.sent('openLink')).map(({ href }) => href);
    // Addresses that are shown as text may be opened, once the user has clicked them.
    assert.deepEqual([...new Set(opened)].sort(), [
      'https://attacker.example/',
      'https://attacker.example/pixel.png',
      'https://example.org',
    ]);
    assert.deepEqual(await addressesIn(page), []);
    assert.equal(
      await page.evaluate(() => (globalThis as unknown as { hacked?: boolean }).hacked),
      undefined,
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
    assert.deepEqual(host.refused, []);
  });

  it('CO-2, V2-MSG-8: pictures are shown, other pictures, sounds and unknown blocks are named', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { page, errors } = await open({
      entries: [
        {
          kind: 'agent',
          blocks: [
            { type: 'image', mimeType: 'image/png', data: png },
            { type: 'image', mimeType: 'image/png', data: 'not a picture at all' },
            { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zz4=' },
            { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
            { type: 'unknown', label: 'hologram' },
            { type: 'unknown', label: 'scent', raw: '{\n  "type": "scent"\n}' },
          ],
        },
        { kind: 'unknown', what: 'update', name: 'weather', raw: '{\n  "rain": true\n}', count: 3 },
      ],
    });
    const picture = page.locator('img').first();
    await picture.waitFor();
    assert.equal(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => 'drawn')),
      'drawn',
    );
    await page.getByText('image/svg+xml').waitFor();
    await page.getByText('Audio', { exact: true }).waitFor();
    await page.getByText('hologram').waitFor();
    await page.getByRole('button', { name: 'scent' }).click();
    await page.getByText('"type": "scent"').waitFor();
    await page.getByRole('button', { name: 'weather (3 times)' }).click();
    await page.getByText('"rain": true').waitFor();
    assert.deepEqual(errors, []);
  });

  it('CO-1: code is colored, named and copied', async () => {
    const { page, errors } = await open({
      entries: [agent('```ts\nconst answer = 42;\n```')],
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
    await page.getByText('ts', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'const answer = 42;');
    assert.deepEqual(errors, []);
  });

  it('CO-1: a list that grows without end is shown to its last item', async () => {
    const { page, host } = await open({ entries: [agent('- item 0')] });
    await page.getByText('item 0', { exact: true }).waitFor();
    const items = Array.from(
      { length: 600 },
      (_, item) => `- item ${item} ${'and *so* on '.repeat(9)}`,
    );
    for (let count = 10; count <= items.length; count += 10) {
      host.replace(0, agent(items.slice(0, count).join('\n')));
    }
    await page.getByRole('button', { name: 'Show the rest of this text' }).click();
    await page.getByText('item 599', { exact: false }).waitFor();
  });
});

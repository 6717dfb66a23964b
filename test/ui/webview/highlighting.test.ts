import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { agent, conversation, toolCall } from './harness/entries';
import { openFind } from './harness/keybindings';
import { useTranscripts } from './harness/transcriptPage';

/** Code that a language's grammar needs more than ten seconds for; the number makes each text unique. */
const slow = {
  c: (number: number) => `${`${'a'.repeat(1300)}\n`.repeat(44)}${number}`,
  toml: (number: number) => `${`${'a.'.repeat(680)}\n`.repeat(43)}a${number}`,
};
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const ordinary = fence('ts', 'const answer: number = 42;');

function coloured(page: Page, text: string) {
  return page.locator('.hljs-keyword', { hasText: text });
}

describe('SEC-117: code in colors', () => {
  const open = useTranscripts();

  it('shows the keywords of an ordinary block in colors, and the same text as before', async () => {
    const { page, errors, requests } = await open({ entries: [agent(ordinary)] });
    await coloured(page, 'const').waitFor();
    assert.equal(await page.locator('pre code').innerText(), 'const answer: number = 42;');
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });

  it('T-24: goes on while code is there whose highlighting would take minutes, and leaves that plain', async () => {
    // The page waits two seconds for each.
    const entries = Array.from({ length: 2 }, (_, number) =>
      agent(
        `Block ${number}\n\n${fence(number % 2 ? 'c' : 'toml', (number % 2 ? slow.c : slow.toml)(number))}`,
      ),
    );
    const { page, host, errors } = await open({
      entries,
      viewport: { width: 900, height: 2500 },
    });
    await page.getByText('Block 1').waitFor();
    host.append(agent('This came while the worker was busy.'));
    await page.getByText('This came while').waitFor();
    const frames = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let count = 0;
          const next = (): void => {
            count++;
            if (count === 30) {
              resolve(count);
            } else {
              requestAnimationFrame(next);
            }
          };
          next();
        }),
    );
    assert.equal(frames, 30);
    host.append(agent(ordinary));
    await coloured(page, 'const').waitFor();
    assert.equal(await page.locator('figure.code').count(), 3);
    assert.equal(
      await page.locator('figure [class^="hljs"]').count(),
      await page.locator('figure').last().locator('[class^="hljs"]').count(),
    );
    assert.deepEqual(errors, []);
  });

  it('leaves a block with a line of more than 5,000 characters plain', async () => {
    const long = fence('ts', `const data = "${'QUJD'.repeat(12_500)}";`);
    const { page } = await open({ entries: [agent(`${long}\n\n${ordinary}`)] });
    await coloured(page, 'const').waitFor();
    assert.equal(await page.locator('figure').first().locator('[class^="hljs"]').count(), 0);
  });

  it('colors a block that grows as it grows', async () => {
    const { page, host } = await open({ entries: [agent('```ts\nconst first')] });
    await coloured(page, 'const').waitFor();
    host.replace(0, agent('```ts\nconst first = 1;\nfunction second'));
    await coloured(page, 'function').waitFor();
    host.replace(0, agent('```ts\nconst first = 1;\nfunction second() {}\nreturn'));
    await coloured(page, 'return').waitFor();
    assert.equal(
      await page.locator('pre code').innerText(),
      'const first = 1;\nfunction second() {}\nreturn',
    );
  });

  it('finds and copies what stands in colors', async () => {
    const { page } = await open({ entries: [...conversation(3), agent(ordinary)] });
    await coloured(page, 'const').waitFor();
    await openFind(page);
    await page.keyboard.type('const answer: num');
    await page.waitForFunction(() => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      return range instanceof Range && range.toString() === 'const answer: num';
    });
    await page.keyboard.press('Escape');
    await page.locator('pre code').click({ clickCount: 3 });
    assert.equal(
      (await page.evaluate(() => getSelection()?.toString() ?? '')).trim(),
      'const answer: number = 42;',
    );
  });

  it('TO-7: highlights text outside the viewport once it is scrolled to', async () => {
    const { page } = await open({
      entries: [toolCall({ status: 'failed', rawInput: { path: 'a.ts' } }), ...conversation(60)],
    });
    await page.getByText('Answer 59').waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Input' }).click();
    await page.locator('.hljs-attr').first().waitFor();
  });
});

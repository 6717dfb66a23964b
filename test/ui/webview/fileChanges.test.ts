import assert from 'node:assert/strict';
import type { Diff, FileChange } from '../../../src/shared/transcript/content';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { toolCall, user } from './harness/entries';
import { allThemes, pictures, useTranscripts } from './harness/transcriptPage';

const at = (name: string): string => `/project/shop/${name}`;

function change(operation: FileChange['operation'], name: string, oldName?: string): FileChange {
  const oldPath = oldName === undefined ? {} : { oldPath: at(oldName) };
  return { type: 'fileChange', operation, path: at(name), ...oldPath };
}

function diff(name: string, oldText: string | null, newText: string): Diff {
  return { type: 'diff', path: at(name), oldText, newText };
}

const rate = 'export const rate = 0.19;\nexport const currency = "EUR";\n';
const tidied = toolCall({
  toolKind: 'move',
  title: 'Tidy up the shop',
  locations: [{ path: at('src/old/rate.ts') }, { path: at('src/rates/rate.ts') }],
  content: [
    change('move', 'src/rates/rate.ts', 'src/old/rate.ts'),
    diff('src/rates/rate.ts', rate, rate.replace('0.19', 'taxRate()')),
    diff('src/rates/rate.ts', 'sum(items)\n', 'total(items)\n'),
    change('move', 'docs/shop.md', 'shop.md'),
    change('delete', 'src/old/cents.ts'),
    diff('src/old/cents.ts', 'export const cents = (price: number) => price * 100;\n', ''),
    { ...change('delete', 'src/old'), fileType: 'directory' },
    change('copy', 'src/rates/reduced.ts', 'src/rates/rate.ts'),
    { ...change('add', 'src/rates'), fileType: 'directory' },
    { ...change('add', 'current'), fileType: 'symlink' },
    { ...change('add', 'media/cart.png'), fileType: 'binary' },
    { ...change('modify', 'media/logo.png'), fileType: 'binary' },
    { ...change('modify', 'src/app.ts'), fileType: 'text' },
    change('other', 'src/strange.ts', 'src/odd.ts'),
    diff('src/cart.ts', 'a\n', 'b\n'),
    { ...change('add', 'x'), path: '/[build.example]/srv/app/log.txt' },
  ],
});

describe('what happened to files', () => {
  const open = useTranscripts();

  it('V2-DIFF-2, V2-DIFF-3, V2-DIFF-5, V2-DIFF-6: is said in words, followed by the lines, and opens the file that is there', async () => {
    const { page, host } = await open({
      entries: [user('Tidy up'), tidied],
      viewport: { width: 900, height: 1200 },
    });
    await page.locator('.file-change').last().waitFor();
    assert.deepEqual(await page.locator('.file-change .diff-head').allInnerTexts().then(oneLine), [
      'src/rates/rate.ts Moved from src/old/rate.ts',
      'docs/shop.md Moved from shop.md',
      'src/old/cents.ts Deleted',
      'src/old Folder deleted',
      'src/rates/reduced.ts Copied from src/rates/rate.ts',
      'src/rates New folder',
      'current New link',
      'media/cart.png New binary file',
      'media/logo.png Binary file changed',
      'src/app.ts Changed (no text was sent)',
      'src/strange.ts Changed in a way that isn’t known here, from src/odd.ts',
      '/[build.example]/srv/app/log.txt New',
    ]);
    assert.equal(await page.locator('.chip').count(), 0, 'the files are named once');
    assert.equal(await page.locator('.diff-label', { hasText: 'rate.ts' }).count(), 1);
    const going = page.locator('.diff-goes-on');
    assert.equal(await going.count(), 3);
    await going
      .first()
      .getByRole('button', { name: 'Changed lines of src/rates/rate.ts' })
      .waitFor();
    await going.first().getByRole('button', { name: 'Changed lines', exact: true }).click();
    assert.deepEqual(await host.sent('openDiff'), [{ type: 'openDiff', index: 1, content: 1 }]);
    await page.getByRole('button', { name: 'docs/shop.md', exact: true }).click();
    assert.deepEqual((await host.sent('openDiff')).at(-1), {
      ...{ type: 'openDiff', index: 1, content: 3 },
    });
    for (const name of ['src/old/cents.ts', '/[build.example]/srv/app/log.txt']) {
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    }
  });

  it('axe objects to nothing, in any theme', async () => {
    const { page } = await open({
      entries: [user('Tidy up'), tidied],
      viewport: { width: 900, height: 1100 },
    });
    await page.locator('.file-change').last().waitFor();
    assert.deepEqual(await violations(page), []);
    await pictures(page, 'file-changes', allThemes);
    await page.setViewportSize({ width: 300, height: 1200 });
    await screenshot(page, 'file-changes-narrow');
  });
});

function oneLine(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

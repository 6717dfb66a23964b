import assert from 'node:assert/strict';
import { imageSize } from '../../../src/webview/parts/imageSize';
import { png, prompt, transfer, until } from './harness/composing';
import { useTranscripts } from './harness/transcriptPage';

describe('what goes along with a prompt', () => {
  const open = useTranscripts();

  it('takes files that are dropped, and says that Shift has to be held', async () => {
    const { page, host } = await open();
    const data = { 'text/uri-list': 'file:///shop/a.ts\r\nfile:///shop/b' };
    await prompt(page).waitFor();
    await transfer(page, 'dragover', { data }, false);
    await page.getByText('Hold Shift to add to the prompt').waitFor();
    await transfer(page, 'dragover', { data });
    await page.getByText('Drop to add to the prompt').waitFor();
    await transfer(page, 'drop', { data });
    await page.getByText('Drop to add to the prompt').waitFor({ state: 'detached' });
    await until(() => host.intentsOf('dropFiles').length === 1, page);
    assert.deepEqual((await host.sent('dropFiles'))[0]?.uris, [
      'file:///shop/a.ts',
      'file:///shop/b',
    ]);
    await host.send({
      type: 'attach',
      attachments: [
        { type: 'file', uri: 'file:///shop/a.ts', name: 'a.ts' },
        {
          type: 'selection',
          uri: 'file:///shop/c.ts',
          name: 'c.ts',
          startLine: 3,
          endLine: 9,
          text: 'x',
        },
      ],
    });
    const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await chips.first().waitFor();
    assert.deepEqual(await chips.allInnerTexts(), ['a.ts', 'c.ts:3-9']);
    await page.getByRole('button', { name: 'Add Files…' }).click();
    await until(() => host.intentsOf('pickFiles').length === 1, page);
  });

  it('CO-2, PR-2: takes images by drop and paste where the agent does, with a picture of them', async () => {
    const { page, host, errors } = await open();
    const shot = { name: 'shot.png', type: 'image/png', base64: png };
    await prompt(page).waitFor();
    await transfer(page, 'paste', { files: [shot] });
    const picture = page.locator('.attachment img');
    await picture.waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.attachment img')?.naturalWidth === 1,
    );
    await transfer(page, 'drop', {
      files: [
        { name: 'plan.svg', type: 'image/svg+xml', base64: '' },
        { name: 'notes.txt', type: 'text/plain', base64: '' },
      ],
    });
    await page.getByText('“plan.svg” isn’t a PNG, JPEG, GIF or WebP image.').waitFor();
    await page.getByText('“notes.txt” has no path here.', { exact: false }).waitFor();
    await prompt(page).press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.deepEqual((await host.sent('prompt'))[0]?.draft.attachments, [
      { type: 'image', name: 'shot.png', mimeType: 'image/png', data: png },
    ]);
    await picture.waitFor({ state: 'detached' });
    await transfer(page, 'paste', { files: [shot] });
    await picture.waitFor();
    host.setSession({ takesImages: false });
    await page.getByText('Claude doesn’t accept images. Remove them to send the prompt.').waitFor();
    await page.getByRole('button', { name: 'Remove shot.png' }).click();
    await picture.waitFor({ state: 'detached' });
    await transfer(page, 'paste', { files: [shot] });
    await page
      .getByText('Claude doesn’t accept images, and other files', { exact: false })
      .waitFor();
    assert.equal(await picture.count(), 0);
    assert.deepEqual(errors, []);
  });

  it('keeps content that is pasted along with text as text', async () => {
    const { page, host } = await open();
    await prompt(page).focus();
    await transfer(page, 'paste', {
      data: { 'text/plain': 'cells' },
      files: [{ name: 'image.png', type: 'image/png', base64: png }],
    });
    await transfer(page, 'drop', { data: { 'text/uri-list': 'https://example.org/' } });
    await page.keyboard.type('x');
    assert.equal(await page.locator('.attachment').count(), 0);
    assert.deepEqual(await host.sent('dropFiles'), []);
  });

  it('CO-2: makes an image smaller that providers refuse, and says so', async () => {
    const { page, host } = await open();
    await prompt(page).waitFor();
    const draw = (width: number, height: number): Promise<string> =>
      page.evaluate(
        async ([columns, rows]) => {
          const canvas = new OffscreenCanvas(columns, rows);
          const context = canvas.getContext('2d');
          context?.fillRect(0, 0, columns / 2, rows);
          const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        },
        [width, height] as const,
      );
    const image = { type: 'image', mimeType: 'image/png' } as const;
    const small = { ...image, name: 'small.png', data: await draw(2000, 100) };
    await host.send({
      type: 'attach',
      attachments: [small, { ...image, name: 'photo.png', data: await draw(4032, 3024) }],
    });
    await page
      .getByRole('status')
      .getByText('“photo.png” was made smaller: 4032 × 3024 → 2000 × 1500 pixels.')
      .waitFor();
    await page.getByRole('button', { name: 'Send (Enter)' }).click();
    await until(() => host.intentsOf('prompt').length === 1, page);
    const [sent] = await host.sent('prompt');
    const [first, second] = sent?.draft.attachments ?? [];
    assert.deepEqual(first, small);
    assert.ok(second?.type === 'image' && second.mimeType === 'image/png');
    assert.deepEqual(imageSize(second.data), { width: 2000, height: 1500 });
    assert.equal(await page.getByText('was made smaller').count(), 0);
  });
});

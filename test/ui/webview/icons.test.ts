import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  checkIcon,
  maxReferences,
  maxTags,
} from '../../../src/features/registry/model/icons/checkIcon';
import { tinted } from '../../../src/views/tinted';
import { RegistryServer } from '../../support/registryServer';
import { until } from './harness/composing';
import { useTranscripts } from './harness/transcriptPage';

/** What an icon could try to run or to load. */
const ways = ['script', 'event', 'scriptFile', 'image', 'use', 'import', 'font', 'html', 'frame'];

/** An icon that asks the server at this address in each of these ways, and by a document type. */
function hostile(address: string): string {
  const ask = (way: string): string => `fetch('${address}/${way}', { mode: 'no-cors' })`;
  return `<?xml version="1.0"?>
<!DOCTYPE svg SYSTEM "${address}/dtd" [<!ENTITY % more SYSTEM "${address}/entity"> %more;]>
<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" onload="${ask('event')}">
  <style>
    @import url(${address}/import);
    @font-face { font-family: icon; src: url(${address}/font) }
    text { font-family: icon }
  </style>
  <script>${ask('script')}</script>
  <script href="${address}/scriptFile"></script>
  <image href="${address}/image" width="9" height="9"/>
  <use href="${address}/use#part"/>
  <text x="2" y="9">Poet</text>
  <foreignObject width="9" height="9">
    <div xmlns="http://www.w3.org/1999/xhtml"><img src="${address}/html"/><iframe src="${address}/frame"/></div>
  </foreignObject>
</svg>`;
}

/** Shows an icon in the ways in which VS Code's window and its pages show images; resolves once it is drawn. */
async function showIcon(page: Page, icon: string): Promise<void> {
  const address = `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`;
  await page.evaluate(async (src) => {
    const image = new Image(16, 16);
    image.src = src;
    const row = document.createElement('div');
    row.style.cssText = 'position:fixed;top:0;width:16px;height:16px';
    row.style.backgroundImage = `url("${src}")`;
    const line = document.createElement('div');
    line.style.cssText = 'position:fixed;top:20px;width:16px;height:16px;background:red';
    line.style.maskImage = `url("${src}")`;
    document.body.append(image, row, line);
    await image.decode();
  }, address);
  // Takes a frame in which they are drawn.
  await page.screenshot();
}

describe('icons of agents', () => {
  const open = useTranscripts();
  let server: RegistryServer;
  before(async () => {
    server = await RegistryServer.start();
  });
  after(() => server.close());

  it('SEC-45: run nothing and load nothing, as images', async () => {
    server.answer = (_, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.end();
    };
    const { page } = await open();
    await showIcon(page, hostile(`${server.origin}/ours`));
    // VS Code's window allows more than our pages do.
    const other = await page.context().newPage();
    await other.goto(server.origin);
    await showIcon(other, hostile(`${server.origin}/other`));

    // The same icon in the document itself.
    await other.setContent(hostile(`${server.origin}/inlined`));
    const asked = () => new Set(server.requests.map(({ url }) => String(url)));
    const inlined = ways.map((way) => `/inlined/${way}`);
    await until(() => inlined.every((url) => asked().has(url)), other);
    assert.deepEqual(
      [...asked()].filter((url) => /^\/(?:ours|other)\//.test(url)),
      [],
    );
  });

  it('SEC-45: take no time to draw, whatever is in them', async () => {
    const { page } = await open();
    const shape = '<path d="M0 0h9v9z" stroke-dasharray="0.00001"';
    const levels = [0, 1, 2].map((level) => {
      const lower = level === 0 ? '' : ` clip-path="url(#c${level - 1})"`;
      return `<clipPath id="c${level}">${`${shape}${lower}/>`.repeat(level === 0 ? 400 : 3)}</clipPath>`;
    });
    const clips = `${levels.join('')}<g clip-path="url(#c2)">${shape}/></g>`;
    assert.equal(clips.split('url(').length - 1, maxReferences - 1);
    const depth = (maxTags - 2) / 2 - 1;
    const open_ = '<g transform="rotate(7)" style="mix-blend-mode:multiply;opacity:.9">';
    for (const inside of [clips, `${open_.repeat(depth)}${shape}/>${'</g>'.repeat(depth)}`]) {
      const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${inside}</svg>`;
      await showIcon(page, tinted(checkIcon(Buffer.from(icon)), '#424242'));
    }
  });
});

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { browserHostPaths } from '../../scripts/setup/browserHost.mjs';

/** VS Code's own page around each webview, and its service worker. */
const framesFolder = path.join(
  path.dirname(browserHostPaths('newest').serverMain),
  'vs/workbench/contrib/webview/browser/pre',
);
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/**
 * Gives the webviews of a window that is about to open a separate origin, and with it a separate process, as in VS Code
 * on the desktop and on the web. The test server would otherwise put them in the workbench's process, where they wait
 * for its work and its garbage collection. `close` stops the server of their pages.
 */
export async function putWebviewsApart(page: Page): Promise<{ close(): void }> {
  const frames = await serveFrames();
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch();
      const body = configured(await response.text(), frames.port);
      const policy = response.headers()['content-security-policy'] ?? '';
      const headers = {
        ...response.headers(),
        'content-security-policy': policy.replace(
          'frame-src',
          `frame-src http://*.localhost:${frames.port}`,
        ),
      };
      await route.fulfill({ response, body, headers });
    },
  );
  return frames;
}

/** The workbench's page with a different webview origin in its configuration, which is JSON in an attribute. */
function configured(html: string, port: number): string {
  const template = `"webviewContentExternalBaseUrlTemplate":"http://{{uuid}}.localhost:${port}/",`;
  return html
    .replace(/&quot;webviewEndpoint&quot;:&quot;.*?&quot;,/, '')
    .replace(
      '&quot;productConfiguration&quot;:{',
      (start) => start + template.replaceAll('"', '&quot;'),
    );
}

async function serveFrames(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    const name = path.basename(new URL(request.url ?? '', 'http://localhost').pathname);
    readFile(path.join(framesFolder, name)).then(
      (content) => {
        response.setHeader('Content-Type', types[path.extname(name)] ?? 'text/plain');
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

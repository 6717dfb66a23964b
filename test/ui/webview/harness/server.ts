import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { SavedTranscript } from '../../../../src/shared/transcript/webviewMessages';
import {
  type PageTexts,
  pageHtml,
  transcriptHtml,
} from '../../../../src/views/transcript/tabs/html';
import { inProject } from '../../../support/project';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

export interface PageServer {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the transcript's page as the extension builds it, with its content security policy, over the loopback
 * interface, and in another language with `?language=`. The only addition is VS Code's default style sheet.
 */
export async function startPageServer(saved: SavedTranscript): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname === '/' || pathname === '/glance' || pathname === '/comparison') {
      const language = searchParams.get('language');
      const texts = language ? textsIn(language) : undefined;
      const origin = originOf(server);
      response.setHeader('content-type', 'text/html');
      response.end(
        pathname === '/'
          ? pageOf(origin, saved, texts)
          : plainPage(origin, pathname.slice(1), texts),
      );
      return;
    }
    readFile(fileOf(pathname)).then(
      (content) => {
        response.setHeader('content-type', types[path.extname(pathname)] ?? 'text/plain');
        // So that the browser keeps the compiled code, too.
        response.setHeader('cache-control', 'max-age=3600');
        response.end(content);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: originOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The translations that VS Code loads for this language. */
function textsIn(language: string): PageTexts {
  const file = path.join(inProject('l10n'), `bundle.l10n.${path.basename(language)}.json`);
  return { language, bundle: JSON.parse(readFileSync(file, 'utf8')) as PageTexts['bundle'] };
}

function pageOf(origin: string, saved: SavedTranscript, texts: PageTexts | undefined): string {
  return transcriptHtml(
    {
      cspSource: origin,
      script: `${origin}/webview/transcript.js`,
      styles: [`${origin}/vscodeDefaults.css`, `${origin}/webview/transcript.css`],
    },
    saved,
    texts,
  );
}

/** A page with nothing but its script and styles: the view of all sessions at a glance, or the comparison. */
function plainPage(origin: string, name: string, texts: PageTexts | undefined): string {
  return pageHtml(
    {
      cspSource: origin,
      script: `${origin}/webview/${name}.js`,
      styles: [`${origin}/vscodeDefaults.css`, `${origin}/webview/${name}.css`],
    },
    { title: name, policy: [`trusted-types 'none'`], texts },
  );
}

function fileOf(pathname: string): string {
  return pathname.startsWith('/webview/')
    ? path.join(inProject('dist/webview'), path.normalize(pathname.slice('/webview'.length)))
    : path.join(inProject('test/ui/webview/harness'), path.basename(pathname));
}

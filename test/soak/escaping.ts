import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/host/browser.mjs';
import { transcriptMarkdown } from '../../src/model/transcript/transcriptText';
import type { Entry, ToolCallEntry } from '../../src/shared/transcript/entries';
import { startPageServer } from '../ui/webview/harness/server';
import { openTranscript, saved } from '../ui/webview/harness/transcriptPage';
import { ServerProcess } from '../unit/features/prompts/server/serverProcess';
import { factsOf } from '../unit/features/prompts/server/world';
import type { Check, CheckRun } from './check';
import { markupAttacks, mixedAttack } from './markupAttacks';

const mixtures = 300;

function textsOf({ random }: CheckRun): readonly string[] {
  return [...markupAttacks, ...Array.from({ length: mixtures }, () => mixedAttack(random))];
}

/** Entries with this text in every place where an agent can put one. */
function entriesWith(text: string): readonly Entry[] {
  const block = { type: 'text', text } as const;
  const call: ToolCallEntry = {
    kind: 'toolCall',
    toolCallId: text,
    title: text,
    name: text,
    toolKind: 'edit',
    status: 'completed',
    content: [
      { type: 'content', block },
      { type: 'content', block: { type: 'resource', uri: text, text, mimeType: text } },
      { type: 'content', block: { type: 'resource_link', uri: text, name: text } },
      { type: 'content', block: { type: 'unknown', label: text } },
      { type: 'diff', path: text, oldText: text, newText: `${text}\n${text}` },
      { type: 'terminal', terminalId: 't' },
    ],
    terminalOutput: new Map([['t', text]]),
    locations: [{ path: text, line: 1 }],
    rawInput: { [text]: text },
    rawOutput: text,
  };
  const failure = { code: 'internal', title: text, detail: text, actions: [] } as const;
  return [
    { kind: 'user', blocks: [block] },
    { kind: 'agent', blocks: [block, { type: 'image', mimeType: text, data: 'AAAA' }, block] },
    { kind: 'thought', blocks: [block] },
    call,
    { kind: 'plan', items: [{ content: text, priority: 'high', status: 'pending' }] },
    { kind: 'compaction', compactionId: 'k', status: text, summary: [block], error: text },
    {
      kind: 'permission',
      requestId: 1,
      toolCall: call,
      options: [{ optionId: 'a', name: text, kind: 'allow_once' }],
      state: { kind: 'selected', optionId: 'a', by: 'person' },
    },
    {
      kind: 'elicitation',
      requestId: 2,
      message: text,
      ask: { mode: 'form', fields: [{ type: 'string', name: text, title: text, required: true }] },
      state: { kind: 'accepted', values: { [text]: text } },
    },
    { kind: 'turn', outcome: { type: 'stopped', stopReason: text } },
    { kind: 'turn', outcome: { type: 'failed', failure, canResend: false } },
  ];
}

/** A page that blocks all requests and records whatever would have happened. */
class Cage {
  readonly happened: string[] = [];
  readonly #page: Page;
  #html = '';

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<Cage> {
    const page = await browser.newPage();
    const cage = new Cage(page);
    const address = 'http://soak.test/';
    await page.exposeFunction('canary', () => cage.happened.push('a script ran'));
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (url === address) {
        await route.fulfill({ contentType: 'text/html', body: cage.#html });
      } else {
        cage.happened.push(`asked for ${url.slice(0, 100)}`);
        await route.abort();
      }
    });
    page.on('dialog', (dialog) => {
      cage.happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => cage.happened.push(`popup: ${popup.url()}`));
    page.on('framenavigated', (frame) => {
      if (frame.url() !== address) {
        cage.happened.push(`went to ${frame.url().slice(0, 100)}`);
      }
    });
    return cage;
  }

  /** What happens when this HTML is shown, and the active content in it. */
  async show(html: string): Promise<readonly string[]> {
    this.happened.splice(0);
    this.#html = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><main>${html}</main>`;
    const gone = (): string[] => ['it went elsewhere'];
    const alive = await this.#page
      .goto('http://soak.test/', { waitUntil: 'load' })
      .then(() => this.#page.evaluate(findAlive))
      .catch(gone);
    return [...this.happened, ...alive];
  }
}

/**
 * Runs in the page: finds elements that an agent's text must not produce, and links to anything but a page or a file.
 */
function findAlive(): string[] {
  const allowed = new Set(
    'main,p,h1,h2,h3,h4,h5,h6,ul,ol,li,em,strong,s,del,code,pre,blockquote,hr,br,a,table,thead,tbody,tr,th,td'.split(
      ',',
    ),
  );
  return [...document.querySelectorAll('main *')].flatMap((element) => {
    const name = element.localName;
    const href = element.getAttribute('href') ?? 'https:';
    const attributes = [...element.attributes].map((attribute) => attribute.name);
    const isKnown = (attribute: string): boolean =>
      ['href', 'title', 'class', 'start', 'style'].includes(attribute);
    return [
      ...(allowed.has(name) ? [] : [`an element ${name}`]),
      ...attributes.filter((attribute) => !isKnown(attribute)).map((one) => `an attribute ${one}`),
      ...(/^(https?:|mailto:|file:|#|\/|\.)/i.test(href) || !href.includes(':')
        ? []
        : [`a link to ${href.slice(0, 40)}`]),
    ];
  });
}

function rendered(browserCheck: (cage: Cage, run: CheckRun) => Promise<string>): Check['run'] {
  return async (run) => {
    const browser = await launchBrowser();
    try {
      return await browserCheck(await Cage.open(browser), run);
    } finally {
      await browser.close();
    }
  };
}

const renderer = new MarkdownIt({ html: true, linkify: true });

/** The document of each text, and the active content found in it. */
async function aliveIn(
  cage: Cage,
  texts: readonly string[],
  markdownOf: (text: string) => string | Promise<string>,
): Promise<string> {
  const bad: string[] = [];
  for (const text of texts) {
    const alive = await cage.show(renderer.render(await markdownOf(text)));
    if (alive.length > 0) {
      bad.push(
        `${JSON.stringify(text.slice(0, 60))}: ${[...new Set(alive)].slice(0, 3).join(', ')}`,
      );
    }
  }
  assert.ok(bad.length === 0, `${bad.length} of ${texts.length}: ${bad.slice(0, 6).join('; ')}`);
  return `${texts.length} texts`;
}

export const escapingChecks: readonly Check[] = [
  {
    name: 'the cage notices what is alive',
    wholeOnly: true,
    run: rendered(async (cage) => {
      const alive = ['<img src=x onerror=canary()>', '<script>alert(1)</script>', '<b onclick=x>'];
      for (const html of [...alive, '<iframe src=/evil></iframe>', '<a href=javascript:x>y</a>']) {
        assert.notEqual((await cage.show(html)).length, 0, html);
      }
      assert.deepEqual(await cage.show('<p>Text</p>'), []);
      return '5 noticed';
    }),
  },
  {
    name: 'an exported transcript is text',
    wholeOnly: true,
    seconds: 300,
    run: rendered((cage, run) =>
      aliveIn(cage, textsOf(run), (text) => {
        const header = {
          title: text,
          agentTitle: text,
          cwd: text,
          sessionId: text,
          updatedAt: text,
        };
        return [...transcriptMarkdown(header, entriesWith(text))].join('');
      }),
    ),
  },
  {
    name: 'what appears over a prompt is text',
    wholeOnly: true,
    seconds: 300,
    run: rendered(async (cage, run) => {
      const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
      const client = await ServerProcess.start({ capabilities });
      try {
        const uri = client.open('/attack');
        return await aliveIn(cage, textsOf(run), async (description) => {
          client.bind(uri, factsOf({ commands: [{ name: 'attack', description }] }));
          return (await client.hover(uri, '/att')) ?? '';
        });
      } finally {
        await client.kill();
      }
    }),
  },
  {
    name: 'the page of a transcript loads nothing and runs nothing',
    wholeOnly: true,
    seconds: 300,
    run: async (run) => {
      const server = await startPageServer(saved);
      const browser = await launchBrowser();
      try {
        const { page, host, errors, requests } = await openTranscript(browser, server);
        await page.exposeFunction('canary', () => errors.push('a script ran'));
        await host.send({ type: 'fold', kind: 'all', open: true });
        const texts = textsOf(run);
        for (const [index, text] of texts.entries()) {
          host.reset([
            ...entriesWith(text),
            { kind: 'agent', blocks: [{ type: 'text', text: `Row ${index}.` }] },
          ]);
          await page.getByText(`Row ${index}.`, { exact: true }).waitFor();
        }
        assert.deepEqual(requests, []);
        assert.deepEqual(errors, []);
        return `${texts.length} texts`;
      } finally {
        await browser.close();
        await server.close();
      }
    },
  },
];

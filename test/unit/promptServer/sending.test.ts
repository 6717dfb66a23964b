import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type PromptContent,
  type ReadPromptParams,
  readPromptMethod,
} from '../../../src/shared/promptProtocol';
import type { LanguageClient } from './languageClient';
import { factsOf, World } from './world';

describe('prompt server: what is sent', function () {
  this.timeout(20_000);
  const world = new World();
  afterEach(() => world.dispose());

  function read(client: LanguageClient, params: ReadPromptParams): Promise<PromptContent | null> {
    return client.request(readPromptMethod, params);
  }

  it('is the text without settings and comments, with the files that it names (PR-3, CO-5)', async () => {
    const folder = await world.folder({ 'src/a.ts': '', 'x y.png': '', 'doc.pdf': '' });
    const client = await world.client();
    const uri = client.open(
      [
        '---\nmode: ask\nmode: plan\n---\n/fix @src/a.ts#L2-3 and @src, <!-- later --> @gone @../out',
        '![x](<x y.png>) ![](doc.pdf) @#total',
        '',
      ].join('\n'),
    );
    const at = (name: string): string => pathToFileURL(path.join(folder, name)).href;
    const facts = factsOf({ roots: [folder] });
    client.bind(uri, facts);
    const content = await read(client, { uri });
    const file = { kind: 'file', text: '@src/a.ts#L2-3', uri: at('src/a.ts'), isFolder: false };
    assert.deepEqual(content, {
      version: 1,
      settings: [{ key: 'mode', value: 'plan' }],
      parts: [
        { kind: 'text', text: '/fix ' },
        { ...file, lines: { first: 2, last: 3 } },
        { kind: 'text', text: ' and ' },
        { kind: 'file', text: '@src', uri: at('src'), isFolder: true },
        { kind: 'text', text: ',  ' },
        { kind: 'text', text: '@gone' },
        { kind: 'text', text: ' ' },
        { kind: 'text', text: '@../out' },
        { kind: 'text', text: '\n' },
        { kind: 'image', text: '![x](<x y.png>)', uri: at('x y.png'), alt: 'x' },
        { kind: 'text', text: ' ' },
        { kind: 'file', text: '![](doc.pdf)', uri: at('doc.pdf'), isFolder: false },
        { kind: 'text', text: ' ' },
        { kind: 'symbol', text: '@#total', name: 'total' },
      ],
    });
    // An agent that takes no images gets the file (CO-2).
    client.bind(uri, { ...facts, takes: { ...facts.takes, image: false } });
    const without = await read(client, { uri });
    assert.equal(without?.parts[9]?.kind, 'file');
  });

  it('is nothing of documents without any, and isn’t told of those that can’t be read', async () => {
    const client = await world.client();
    const empty = client.open('<!-- only -->\n');
    assert.deepEqual(await read(client, { uri: empty }), { version: 1, settings: [], parts: [] });
    assert.equal(await read(client, { uri: 'untitled:other' }), null);
    const binary = client.open('\u0000', 'untitled:binary');
    assert.equal(await read(client, { uri: binary }), null);
  });
});

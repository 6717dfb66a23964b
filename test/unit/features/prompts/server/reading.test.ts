import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { mentionText } from '../../../../../src/shared/prompt/promptMention';
import type { FoundSymbol } from '../../../../../src/shared/prompt/promptProtocol';
import type { LanguageClient } from './languageClient';
import { factsOf, PromptWorld } from './world';

const markdown = { textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } } };

describe('prompt server: reading and moving', function () {
  this.timeout(20_000);
  const world = new PromptWorld();
  afterEach(() => world.dispose());

  it('explains commands and files as text, whatever is in it', async () => {
    const folder = await world.folder({
      'a.md': '````\n[click](command:x) <img src=x>\n```',
      'bin.dat': new Uint8Array([1, 0, 2]),
    });
    const client = await world.client({ capabilities: markdown });
    const uri = client.open('/fix @a.md @bin.dat @gone @..');
    const description = 'Does ```` \u202e[it](command:y)';
    const commands = [{ name: 'fix', description, hint: 'what' }];
    client.bind(uri, factsOf({ roots: [folder], commands }));
    assert.equal(
      await client.hover(uri, '/f'),
      '`````text\n/fix what\nDoes ```` [it](command:y)\n`````',
    );
    assert.equal(
      await client.hover(uri, '@a'),
      `\`\`\`text\n${path.join(folder, 'a.md')}\n39 bytes\n\`\`\`\n\n\`\`\`\`\`md\n\`\`\`\`\n[click](command:x) <img src=x>\n\`\`\`\n\`\`\`\`\``,
    );
    assert.equal(
      await client.hover(uri, '@b'),
      `\`\`\`text\n${path.join(folder, 'bin.dat')}\n3 bytes\n\`\`\``,
    );
    assert.equal(await client.hover(uri, '@g'), undefined);
    assert.equal(await client.hover(uri, '@.'), undefined);
  });

  it('explains in plain text to editors that know no other, and shows the lines that are mentioned', async () => {
    const folder = await world.folder({ 'src/a.ts': 'one\ntwo\nthree\nfour\n' });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('@src/a.ts#L2-3 @src');
    assert.equal(
      await client.hover(uri, '@s'),
      `${path.join(folder, 'src', 'a.ts')}\n19 bytes\n\ntwo\nthree`,
    );
    assert.equal(await client.hover(uri, '3 @'), `${path.join(folder, 'src')}\nFolder`);
  });

  it('shows a symbol in its file, unless that is outside of the session’s folders', async () => {
    const folder = await world.folder({ 'src/a.ts': 'one\nfunction total() {\n}\n' });
    const elsewhere = await world.folder({ 'a.ts': 'secret' });
    const symbol = (name: string, file: string): FoundSymbol => ({
      name,
      kind: 12,
      uri: pathToFileURL(file).href,
      line: 2,
    });
    const client = await world.client({
      folders: [folder],
      initializationOptions: { findsSymbols: true },
      answers: {
        'acp/symbols': () => [
          symbol('totals', path.join(folder, 'src', 'a.ts')),
          symbol('total', path.join(folder, 'src', 'a.ts')),
          symbol('outside', path.join(elsewhere, 'a.ts')),
        ],
      },
    });
    const uri = client.open('@#total @#outside @#none');
    assert.equal(
      await client.hover(uri, '@#t'),
      `${path.join(folder, 'src', 'a.ts')}\n25 bytes\n\nfunction total() {\n}`,
    );
    assert.equal(await client.hover(uri, '@#o'), undefined);
    assert.equal(await client.hover(uri, '@#n'), undefined);
  });

  it('links mentions and images to their files, at their lines', async () => {
    const folder = await world.folder({ 'a b#c%.ts': '', 'x.png': '', 'd/e.ts': '' });
    const client = await world.client();
    const uri = client.open(
      '@<a b#c%.ts>#L2-3 ![x](x.png) @d\\e.ts#L7 @d @gone.ts @../out `@d/e.ts`',
    );
    client.bind(uri, factsOf({ roots: [folder] }));
    const at = (name: string): string => pathToFileURL(path.join(folder, name)).href;
    assert.deepEqual(await client.links(uri), [
      ['@<a b#c%.ts>#L2-3', `${at('a b#c%.ts')}#L2-L3`],
      ['![x](x.png)', at('x.png')],
      ['@d\\e.ts#L7', `${at('d/e.ts')}#L7`],
    ]);
  });

  it('links symbols to where the client finds them', async () => {
    const found: readonly FoundSymbol[] = [
      { name: 'totals', kind: 12, uri: 'file:///other.ts', line: 1 },
      { name: 'total', kind: 12, uri: 'file:///cart.ts', line: 3 },
    ];
    const client = await world.client({
      initializationOptions: { findsSymbols: true },
      answers: { 'acp/symbols': () => found },
    });
    const uri = client.open('See @#total and @#gone');
    const links = await client.ask<DocumentLink[]>('textDocument/documentLink', uri);
    const targets = links.map(async (link) => {
      assert.equal(link.target, undefined);
      return (await client.request<DocumentLink>('documentLink/resolve', link)).target;
    });
    assert.deepEqual(await Promise.all(targets), ['file:///cart.ts#L3', undefined]);
  });

  it('shows headings as an outline', async () => {
    const client = await world.client();
    const uri = client.open(
      '# One\n## Two\ntext\n### Three\n## Four\n# Five\n```\n# no\n```\n##\n',
    );
    const outline = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', uri);
    const names = (symbols: readonly DocumentSymbol[] = []): unknown[] =>
      symbols.map(({ name, children }) => [name, ...names(children)]);
    assert.deepEqual(names(outline), [
      ['One', ['Two', ['Three']], ['Four']],
      ['Five', ['##']],
    ]);
    assert.deepEqual(outline[0]?.range.end, { line: 4, character: 7 });
  });

  it('folds settings, comments, code and what is below a heading', async () => {
    const client = await world.client();
    const uri = client.open(
      '---\r\nmode: x\r\n---\r\n# One\r\n<!-- a\r\nb -->\r\n```\r\nx\r\n```\r\n\r\n# Two\r\n',
    );
    const folds = await client.ask<FoldingRange[]>('textDocument/foldingRange', uri);
    assert.deepEqual(
      folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind]),
      [
        [0, 2, undefined],
        [4, 5, 'comment'],
        [6, 8, undefined],
        [3, 8, 'region'],
      ],
    );
  });

  async function renamed(
    client: LanguageClient,
    uri: string,
    from: string,
    to: string,
  ): Promise<string> {
    const files = [{ oldUri: pathToFileURL(from).href, newUri: pathToFileURL(to).href }];
    const edit = await client.request<WorkspaceEdit | null>('workspace/willRenameFiles', { files });
    return client.edited(uri, edit);
  }

  it('keeps mentions and images leading to files that are moved', async () => {
    const folder = await world.folder({ 'src/a.ts': '', 'src/b c.png': '', 'src.ts': '' });
    const client = await world.client({ folders: [folder] });
    const absolute = path.join(folder, 'src', 'a.ts');
    const mentionOf = (file: string) => mentionText(file.replaceAll(path.sep, '/'));
    const text = `@src/a.ts#L2, ![x](<src/b c.png>) @src @src/ @${absolute} @src.ts @src\\a.ts`;
    const uri = client.open(text);
    const file = await renamed(client, uri, absolute, path.join(folder, 'lib d/(a).ts'));
    assert.equal(
      file,
      `@<lib d/(a).ts>#L2, ![x](<src/b c.png>) @src @src/ ${mentionOf(path.join(folder, 'lib d', '(a).ts'))} @src.ts @<lib d/(a).ts>`,
    );
    const whole = await renamed(client, uri, path.join(folder, 'src'), path.join(folder, 'lib'));
    assert.equal(
      whole,
      `@lib/a.ts#L2, ![x](<lib/b c.png>) @lib @lib/ ${mentionOf(path.join(folder, 'lib', 'a.ts'))} @src.ts @lib/a.ts`,
    );
    const other = await renamed(client, uri, path.join(folder, 'x'), path.join(folder, 'y'));
    assert.equal(other, text);
  });
});

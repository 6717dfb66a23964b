import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  FindParams,
  FoundFile,
  FoundSession,
  FoundSymbol,
} from '../../../../../src/shared/prompt/promptProtocol';
import { factsOf, PromptWorld } from './world';

describe('prompt server: completion', function () {
  this.timeout(20_000);
  const world = new PromptWorld();
  afterEach(() => world.dispose());

  const fix = { name: 'fix', description: 'Fixes **it**.', hint: 'what to fix' };
  const plan = { name: 'plan', description: 'Makes a plan.' };

  it('offers the session’s commands where the prompt begins, as they were last sent (CM-1, CM-3)', async () => {
    const client = await world.client();
    const uri = client.open('/');
    assert.deepEqual((await client.complete(uri)).items, []);
    client.bind(uri, factsOf({ commands: [fix, plan] }));
    assert.deepEqual(await client.completed(uri), { '/fix': '/fix ', '/plan': '/plan' });
    const [first] = (await client.complete(uri)).items;
    assert.equal(first?.detail, 'what to fix');
    assert.equal(first.documentation, 'Fixes **it**.');
    client.bind(uri, factsOf({ commands: [plan] }));
    assert.deepEqual(await client.completed(uri), { '/plan': '/plan' });
    client.bind(uri, null);
    assert.deepEqual((await client.complete(uri)).items, []);
  });

  it('offers commands behind settings and comments, and nowhere else (CM-2)', async () => {
    const client = await world.client();
    const text = '---\nmode: plan\n---\n\n<!-- later -->\n/pl and /fi\n/';
    const uri = client.open(text);
    client.bind(uri, factsOf({ commands: [fix, plan] }));
    const chosen = await client.completed(uri, '/p');
    assert.equal(chosen['/fix'], text.replace('/pl ', '/fix  '));
    assert.deepEqual(await client.completed(uri, 'and /fi'), {});
    assert.deepEqual(await client.completed(uri), {});
  });

  it('offers files and folders of the workspace without any session, as no one’s client', async () => {
    const folder = await world.folder({
      'src/cart/total.ts': '',
      'src/with space.ts': '',
      'node_modules/total/index.js': '',
      'build/total.js': '',
      '.gitignore': 'build/\n',
    });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('See @tot, (@');
    await client.read(uri);
    assert.deepEqual(await client.completed(uri, '@tot'), {
      'total.ts': 'See @src/cart/total.ts, (@',
    });
    const all = await client.completed(uri);
    assert.deepEqual(Object.keys(all).sort(), [
      '.gitignore',
      'cart/',
      'src/',
      'total.ts',
      'with space.ts',
    ]);
    assert.equal(all['with space.ts'], 'See @tot, (@<src/with space.ts>');
    assert.equal(all['cart/'], 'See @tot, (@src/cart/');
    assert.equal((await client.complete(uri)).isIncomplete, false);
  });

  it('puts names before folders, and follows what nested .gitignore files say', async () => {
    const folder = await world.folder({
      'cart/first.ts': '',
      'lib/cart.ts': '',
      'lib/c/a/r/t.ts': '',
      'lib/generated/cart.ts': '',
      'lib/generated/kept/cart.ts': '',
      'lib/.gitignore': '/generated/*\n!/generated/kept\n',
    });
    await symlink(folder, path.join(folder, 'lib', 'loop-cart'), 'junction');
    const client = await world.client({ folders: [folder] });
    const uri = client.open('@cart.ts');
    await client.read(uri);
    const { items } = await client.complete(uri);
    assert.deepEqual(
      items.slice(0, 2).map(({ textEdit }) => textEdit?.newText),
      ['@lib/cart.ts', '@lib/generated/kept/cart.ts'],
    );
    const found = await client.completed(client.open('@cart', 'untitled:other'));
    assert.equal(Object.keys(found)[0], 'cart/');
    assert.ok(!Object.keys(found).some((label) => label.startsWith('loop')));
  });

  it('replaces the whole mention that the caret is in', async () => {
    const folder = await world.folder({ 'src/a.ts': '', 'src/b c.ts': '' });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('See @src/old.ts#L3 and @<src/b d.ts> too');
    await client.read(uri, '@src');
    assert.equal(
      (await client.completed(uri, '@src'))['a.ts'],
      'See @src/a.ts and @<src/b d.ts> too',
    );
    const chosen = await client.completed(uri, '@<src/b');
    assert.equal(chosen['b c.ts'], 'See @src/old.ts#L3 and @<src/b c.ts> too');
  });

  it('says where to put in and what to replace to editors that know both', async () => {
    const folder = await world.folder({ 'src/a.ts': '' });
    const completion = { completionItem: { insertReplaceSupport: true } };
    const client = await world.client({
      folders: [folder],
      capabilities: { textDocument: { completion } },
    });
    const uri = client.open('@a.ts');
    await client.read(uri);
    const { items } = await client.complete(uri, '@a');
    assert.deepEqual(items[0]?.textEdit, {
      newText: '@src/a.ts',
      insert: { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } },
      replace: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
    });
  });

  it('finds files that came after it looked', async () => {
    const folder = await world.folder({ 'one.ts': '' });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('@t');
    await client.read(uri);
    assert.deepEqual(Object.keys(await client.completed(uri)), ['one.ts']);
    const file = path.join(folder, 'two.ts');
    await writeFile(file, '');
    const files = [{ uri: pathToFileURL(file).href }];
    client.notify('workspace/didCreateFiles', { files });
    let found: readonly string[] = [];
    while (!found.includes('two.ts')) {
      found = Object.keys(await client.completed(uri));
    }
  });

  it('asks a client that can find files, in its order, and names those of other folders', async () => {
    const [first, second] = [await world.folder({}), await world.folder({})];
    const asked: FindParams[] = [];
    const found: readonly FoundFile[] = [
      { uri: pathToFileURL(path.join(second, 'z.ts')).href, isFolder: false },
      { uri: pathToFileURL(path.join(first, 'a b')).href, isFolder: true },
      { uri: 'https://example.org/a.ts', isFolder: false },
    ];
    const client = await world.client({
      initializationOptions: { findsFiles: true, suggestCommand: 'suggest' },
      answers: {
        'acp/files': (params: FindParams) => {
          asked.push(params);
          return found;
        },
      },
    });
    const uri = client.open('@./q');
    client.bind(uri, factsOf({ roots: [first, second] }));
    const { items, isIncomplete } = await client.complete(uri);
    assert.deepEqual(
      items.map(({ textEdit, filterText }) => [textEdit?.newText, filterText]),
      [
        [`@${path.basename(second)}/z.ts`, '@./q'],
        ['@<a b>', '@./q'],
      ],
    );
    assert.equal(items[1]?.command?.command, 'suggest');
    assert.equal(isIncomplete, true);
    assert.equal(asked[0]?.query, 'q');
    assert.equal(asked[0].uri, uri);
  });

  it('offers symbols that the client finds', async () => {
    const found: readonly FoundSymbol[] = [
      { name: 'total', kind: 12, containerName: 'cart.ts', uri: 'file:///cart.ts', line: 3 },
      { name: 'no mention', kind: 12, uri: 'file:///cart.ts', line: 4 },
    ];
    const client = await world.client({
      initializationOptions: { findsSymbols: true },
      answers: { 'acp/symbols': () => found },
    });
    const uri = client.open('See @#to');
    assert.deepEqual(await client.completed(uri), { total: 'See @#total' });
    const [item] = (await client.complete(uri)).items;
    assert.equal(item?.detail, 'cart.ts');
  });

  it('offers what is no file, before the files, and shows on hover what would be sent now', async () => {
    const mention = '@problems:errors';
    const asked: unknown[] = [];
    const client = await world.client({
      initializationOptions: { findsContexts: true },
      answers: {
        'acp/contexts': () => [
          { mention, name: 'Errors', detail: '2 errors' },
          { mention: '@no mention', name: 'x', detail: '' },
          { name: 'malformed' },
        ],
        'acp/context': (params) => {
          asked.push(params);
          return { name: 'Errors', size: 2048, text: 'a.ts:1:1 error: Wrong' };
        },
      },
    });
    const uri = client.open('See @pro');
    assert.deepEqual(await client.completed(uri), { [mention]: `See ${mention}` });
    const written = client.open(`See ${mention}, please`, 'untitled:other');
    const hover = (await client.hover(written, 'problems')) ?? '';
    assert.match(hover, /Errors\n2(?:\.\d)? KB[^]*a\.ts:1:1 error: Wrong/);
    assert.deepEqual(asked, [{ uri: written, word: 'problems:errors' }]);
  });

  it('offers settings and their values, also before the settings are closed', async () => {
    const client = await world.client();
    const facts = factsOf({
      modes: {
        currentModeId: 'ask',
        modes: [
          { id: 'ask', name: 'Ask' },
          { id: 'plan', name: 'Plan', description: 'Only plans.' },
        ],
      },
      configOptions: [
        {
          type: 'select',
          id: 'model',
          name: 'Model',
          value: 'big',
          groups: [{ choices: [{ value: 'big', name: 'Big one' }] }],
        },
        { type: 'boolean', id: 'search', name: 'Search the web', value: false },
      ],
    });
    const uri = client.open('---\nmode: pl\nmo');
    client.bind(uri, facts);
    assert.deepEqual(Object.keys(await client.completed(uri)), [
      'session',
      'mode',
      'model',
      'search',
    ]);
    assert.equal((await client.completed(uri, 'mode: p'))['plan'], '---\nmode: plan\nmo');
    assert.equal((await client.completed(uri))['model'], '---\nmode: pl\nmodel: ');
    assert.equal((await client.completed(uri, '\nm'))['model'], '---\nmodel: pl\nmo');
    client.change(uri, '---\nmode:\nsearch: \n---\n');
    assert.equal((await client.completed(uri, 'mode:'))['ask'], '---\nmode: ask\nsearch: \n---\n');
    assert.deepEqual(Object.keys(await client.completed(uri, 'search: ')), ['true', 'false']);
    assert.deepEqual(await client.completed(uri), {});
  });

  it('names the sessions that the client finds by their titles, and writes their ids', async () => {
    const client = await world.client({
      initializationOptions: { findsSessions: true },
      answers: {
        'acp/sessions': ({ query }: FindParams): readonly FoundSession[] => [
          { id: 's1', title: `About ${query}`, agent: 'Claude' },
          { id: '"odd" # id', title: 'Odd', agent: 'Pi' },
          { id: `a'" #b`, title: 'No setting can say it', agent: 'Pi' },
        ],
      },
    });
    const uri = client.open('---\nsession: the cart\n---\n');
    assert.deepEqual(await client.completed(uri, 'cart'), {
      'About the cart': '---\nsession: s1\n---\n',
      Odd: `---\nsession: '"odd" # id'\n---\n`,
    });
  });

  it('shows where each item is from to editors that have a place for it', async () => {
    const folder = await world.folder({ 'src/a.ts': '' });
    const completion = { completionItem: { labelDetailsSupport: true } };
    const client = await world.client({
      folders: [folder],
      capabilities: { textDocument: { completion } },
    });
    const uri = client.open('@a.ts');
    await client.read(uri);
    const [item] = (await client.complete(uri)).items;
    assert.deepEqual(item?.labelDetails, { description: 'src' });
    assert.equal(item.detail, undefined);
  });

  it('offers nothing in fenced code, in comments and in addresses', async () => {
    const folder = await world.folder({ 'a.ts': '' });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('ada@a\n```\n@b\n```\n<!-- @c -->\n<!-- @d');
    for (const at of ['ada@a', '@b', '@c', '@d']) {
      assert.deepEqual(await client.completed(uri, at), {}, at);
    }
  });
});

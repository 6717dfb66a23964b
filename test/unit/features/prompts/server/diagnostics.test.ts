import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver';
import type { LanguageClient } from './languageClient';
import { factsOf, PromptWorld } from './world';

describe('prompt server: diagnostics', function () {
  this.timeout(20_000);
  const world = new PromptWorld();
  afterEach(() => world.dispose());

  const commands = [
    { name: 'explain', description: '' },
    { name: 'test', description: '' },
    { name: 'mcp/ask', description: '' },
  ];
  const options = factsOf({
    modes: { currentModeId: 'ask', modes: [{ id: 'plan', name: 'Plan' }] },
    configOptions: [{ type: 'boolean', id: 'search', name: 'Search', value: false }],
  });

  let opened = 0;
  /** The diagnostics for a text that belongs to a session. */
  async function bound(
    client: LanguageClient,
    text: string,
    facts = factsOf({ commands }),
  ): Promise<{ readonly uri: string; readonly diagnostics: readonly Diagnostic[] }> {
    const uri = `untitled:prompt-${++opened}`;
    client.bind(uri, facts);
    const diagnostics = await client.nextDiagnostics(uri, () => client.open(text, uri));
    return { uri, diagnostics };
  }

  it('names a slash command that the agent doesn’t have, and those that may be meant (CM-1)', async () => {
    const client = await world.client();
    const { uri, diagnostics } = await bound(client, '/tset all\nand /tset');
    assert.deepEqual(client.problems(uri, diagnostics), ['unknown-command: /tset']);
    assert.deepEqual(await client.fixes(uri, diagnostics[0]!), {
      'Change to /test': '/test all\nand /tset',
    });
  });

  it('says nothing of commands before a session is known, and again once it is (CM-3)', async () => {
    const client = await world.client();
    const uri = 'untitled:prompt';
    const unbound = await client.nextDiagnostics(uri, () => client.open('/nope', uri));
    assert.deepEqual(unbound, []);
    const facts = factsOf({ commands });
    assert.equal((await client.nextDiagnostics(uri, () => client.bind(uri, facts))).length, 1);
    const other = factsOf({ commands: [{ name: 'nope', description: '' }] });
    assert.deepEqual(await client.nextDiagnostics(uri, () => client.bind(uri, other)), []);
    assert.equal((await client.nextDiagnostics(uri, () => client.bind(uri, facts))).length, 1);
    assert.deepEqual(await client.nextDiagnostics(uri, () => client.bind(uri, null)), []);
  });

  it('takes a path at the start for a path, and a command with a slash for a command', async () => {
    const client = await world.client();
    assert.deepEqual((await bound(client, '/usr/bin/env is missing')).diagnostics, []);
    assert.deepEqual((await bound(client, '/mcp/ask it')).diagnostics, []);
  });

  it('names mentions that lead nowhere, and files that may be meant', async () => {
    const folder = await world.folder({ 'src/cart/total.ts': '', 'with space#1%.md': '' });
    const client = await world.client();
    const text =
      'See @src/cart/total.ts, @<with space#1%.md>, @src\\cart\\total.ts and @lib/total.ts#L3.';
    const { uri, diagnostics } = await bound(client, text, factsOf({ roots: [folder] }));
    assert.deepEqual(client.problems(uri, diagnostics), ['mention-missing: @lib/total.ts#L3']);
    const fixes = await client.fixes(uri, diagnostics[0]!);
    assert.equal(
      fixes['Change to @src/cart/total.ts#L3'],
      text.replace('@lib/total.ts', '@src/cart/total.ts'),
    );
    assert.equal(fixes['Remove the mention'], text.replace(' @lib/total.ts#L3', ''));
  });

  it('warns less of a name that may be no file’s', async () => {
    const client = await world.client();
    const facts = factsOf({ roots: [await world.folder({})] });
    const { uri, diagnostics } = await bound(client, 'Ask @ada about @Override in @a.ts', facts);
    assert.deepEqual(client.problems(uri, diagnostics), [
      'mention-missing: @ada',
      'mention-missing: @Override',
      'mention-missing: @a.ts',
    ]);
    assert.deepEqual(
      diagnostics.map(({ severity }) => severity),
      [3, 3, 2],
    );
  });

  it('names mentions that lead out of the session’s folders: links, dots and either slash', async () => {
    const outside = await world.folder({ 'secret.txt': 'x' });
    const folder = await world.folder({ 'in/inside.txt': '' });
    await symlink(outside, path.join(folder, 'link'), 'junction');
    await symlink(path.join(folder, 'in'), path.join(folder, 'near'), 'junction');
    const client = await world.client();
    const up = `../${path.basename(outside)}/secret.txt`;
    const named = ['@link/secret.txt', `@${up}`, `@${up.replaceAll('/', '\\')}`];
    const others = [`@${outside}/secret.txt`, '@//host/share', '@../nothing', '@\\\\host\\x'];
    const text = [
      ...named,
      ...others,
      '@near/inside.txt',
      `@${folder}/in/inside.txt`,
      '@link/../x',
    ].join('\n');
    const { uri, diagnostics } = await bound(client, text, factsOf({ roots: [folder] }));
    assert.deepEqual(client.problems(uri, diagnostics), [
      ...[...named, ...others].map((mention) => `mention-outside: ${mention}`),
      'mention-missing: @link/../x',
    ]);
    assert.deepEqual(Object.keys(await client.fixes(uri, diagnostics[0]!)), ['Remove the mention']);
  });

  it('finds mentions in the additional folders too, also by the folder’s name (DIR-10)', async () => {
    const first = await world.folder({});
    const second = await world.folder({ 'lib/a.ts': '' });
    const client = await world.client();
    const text = `@lib/a.ts @${path.basename(second)}/lib/a.ts @${second}/lib/a.ts`;
    const { diagnostics } = await bound(client, text, factsOf({ roots: [first, second] }));
    assert.deepEqual(diagnostics, []);
  });

  it('looks again when files come or go', async () => {
    const folder = await world.folder({});
    const client = await world.client();
    const { uri, diagnostics } = await bound(client, '@new.ts', factsOf({ roots: [folder] }));
    assert.equal(diagnostics.length, 1);
    await writeFile(path.join(folder, 'new.ts'), '');
    const files = [{ uri: pathToFileURL(path.join(folder, 'new.ts')).href }];
    const after = await client.nextDiagnostics(uri, () =>
      client.notify('workspace/didCreateFiles', { files }),
    );
    assert.deepEqual(after, []);
  });

  it('names images that the agent can’t take, and attaches them as links instead (CO-2, PR-2)', async () => {
    const folder = await world.folder({ 'a b.png': '', 'notes.txt': '' });
    await mkdir(path.join(folder, 'dir.png'));
    const client = await world.client();
    const text = '![x](<a b.png>) ![](notes.txt) ![](gone.jpg) ![](../x.gif) ![](dir.png)';
    const facts = factsOf({ roots: [folder] });
    const { uri, diagnostics } = await bound(client, text, facts);
    assert.deepEqual(client.problems(uri, diagnostics), [
      'image-type: ![](notes.txt)',
      'image-missing: ![](gone.jpg)',
      'image-outside: ![](../x.gif)',
      'image-type: ![](dir.png)',
    ]);
    const fixes = await client.fixes(uri, diagnostics[0]!);
    assert.equal(fixes['Attach as a link instead'], text.replace('![](notes.txt)', '@notes.txt'));
    const takes = { image: false, audio: false, embeddedContext: false };
    const without = await client.nextDiagnostics(uri, () => client.bind(uri, { ...facts, takes }));
    assert.equal(client.problems(uri, without)[0], 'image-unsupported: ![x](<a b.png>)');
    const others = await client.fixes(uri, without[0]!);
    assert.equal(others['Attach as a link instead'], text.replace('![x](<a b.png>)', '@<a b.png>'));
    assert.equal(others['Remove the image'], text.replace('![x](<a b.png>)', ''));
  });

  it('names settings and values that the session doesn’t have, with those that may be meant', async () => {
    const client = await world.client();
    const text = '---\nmode: plna\nserach: true\nmode: plan\nwhat\nsearch: maybe\n---\nGo';
    const { uri, diagnostics } = await bound(client, text, options);
    assert.deepEqual(client.problems(uri, diagnostics), [
      'unreadable-setting: what',
      'repeated-setting: mode',
      'unknown-setting: serach',
      'unknown-value: maybe',
    ]);
    const [unreadable, , setting, value] = diagnostics;
    const fixes = await client.fixes(uri, setting!);
    assert.equal(fixes['Change to search'], text.replace('serach', 'search'));
    assert.equal(
      (await client.fixes(uri, value!))['Change to true'],
      text.replace('maybe', 'true'),
    );
    const removed = (await client.fixes(uri, unreadable!))['Remove the line'];
    assert.equal(removed, text.replace('what\n', ''));
    assert.equal(
      value?.message,
      '“maybe” isn’t a valid value of “search”. Valid values: true, false.',
    );
  });

  it('says that nothing is sent, that a comment hides the rest, and what is to be filled in', async () => {
    const client = await world.client();
    assert.deepEqual((await bound(client, '')).diagnostics, []);
    const empty = await bound(client, '---\nsession: 1\n---\n<!-- later -->\n');
    assert.deepEqual(client.problems(empty.uri, empty.diagnostics), ['empty-prompt: ']);
    const { uri, diagnostics } = await bound(client, 'Rename ${1:name}\n<!-- why\n\nmore');
    assert.deepEqual(client.problems(uri, diagnostics), [
      'unclosed-comment: <!--',
      'placeholder: ${1:name}',
    ]);
    const fixes = await client.fixes(uri, diagnostics[0]!);
    assert.equal(fixes['Close the comment'], 'Rename ${1:name}\n<!-- why -->\n\nmore');
  });

  it('follows what is written, and takes everything back when the document is closed', async () => {
    const client = await world.client();
    const { uri } = await bound(client, '/nope');
    assert.deepEqual(await client.nextDiagnostics(uri, () => client.change(uri, '/test')), []);
    const again = await client.nextDiagnostics(uri, () => client.change(uri, '/nope'));
    assert.equal(again.length, 1);
    const closed = await client.nextDiagnostics(uri, () =>
      client.notify('textDocument/didClose', { textDocument: { uri } }),
    );
    assert.deepEqual(closed, []);
  });

  it('shows names of files and commands as plain text on one line', async () => {
    const client = await world.client();
    const { diagnostics } = await bound(client, '/no\u202ep\u001b[31me\u0007');
    assert.equal(diagnostics[0]?.message, 'The agent has no command “/nop[31me”.');
  });
});

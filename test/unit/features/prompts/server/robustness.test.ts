import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { maxPromptLength } from '../../../../../src/shared/prompt/promptDocument';
import { inProject } from '../../../../support/project';
import { fc, tries } from '../../../../support/properties';
import { factsOf, PromptWorld } from './world';

describe('prompt server: robustness', function () {
  this.timeout(60_000);
  const world = new PromptWorld();
  afterEach(() => world.dispose());

  it('says one thing of a text that is too long or isn’t text, and goes on', async () => {
    const client = await world.process();
    const long = '@a '.repeat((5 * 1024 * 1024) / 3);
    const tooLong = await client.nextDiagnostics('untitled:a', () =>
      client.open(long, 'untitled:a'),
    );
    assert.deepEqual(
      tooLong.map(({ code, severity }) => [code, severity]),
      [['too-large', 3]],
    );
    assert.equal(await client.complete('untitled:a'), null);
    const binary = `\u0000@a`.repeat(1_000);
    const noText = await client.nextDiagnostics('untitled:b', () =>
      client.open(binary, 'untitled:b'),
    );
    assert.deepEqual(
      noText.map(({ code }) => code),
      ['binary'],
    );
    const short = await client.nextDiagnostics('untitled:a', () =>
      client.change('untitled:a', 'Hi'),
    );
    assert.deepEqual(short, []);
  });

  it('reads a prompt of the greatest length', async () => {
    const folder = await world.folder({ 'a.ts': '' });
    const client = await world.process({ folders: [folder] });
    const text = '@a.ts @b.ts `x` <!-- c -->\n'.repeat(maxPromptLength / 27);
    const diagnostics = await client.nextDiagnostics('untitled:a', () =>
      client.open(text, 'untitled:a'),
    );
    assert.equal(diagnostics.length, 500);
  });

  it('counts places behind a byte order mark and other line ends as the editor does', async () => {
    const client = await world.client();
    const uri = client.open('\ufeff---\r\nx: y\r\n---\r\n\r\n/nope 😀');
    client.bind(uri, factsOf());
    const diagnostics = await client.diagnostics(uri, (codes) => codes.includes('unknown-command'));
    assert.deepEqual(client.problems(uri, diagnostics), [
      'unknown-setting: x',
      'unknown-command: /nope',
    ]);
  });

  it('answers with the facts of the moment while they change all the time', async () => {
    const client = await world.client();
    const uri = client.open('/');
    const answers: Promise<readonly string[]>[] = [];
    for (let round = 0; round < 50; round++) {
      client.bind(uri, factsOf({ commands: [{ name: `c${round}`, description: '' }] }));
      answers.push(client.complete(uri).then(({ items }) => items.map(({ label }) => label)));
    }
    const labels = await Promise.all(answers);
    assert.deepEqual(
      labels,
      labels.map((_, round) => [`/c${round}`]),
    );
  });

  it('leaves out what isn’t of its shape in facts and options, and ignores other notifications', async () => {
    const client = await world.client({ initializationOptions: { findsFiles: 'yes' } });
    const uri = client.open('/');
    for (const params of [null, [], 'x', { uri: 7 }, { uri, facts: 'x' }]) {
      client.notify('acp/session', params);
    }
    client.notify('acp/other', {});
    client.notify('acp/session', {
      uri,
      facts: { commands: [{ name: 'a' }, { name: 7 }, null], roots: [7, 'relative'], modes: [] },
    });
    const { items } = await client.complete(uri);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['/a'],
    );
  });

  it('answers for documents that aren’t open, and places that aren’t there', async () => {
    const client = await world.client();
    const uri = client.open('short');
    const position = { line: 700, character: 9 };
    for (const method of [
      'completion',
      'hover',
      'documentLink',
      'documentSymbol',
      'foldingRange',
    ]) {
      const params = { textDocument: { uri }, position };
      const elsewhere = { textDocument: { uri: 'nonsense' }, position };
      await client.request(`textDocument/${method}`, params);
      await client.request(`textDocument/${method}`, elsewhere);
    }
    assert.equal((await client.complete(uri)).items.length, 0);
  });

  it('survives a client that fails to find files, and answers by itself', async () => {
    const folder = await world.folder({ 'a.ts': '' });
    const client = await world.client({
      folders: [folder],
      initializationOptions: { findsFiles: true },
    });
    const uri = client.open('@a');
    await client.read(uri);
    assert.deepEqual(Object.keys(await client.completed(uri)), ['a.ts']);
  });

  it('answers whatever is written wherever the caret is', async () => {
    const folder = await world.folder({ 'a.ts': '', 'src/b.ts': '' });
    const client = await world.client({ folders: [folder] });
    const uri = client.open('');
    client.bind(uri, factsOf({ roots: [folder], commands: [{ name: 'a', description: '' }] }));
    const pieces = [
      '---\n',
      '/',
      '@',
      '#',
      '<',
      '>',
      ' ',
      '\n',
      ':',
      'a',
      '`',
      '<!--',
      '-->',
      '..',
      '\\',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), async (parts) => {
        const text = parts.join('');
        client.change(uri, text);
        for (const [label, chosen] of Object.entries(await client.completed(uri))) {
          assert.ok(chosen.length >= text.trimEnd().length - 40, label);
        }
        await client.links(uri);
      }),
      tries(200),
    );
  });

  it('ends when it is told to, and when its input ends', async () => {
    const told = await world.process();
    assert.equal(await told.stop(), 0);
    const left = await world.process();
    const ended = once(left.process, 'exit');
    left.process.stdin.end();
    await ended;
  });

  it('speaks over IPC as well, and ends when the other side goes', async () => {
    const program = inProject('dist/promptServer.js');
    const server = fork(program, ['--node-ipc'], { stdio: 'ignore' });
    const ended = once(server, 'exit');
    const answered = once(server, 'message');
    server.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: null, capabilities: {} },
    });
    const [answer] = (await answered) as [{ id: number; result: { capabilities: object } }];
    assert.ok('completionProvider' in answer.result.capabilities);
    server.disconnect();
    await ended;
  });

  it('can be killed and started again', async () => {
    const folder = await world.folder({ 'a.ts': '' });
    for (let round = 0; round < 3; round++) {
      const client = await world.process({ folders: [folder] });
      const uri = client.open('@a');
      await client.read(uri);
      assert.deepEqual(Object.keys(await client.completed(uri)), ['a.ts']);
      await client.kill();
    }
  });

  it('goes on after messages that are none', async () => {
    const client = await world.process();
    const uri = client.open('/');
    client.write('Content-Length: 9\r\n\r\n{"jsonrpc');
    client.write('Content-Length: 2\r\n\r\n[]');
    client.bind(uri, factsOf({ commands: [{ name: 'a', description: '' }] }));
    assert.deepEqual(Object.keys(await client.completed(uri)), ['/a']);
  });
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { SavedPrompts } from '../../../src/views/transcript/composer/savedPrompts';
import { usePrompts } from '../../vscode/harness/prompts';
import { waitFor } from '../../vscode/harness/support';

describe('prompts in editors', () => {
  const prompts = usePrompts();
  const { openSession, newPrompt, file, sentPrompts } = prompts;

  it('PR-3, CO-4: sends text, files and lines to the session, and closes a document that was opened only for it', async () => {
    await file('prompted/cart.ts', 'one\ntwo\nthree\n');
    const session = await openSession();
    const document = await newPrompt(
      '<!-- not this -->\nLook at @prompted/cart.ts#L2-3 and @prompted/cart.ts, please.\n',
    );
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.equal(
      prompt?.[0]?.['text'],
      'Look at @prompted/cart.ts#L2-3 and @prompted/cart.ts, please.',
    );
    const resources = prompt
      .slice(1)
      .map(({ resource }) => resource as { uri: string; text: string });
    assert.deepEqual(
      resources.map(({ text }) => text),
      ['two\nthree', 'one\ntwo\nthree\n'],
    );
    assert.match(resources[0]?.uri ?? '', /cart\.ts#L2-L3$/);
    await waitFor(() => !hasTab(document.uri), 'its editor to close');
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
    assert.deepEqual(prompts.dialogs.texts('error'), []);
  });

  it('sends what is mentioned by a word as it is when it is sent, and says of what there is nothing', async () => {
    const location = {
      uri: await file('prompted/total.ts', 'one\nfunction total() {}\n'),
      range: new vscode.Range(1, 0, 1, 19),
    };
    const provider = vscode.commands.registerCommand(
      'vscode.executeWorkspaceSymbolProvider',
      () => [{ name: 'total', kind: 11, containerName: '', location }],
    );
    const session = await openSession();
    await newPrompt('Look at @#total and @terminal, @./terminal and @sessions.');
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    provider.dispose();
    const sent = prompt?.slice(1).map((block) => {
      const resource = block['resource'] as { text: string } | undefined;
      return resource?.text ?? block['text'];
    });
    assert.deepEqual(sent, ['function total() {}', '\n\n@terminal: nothing at the moment.\n']);
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
  });

  it('MO-3: sets the mode that stands before a prompt, and sends nothing when that is refused', async () => {
    const session = await openSession();
    await newPrompt('---\nmode: code\n---\nGo on');
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    assert.equal(session.facts.modes?.currentModeId, 'code');
    const methods = (await prompts.bench.received('received')).map(({ method }) => method);
    assert.ok(methods.indexOf('session/set_mode') < methods.indexOf('session/prompt'));
  });

  it('asks for the session of a file, remembers it, and leaves the file open', async () => {
    const session = await openSession();
    const uri = await file('prompted/plan.prompt.acp', 'Make a plan');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'acp-prompt');
    await vscode.window.showTextDocument(document);
    prompts.dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[0] : undefined);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 2, 'the prompt once more');
    assert.equal(prompts.dialogs.asked.filter(({ kind }) => kind === 'pick').length, 1);
    assert.ok(hasTab(uri) && !document.isDirty);
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
  });

  it('has the newest of the saved prompts, even if they were looked for twice and the first search is slower', async () => {
    const found = vscode.Uri.file(prompts.bench.file('newest.prompt.acp'));
    await writeFile(found.fsPath, 'Newest');
    const searches: ((uris: vscode.Uri[]) => void)[] = [];
    const saved = new SavedPrompts(() => new Promise((resolve) => searches.push(resolve)));
    try {
      const first = saved.read();
      await waitFor(() => searches.length > 0, 'the first search');
      const second = saved.read();
      if (searches[1] !== undefined) {
        // It didn't wait for the first, and ends before it.
        searches[1]([found]);
        await second;
      }
      searches[0]?.([]);
      await waitFor(() => searches.length > 1, 'the second search');
      searches[1]?.([found]);
      await Promise.all([first, second]);
      assert.deepEqual(
        saved.all.map(({ name }) => name),
        ['newest'],
      );
    } finally {
      saved.dispose();
    }
  });

  it('CO-2: takes images along that can’t be written, until they are removed', async () => {
    const session = await openSession();
    const panel = prompts.bench.api.panels.find('a', 's1');
    assert.ok(panel);
    const image = (name: string) =>
      ({ type: 'image', name, mimeType: 'image/png', data: 'AAAA' }) as const;
    const draft = { text: 'See these', attachments: [image('a.png'), image('b.png')] };
    await prompts.bench.api.prompts.edit(panel.session, draft);
    const { document } = await waitFor(() => vscode.window.activeTextEditor, 'the editor');
    assert.equal(document.getText(), 'See these');
    await vscode.commands.executeCommand(
      'acpSessions.prompt.removeAttachment',
      document.uri,
      'a.png',
    );
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.deepEqual(
      prompt?.map(({ type }) => type),
      ['text', 'image'],
    );
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
  });

  it('opens a session again that was closed while its prompt was written', async () => {
    await openSession();
    const document = await newPrompt('Go on');
    prompts.bench.api.panels.find('a', 's1')?.panel.dispose();
    await waitFor(
      () => prompts.bench.api.sessions.find('a', 's1') === undefined,
      'the session to close',
    );
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await waitFor(() => !hasTab(document.uri), 'its editor to close');
    const session = prompts.bench.api.sessions.find('a', 's1');
    await waitFor(() => session?.turns.current.kind === 'idle', 'the turn to end');
  });

  it('says why if the session is gone, and keeps the text', async () => {
    await openSession();
    const document = await newPrompt('Go on');
    await prompts.bench.setAgents({});
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    assert.equal(document.getText(), 'Go on');
    assert.ok(hasTab(document.uri));
  });
});

function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as vscode from 'vscode';
import { SavedPrompts } from '../../src/views/transcript/composer/savedPrompts';
import { usePrompts } from './harness/prompts';
import { waitFor } from './harness/support';

describe('prompts in editors', () => {
  const prompts = usePrompts();
  const { openSession, newPrompt, file, sentPrompts } = prompts;

  function completionsAt(document: vscode.TextDocument, character: number, line = 0) {
    return waitFor(async () => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(line, character),
      );
      const labels = list.items
        .map(({ label }) => (typeof label === 'string' ? label : label.label))
        .filter((label) => /^[/@]/.test(label) || label.includes('.'));
      return labels.length > 0 && labels;
    }, 'suggestions');
  }

  function problems(document: vscode.TextDocument): string[] {
    return vscode.languages
      .getDiagnostics(document.uri)
      .flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  }

  it('CM-1: completes the commands of the session that a prompt is written for', async () => {
    await openSession();
    const document = await newPrompt('/');
    assert.deepEqual(await completionsAt(document, 1), ['/review', '/web']);
  });

  it('warns of commands and files that are not there, and no longer once they are', async () => {
    await openSession();
    const document = await newPrompt('/nope in @no-such-file.ts');
    await waitFor(() => problems(document).length === 2, 'two warnings');
    assert.deepEqual(problems(document).sort(), ['mention-missing', 'unknown-command']);
    const editor = await vscode.window.showTextDocument(document);
    const whole = new vscode.Range(0, 0, 0, 100);
    await editor.edit((edit) => edit.replace(whole, '/review this'));
    await waitFor(() => problems(document).length === 0, 'no warning');
  });

  it('asks for what a saved prompt leaves open, and runs it', async () => {
    await file('.acp/prompts/review.prompt.acp', 'Review ${1:what} for ${2:whom}, ${1}!');
    await openSession();
    prompts.dialogs.answer = ({ kind, text, choices }) => {
      if (kind === 'input') {
        return text.includes('1 of 2') ? 'the cart' : 'me';
      }
      return choices.find((choice) => /^review$| One$/.test(choice));
    };
    await vscode.commands.executeCommand('acpSessions.prompt.run');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.deepEqual(prompt, [{ type: 'text', text: 'Review the cart for me, the cart!' }]);
  });

  it('notices a saved prompt that comes after the others were read for a command', async () => {
    await file('.acp/prompts/first.prompt.acp', 'First');
    const saved = new SavedPrompts();
    try {
      assert.ok((await saved.read()).some(({ name }) => name === 'first'));
      // Saved in VS Code, whose watcher may never see the new folder.
      const document = await vscode.workspace.openTextDocument(
        await file('.acp/prompts/later.prompt.acp', 'Later'),
      );
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'Even ');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await waitFor(() => saved.all.some(({ name }) => name === 'later'), 'the new prompt');
    } finally {
      saved.dispose();
    }
  });

  it('follows a file that is moved', async () => {
    const from = await file('prompted/old name.ts', 'x\n');
    await openSession();
    const document = await newPrompt('Look at @<prompted/old name.ts>#L1 now');
    await waitFor(() => problems(document).length === 0, 'the file to be found');
    const edit = new vscode.WorkspaceEdit();
    const to = vscode.Uri.joinPath(from, '..', 'new.ts');
    prompts.created.push(to.fsPath);
    edit.renameFile(from, to);
    await waitFor(async () => {
      await vscode.workspace.applyEdit(edit);
      return document.getText().includes('new.ts');
    }, 'the mention to follow');
    assert.equal(document.getText(), 'Look at @prompted/new.ts#L1 now');
  });

  it('helps again after its server was killed, and sends without it', async () => {
    await openSession();
    const document = await newPrompt('/');
    await completionsAt(document, 1);
    const killed = serverPids();
    assert.equal(killed.length, 1);
    killed.forEach((pid) => process.kill(pid, 'SIGKILL'));
    const other = await vscode.workspace.openTextDocument(
      await file('prompted/x.prompt.acp', 'Go'),
    );
    await vscode.window.showTextDocument(other);
    prompts.dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[0] : undefined);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await waitFor(() => serverPids().some((pid) => !killed.includes(pid)), 'another server');
    assert.deepEqual(await completionsAt(document, 1), ['/review', '/web']);
  });

  it('offers the listed sessions before a prompt, and sends to the one that is named there', async () => {
    await prompts.bench.session('One');
    const uri = await file('named.prompt.acp', '---\nsession: on\n---\nGo on');
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const [one] = await waitFor(async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(1, 11),
      );
      const named = items.filter(({ documentation }) => documentation === 's1');
      return named.length > 0 && named;
    }, 'the session');
    assert.deepEqual(one?.label, { label: 'One', description: 'Agent' });
    const written = new vscode.Range(1, 9, 1, 11);
    await editor.edit((edit) => edit.replace(written, 's1'));
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    const session = prompts.bench.api.sessions.find('a', 's1');
    await waitFor(() => session?.turns.current.kind === 'idle', 'the turn to end');
  });
});

/** The ids of the language server processes that this window has started. */
function serverPids(): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes('promptServer.js'))
    .map((line) => Number.parseInt(line, 10));
}

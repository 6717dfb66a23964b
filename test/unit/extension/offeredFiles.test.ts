import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { agentRemoved } from '../../../src/model/failures/failures';
import type { Draft } from '../../../src/shared/transcript/prompt';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import { keepDraft, postDraft } from '../../../src/views/transcript/composer/drafts';
import { OfferedFiles } from '../../../src/views/transcript/composer/offeredFiles';
import { orphanSession } from '../../../src/views/transcript/tabs/orphan';
import { Dialogs } from '../../vscode/harness/dialogs';
import { ExtensionBench } from '../../vscode/harness/support';

describe('SEC-33: what a page may attach', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let offered: OfferedFiles;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    offered = new OfferedFiles();
  });
  afterEach(async () => {
    dialogs.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await bench.dispose();
  });

  const session = {
    ...orphanSession(
      {
        ...{ agentId: 'demo', sessionId: 's', cwd: '/project', additionalDirectories: [] },
        title: 'Session',
      },
      agentRemoved('demo'),
      () => Promise.resolve(),
    ),
    acts: { reach: { has: (file: string) => Promise.resolve(file.startsWith('/reached/')) } },
  };
  const foreign = 'file:///etc/passwd';

  async function allowed(...uris: readonly string[]): Promise<string[]> {
    return [...(await offered.allowed(uris, session))];
  }

  it('is nothing that its host didn’t offer, unless the user allows it', async () => {
    assert.deepEqual(await allowed(foreign), []);
    assert.equal(dialogs.asked.length, 1);
    assert.equal(dialogs.asked[0]?.detail, '/etc/passwd');
    dialogs.answer = () => 'Add';
    assert.deepEqual(await allowed(foreign), [foreign]);
    dialogs.answer = () => undefined;
    assert.deepEqual(await allowed(foreign), [foreign], 'once is enough');
  });

  it('is a file that was offered, reached, in the workspace or open in an editor', async () => {
    const [suggested, picked, drafted] = ['/x/1', '/x/2', '/x/3'].map((file) => `file://${file}`);
    const attachment = (uri: string) => ({ type: 'file', uri, name: 'x' }) as const;
    const file = { uri: suggested!, name: 'x', detail: '', isFolder: false };
    offered.note({ type: 'reply', id: 1, to: 'searchMentions', value: [file] });
    offered.note({ type: 'attach', attachments: [attachment(picked!)] });
    offered.note({ type: 'edit', draft: { text: '', attachments: [attachment(drafted!)] } });
    const open = bench.file('open.txt');
    await writeFile(open, 'x');
    await vscode.window.showTextDocument(vscode.Uri.file(open));
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const own = root === undefined ? [] : [pathToFileURL(path.join(root, 'a.txt')).href];
    const all = [
      suggested!,
      picked!,
      drafted!,
      'file:///reached/a',
      ...own,
      pathToFileURL(open).href,
    ];
    assert.deepEqual(await allowed(...all), all);
    assert.deepEqual(dialogs.asked, []);
  });

  it('is only a context that was offered', () => {
    const context = { type: 'context', source: 'session', about: 's1', name: 'Other' } as const;
    const suggestion = { source: 'session', about: 's1', mention: '@s', name: 'Other', detail: '' };
    assert.equal(offered.isOffered(context), false);
    offered.note({ type: 'reply', id: 1, to: 'searchMentions', value: [suggestion] });
    assert.equal(offered.isOffered(context), true);
    assert.equal(offered.isOffered({ ...context, about: 's2' }), false);
    const draft = { text: '', attachments: [{ ...context, about: 's2' }] };
    offered.note({ type: 'draft', draft, left: 0 });
    assert.equal(offered.isOffered({ ...context, about: 's2' }), true, 'kept from before');
  });

  it('is no context that the page itself has put into the draft that is kept', () => {
    const context = { type: 'context', source: 'session', about: 's1', name: 'Other' } as const;
    let kept: Draft = { text: '', attachments: [] };
    const work = {
      ...{ read: () => Promise.resolve(), isRead: true },
      getDraft: () => ({ draft: kept, left: 0 }),
      setDraft: (_: unknown, draft: Draft) => {
        kept = draft;
      },
    };
    const target = {
      ...{ session, offered, services: { work } },
      post: (message: ToWebview) => offered.note(message),
    };
    keepDraft(target, { type: 'draft', draft: { text: 'x', attachments: [context] } });
    postDraft(target);
    assert.equal(offered.isOffered(context), false);
    assert.deepEqual(kept, { text: 'x', attachments: [] });
  });

  it('is never a file of another machine, and a question shows what can’t be seen', async () => {
    assert.deepEqual(await allowed('file://server/share/a', 'file:////server/share/a'), []);
    assert.deepEqual(dialogs.asked, []);
    await allowed('file:///etc/a%0A%E2%80%AEb');
    const details = dialogs.asked.map(({ detail }) => detail);
    assert.deepEqual(details, ['/etc/a⟨U+000A⟩⟨U+202E⟩b']);
  });
});

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { ableInitialize, type Json, update as made, type Step } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

const modes = {
  currentModeId: 'plan',
  availableModes: [
    { id: 'plan', name: 'Plan' },
    { id: 'act', name: 'Act' },
  ],
};
const written = (content: string, more: object = {}): Json => ({
  sessionUpdate: 'plan_update',
  plan: { type: 'markdown', planId: 'plan-mode', content, ...more },
});

describe('the plan of an agent', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((made1, user) => {
    bench = made1;
    dialogs = user;
  });

  async function opened(plan: Json, later: readonly Step[] = []): Promise<TranscriptPanel> {
    await bench.setAgents({
      fake: fakeEntry('Fake', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first')],
        setup: { modes },
        replays: { s1: [{ updates: [made.user('Go'), plan] }], '*': [] },
        watch: [{ file: bench.file('go'), steps: later }],
        record: bench.file('log'),
      }),
    });
    await vscode.commands.executeCommand(
      'acpSessions.session.open',
      await bench.session('The first'),
    );
    const panel = await waitFor(() => bench.api.panels.find('fake', 's1'), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
    return panel;
  }

  const run = (act: 'open' | 'continue') =>
    vscode.commands.executeCommand(`acpSessions.plan.${act}`, {
      ...{ agentId: 'fake', sessionId: 's1', entry: 1 },
    });
  const shown = () => vscode.window.activeTextEditor?.document;

  it('PL-4: opens beside as Markdown, once, and follows what the agent changes', async () => {
    await opened(written('# First'), [{ sessionId: 's1', update: written('# Second') }]);
    await run('open');
    const document = await waitFor(() => shown(), 'the document');
    assert.equal(document.getText(), '# First');
    assert.match(document.uri.path, /Plan of The first\.md$/);
    await writeFile(bench.file('go'), '');
    await waitFor(
      () => bench.api.documents.provideTextDocumentContent(document.uri) === '# Second',
      'the change',
    );
    await run('open');
    assert.equal(shown()?.uri.toString(), document.uri.toString());
  });

  it('PL-4: opens the file that it is kept in, if that is in a folder of the session', async () => {
    const file = path.join(workspaceFolder(), 'PLAN.md');
    await writeFile(file, '# In the file');
    try {
      await opened(written('# In the file', { path: file }));
      await run('open');
      await waitFor(() => shown()?.uri.fsPath === file, 'the file');
    } finally {
      await rm(file);
    }
  });

  it('PL-4: a file that is elsewhere isn’t touched, nor is one that isn’t there', async () => {
    for (const elsewhere of ['/etc/passwd', path.join(bench.file('none'), 'PLAN.md'), 'PLAN.md']) {
      await opened(written('# Kept', { path: elsewhere }));
      await run('open');
      await waitFor(() => shown()?.getText() === '# Kept', elsewhere);
      assert.deepEqual(dialogs.asked, []);
      await bench.api.sessions.find('fake', 's1')?.close();
    }
  });

  it('PL-4: continues in another mode of the session, with the plan in the composer', async () => {
    const panel = await opened(written('# Plan'));
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'Act' : undefined);
    await run('continue');
    await waitFor(() => panel.session.facts.modes?.currentModeId === 'act', 'the mode');
    const sent = await bench.received('log');
    assert.ok(!sent.some(({ method }) => method === 'session/prompt'), 'the user sends it');
  });

  it('PL-4: continues in a new session, with the plan in its draft', async () => {
    await opened(written('# Plan'));
    dialogs.answer = ({ kind }) => (kind === 'pick' ? 'Fake' : undefined);
    await run('continue');
    const page = await waitFor(
      () => bench.api.panels.active?.session.first && bench.api.panels.active.session,
      'the page of a new session',
    );
    const { draft } = bench.api.work.getDraft('fake', page.info.sessionId);
    assert.equal(draft.text, 'Carry out this plan.');
    const [attachment] = draft.attachments;
    assert.equal(attachment?.type === 'text' && attachment.text, '# Plan');
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ableInitialize } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  extension,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

const chunk = (text: string) => ({
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});

describe('links to sessions', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench(async (...made) => {
    [bench, dialogs] = made;
    await bench.setAgents({
      a: fakeEntry('A', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'One')],
        record: bench.file('log'),
        on: { 'session/load': [chunk('Hello'), { result: {} }] },
      }),
    });
  });

  const follow = (link: string): Promise<void> =>
    bench.api.links.handleUri(vscode.Uri.parse(link, true));
  const linkTo = (query: string): string => `vscode://${extension().id}/session?${query}`;

  it('are copied from a row, and open after a question', async () => {
    bench.nodes();
    await vscode.commands.executeCommand(
      'acpSessions.session.copyLink',
      await bench.session('One'),
    );
    const link = await vscode.env.clipboard.readText();
    const { scheme, authority, path, query } = vscode.Uri.parse(link);
    assert.equal(scheme, vscode.env.uriScheme);
    assert.equal(`${authority}${path}`, `${extension().id}/session`);
    assert.match(query, /^agent=a&session=s1&cwd=/);
    await follow(link);
    assert.deepEqual(transcriptTabs(), [], 'nobody agreed');
    const [asked] = dialogs.asked;
    assert.equal(asked?.text, 'Open a session of A from a link?');
    assert.ok(asked.detail?.includes(`Folder: ${workspaceFolder()}\nSession: s1\n`));
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Open');
    await follow(link);
    await waitFor(() => transcriptTabs().join() === 'One', 'its tab');
  });

  it('to an entry are copied from the tab, and show it', async () => {
    bench.nodes();
    await vscode.commands.executeCommand('acpSessions.session.open', await bench.session('One'));
    await waitFor(() => bench.api.sessions.find('a', 's1')?.phase.kind === 'ready', 'the session');
    await waitFor(() => bench.api.panels.active, 'its tab to have the focus');
    await vscode.commands.executeCommand('acpSessions.transcript.copyEntryLink', { entry: 0 });
    const link = await vscode.env.clipboard.readText();
    assert.match(link, /&entry=0$/);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Open');
    await follow(link);
    assert.deepEqual(transcriptTabs(), ['One']);
  });

  it('SEC-64: ask once, however many come at the same time', async () => {
    const link = linkTo(`agent=a&session=s1&cwd=${workspaceFolder()}`);
    await Promise.all(Array.from({ length: 200 }, () => follow(link)));
    assert.equal(dialogs.asked.length, 1);
    await follow(link);
    assert.equal(dialogs.asked.length, 2, 'the next one is asked about again');
  });

  it('start nothing before the user has agreed', async () => {
    await bench.setAgents({});
    await bench.setAgents({ a: fakeEntry('A', { record: bench.file('other') }) });
    await follow(linkTo(`agent=a&session=s1&cwd=${workspaceFolder()}`));
    assert.equal(dialogs.asked.length, 1);
    assert.equal(bench.api.agents.get('a')?.state.kind, 'stopped');
    assert.deepEqual(await bench.received('other'), []);
  });

  describe('to the page of a new one', () => {
    const linkToNew = (query: string): string => `vscode://${extension().id}/new?${query}`;

    it('SEC-300: show it after a question, with the prompt, and send nothing', async () => {
      const query = `agent=a&folder=${workspaceFolder()}&prompt=Fix%20the%20nest`;
      await follow(linkToNew(query));
      assert.deepEqual(transcriptTabs(), [], 'nobody agreed');
      assert.equal(bench.api.agents.get('a')?.state.kind, 'stopped');
      assert.match(dialogs.asked[0]?.detail ?? '', /Prompt: Fix the nest\n.*Nothing is sent/);
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Open');
      await follow(linkToNew(query));
      const page = await waitFor(() => bench.api.panels.active?.session, 'the page');
      assert.ok(page.first);
      assert.equal(bench.api.work.getDraft('a', page.info.sessionId).draft.text, 'Fix the nest');
      await waitFor(() => page.phase.kind === 'ready', 'its options');
      assert.ok((await bench.received('log')).every(({ method }) => method !== 'session/prompt'));
    });

    it('SEC-300: are refused with an unknown agent, another folder, or what nobody can see', async () => {
      for (const [query, why] of [
        ['agent=x', /No agent “x”/],
        ['agent=a&folder=/somewhere/else', /belongs to \/somewhere\/else/],
        ['agent=a&prompt=Hi%E2%80%AE', /prompt is empty, too long, or contains invisible/],
        ['agent=a&prompt=Hi%F3%A0%81%81', /prompt is empty, too long, or contains invisible/],
        [`agent=a&prompt=${'x'.repeat(8_001)}`, /prompt is empty, too long/],
        ['agent=a&send=1', /unknown parameters/],
      ] as const) {
        await follow(linkToNew(query));
        assert.match(dialogs.texts('warning').at(-1) ?? '', why);
      }
      assert.deepEqual(dialogs.texts('information'), []);
      assert.deepEqual(transcriptTabs(), []);
    });
  });

  const nonsense: readonly (readonly [string, () => string, RegExp])[] = [
    ['without a session', () => `agent=a&cwd=${workspaceFolder()}`, /must name an agent/],
    [
      'to an unknown agent',
      () => `agent=$(x)&session=s1&cwd=${workspaceFolder()}`,
      /No agent “\$\(x\)” is set up here\. Set it up/,
    ],
    [
      'to another folder',
      () => 'agent=a&session=s1&cwd=/somewhere/else',
      /belongs to \/somewhere\/else\. Open that folder/,
    ],
    ['to a relative folder', () => 'agent=a&session=s1&cwd=..', /must be an absolute path/],
    [
      'with a command',
      () => `agent=a&session=s1&cwd=${workspaceFolder()}&run=x`,
      /unknown parameters/,
    ],
  ];
  for (const [what, query, why] of nonsense) {
    it(`${what} are refused with a reason, without a question`, async () => {
      await follow(linkTo(query()));
      assert.match(dialogs.texts('warning').join(), why);
      assert.deepEqual(dialogs.texts('information'), []);
      assert.deepEqual(transcriptTabs(), []);
    });
  }
});

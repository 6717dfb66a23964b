import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { newPageUri } from '../../../src/views/tabs/transcriptUri';
import type { PanelSession } from '../../../src/views/transcript/tabs/panelSession';
import { ableInitialize, type Json, type Scenario } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  allTranscriptTabs,
  type ExtensionBench,
  fakeEntry,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

const { agentCapabilities } = ableInitialize;
const { sessionCapabilities } = agentCapabilities;
const able = (...capabilities: readonly string[]) => ({
  agentCapabilities: {
    ...agentCapabilities,
    sessionCapabilities: {
      ...sessionCapabilities,
      ...Object.fromEntries(capabilities.map((capability) => [capability, {}])),
    },
  },
});

const select = (id: string, ...values: readonly string[]): Json => ({
  ...{ id, name: id, category: id, type: 'select', currentValue: values[0] ?? '' },
  options: values.map((value) => ({ value, name: value })),
});
const configOptions: readonly Json[] = [
  select('mode', 'ask', 'plan'),
  select('model', 'oak', 'fern'),
  { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
];

describe('the page of a new session', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((made, user) => {
    bench = made;
    dialogs = user;
  });

  const agent = (title: string, scenario: Scenario = {}) =>
    fakeEntry(title, {
      ...{ initialize: able('close', 'delete'), setup: { configOptions } },
      ...{ record: bench.file(title), ownIds: true },
      ...scenario,
    });
  const draft = (text: string) => ({ text, attachments: [] });

  async function newPage(): Promise<PanelSession> {
    await vscode.commands.executeCommand('acpSessions.session.new');
    const session = bench.api.panels.active?.session;
    assert.ok(session?.first, 'a page without a session');
    return session;
  }
  const ready = (page: PanelSession) => waitFor(() => page.phase.kind === 'ready', 'the options');
  const begun = () =>
    waitFor(() => {
      const session = bench.api.panels.active?.session;
      return session?.first === undefined && bench.api.sessions.all.find((one) => one === session);
    }, 'the session in its place');
  const values = ({ facts }: PanelSession) =>
    Object.fromEntries(facts.configOptions.map(({ id, value }) => [id, value]));
  const sent = async (file: string, method: string): Promise<readonly Json[]> =>
    (await bench.received(file)).flatMap((message) =>
      message.method === method && 'params' in message ? [message.params as Json] : [],
    );

  it('T-161: has the options of a session that nobody sees, and goes without a trace', async () => {
    await bench.setAgents({ a: agent('A') });
    bench.nodes();
    const page = await newPage();
    await ready(page);
    assert.deepEqual(values(page), { mode: 'ask', model: 'oak', web: false });
    await page.setConfigOption('model', 'fern');
    assert.deepEqual(bench.api.sessions.all, []);
    assert.ok(bench.nodes().every(({ kind }) => kind !== 'session'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await waitFor(async () => (await sent('A', 'session/delete')).length === 1, 'the end');
    assert.equal((await sent('A', 'session/close')).length, 1);
    assert.equal((await sent('A', 'session/new')).length, 1);
    // What was chosen is there the next time.
    const next = await newPage();
    await ready(next);
    assert.equal(values(next)['model'], 'fern');
  });

  it('T-161: the first prompt begins the session in its place, with a row, and what was written meanwhile', async () => {
    await bench.setAgents({ a: agent('A') });
    bench.nodes();
    const page = await newPage();
    page.turns.submit(draft('Fix the nest'));
    bench.api.work.setDraft({ agentId: 'a', ...page.info, title: '' }, draft('and then'));
    const session = await begun();
    await waitFor(async () => (await sent('A', 'session/prompt')).length === 1, 'the prompt');
    assert.equal(bench.api.work.getDraft('a', session.info.sessionId).draft.text, 'and then');
    assert.equal(allTranscriptTabs().length, 1);
    await waitFor(() => bench.nodes().some(({ kind }) => kind === 'session'), 'its row');
    assert.deepEqual(await sent('A', 'session/delete'), []);
    bench.api.work.setDraft({ agentId: 'a', ...session.info, title: '' }, draft(''));
  });

  it('T-140: an agent that tells its options early is asked for a session by the first prompt', async () => {
    await bench.setAgents({ told: agent('A', { initialize: able('options') }) });
    const page = await newPage();
    await ready(page);
    await page.setConfigOption('mode', 'plan');
    await page.setConfigOption('web', true);
    assert.deepEqual(await sent('A', 'session/new'), []);
    page.turns.submit(draft('Go'));
    const session = await begun();
    const [made] = await sent('A', 'session/new');
    assert.deepEqual((made as { configOptions?: Json }).configOptions, [
      { configId: 'mode', value: 'plan' },
      { configId: 'web', type: 'boolean', value: true },
    ]);
    assert.deepEqual(values(session), { mode: 'plan', model: 'oak', web: true });
  });

  it('SEC-344: presets the mode of the last session only if nothing is changed in it', async () => {
    const modes = [select('mode', 'ask', 'yolo', 'plan'), select('model', 'oak', 'fern')];
    const told = agent('A', { initialize: able('options'), setup: { configOptions: modes } });
    await bench.setAgents({ told });
    const next = async () => {
      const page = await newPage();
      await ready(page);
      return page;
    };
    const page = await next();
    await page.setConfigOption('model', 'fern');
    await page.setConfigOption('mode', 'plan');
    const careful = await next();
    assert.deepEqual(values(careful), { mode: 'plan', model: 'fern' });
    await careful.setConfigOption('mode', 'yolo');
    assert.equal(values(careful)['mode'], 'yolo');
    assert.deepEqual(values(await next()), { mode: 'ask', model: 'fern' });
  });

  it('changes to another agent, and leaves nothing at the first one', async () => {
    await bench.setAgents({ a: agent('A'), b: agent('B') });
    const page = await newPage();
    await ready(page);
    bench.api.work.setDraft({ agentId: 'a', ...page.info, title: '' }, draft('half a thought'));
    const { first } = page;
    assert.ok(first);
    assert.deepEqual(
      first.choices.agent.choices.map(({ name }) => name),
      ['A', 'B'],
    );
    await first.choose('agent', 'nobody');
    assert.equal(page.agent.id, 'a');
    await first.choose('agent', 'b');
    await waitFor(async () => (await sent('A', 'session/delete')).length === 1, 'the end at A');
    await ready(page);
    assert.equal(
      bench.api.work.getDraft('b', page.info.sessionId).draft.text,
      'half a thought',
      'what was written stays',
    );
    page.turns.submit(draft('Go'));
    const session = await begun();
    assert.deepEqual([session.agent.id, session.info.cwd], ['b', workspaceFolder()]);
    bench.api.work.setDraft({ agentId: 'b', ...session.info, title: '' }, draft(''));
    assert.equal((await newPage()).agent.id, 'b', 'the last one is preset');
  });

  it('ER-5: says what has failed, and gives the prompt back', async () => {
    const refused = { error: { code: -32603, message: 'No nest' } };
    const on = { 'session/new': [[refused], [refused], [{ result: { sessionId: 'n1' } }]] };
    await bench.setAgents({ a: agent('A', { on }) });
    const page = await newPage();
    await waitFor(() => page.phase.kind === 'failed', 'the failure');
    const returned: string[] = [];
    page.first?.onDidReturn(({ text }) => returned.push(text));
    page.turns.submit(draft('Go'));
    await waitFor(() => returned.length === 1, 'the prompt');
    assert.deepEqual(returned, ['Go']);
    assert.match(JSON.stringify(page.phase), /No nest/);
    assert.equal(page.turns.current.kind, 'idle');
    page.turns.submit(draft('Go'));
    await begun();
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('comes back by its URI; one that was never made leads nowhere', async () => {
    await bench.setAgents({ a: agent('A') });
    const page = await newPage();
    await ready(page);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const uri = newPageUri(page.info.sessionId, page.title);
    await vscode.commands.executeCommand('vscode.open', uri);
    const again = await waitFor(() => bench.api.panels.active?.session, 'the page');
    assert.deepEqual([again.info.sessionId, again.agent.id], [page.info.sessionId, 'a']);
    await ready(again);
    const other = newPageUri('00000000-0000-4000-8000-000000000000', 'x');
    await vscode.commands.executeCommand('vscode.open', other);
    const none = await waitFor(
      () => bench.api.panels.active?.session !== again && bench.api.panels.active?.session,
      'the other tab',
    );
    assert.equal(none.phase.kind, 'failed');
    assert.equal(none.first, undefined);
  });

  it('is no session to commands on sessions', async () => {
    await bench.setAgents({ a: agent('A') });
    await newPage();
    await vscode.commands.executeCommand('acpSessions.session.copyLink');
    assert.deepEqual(dialogs.texts('information'), [
      'Open a session first, or choose one in the view.',
    ]);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { ExtensionBench, fakeEntry, update, waitFor } from '../../vscode/harness/support';

describe('settings', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('have the built-in agent, which exists and is started with plain Node', async () => {
    await update('agents', undefined);
    const agent = await waitFor(() => bench.api.agents.get('demo'), 'the demo agent');
    const { command, args, env } = agent.config;
    assert.equal(command, process.execPath);
    assert.ok(existsSync(args[0] ?? ''), 'its program is there');
    assert.equal(args[1], '--store');
    assert.equal(env['ELECTRON_RUN_AS_NODE'], '1');
  });

  it('keep the built-in agent beside the user’s own, unless it is removed', async () => {
    await update('agents', { mine: { command: 'mine' } });
    await waitFor(() => bench.api.agents.get('mine'), 'the new agent');
    assert.deepEqual(bench.api.agents.all.map(({ id }) => id).sort(), ['demo', 'mine']);
    await update('agents', { mine: { command: 'mine' }, demo: null });
    await waitFor(() => bench.api.agents.get('demo') === undefined, 'the demo agent to go');
  });

  it('keep the running agent when another entry changes, and end one that changes itself', async () => {
    await bench.setAgents({ a: fakeEntry('A', {}), b: { command: 'b' } });
    const agent = bench.api.agents.get('a');
    assert.ok(agent);
    await agent.connect();
    await bench.setAgents({ a: fakeEntry('A', {}), b: { command: 'c' } });
    assert.equal(bench.api.agents.get('a'), agent);
    assert.equal(agent.state.kind, 'ready');
    await bench.setAgents({ a: fakeEntry('A', { pageSize: 3 }) });
    assert.notEqual(bench.api.agents.get('a'), agent);
    await waitFor(() => agent.state.kind === 'stopped', 'the old process to end');
  });

  it('connect an agent again with another version of the protocol, by its entry or by the setting', async () => {
    const entry = fakeEntry('A', {});
    await bench.setAgents({ a: entry, b: { ...(fakeEntry('B', {}) as object), protocol: '1' } });
    const [a, b] = [bench.api.agents.get('a'), bench.api.agents.get('b')];
    assert.ok(a && b);
    assert.deepEqual([a.config.protocol, b.config.protocol], ['1', '1']);
    await Promise.all([a.connect(), b.connect()]);
    await update('protocol', 'auto');
    await waitFor(() => bench.api.agents.get('a')?.config.protocol === 'auto', 'the setting');
    assert.notEqual(bench.api.agents.get('a'), a);
    await waitFor(() => a.state.kind === 'stopped', 'the process with the old version to end');
    assert.equal(bench.api.agents.get('b'), b, 'the entry wins over the setting');
    await bench.setAgents({ a: { ...(entry as object), protocol: '2' }, b: fakeEntry('B', {}) });
    assert.equal(bench.api.agents.get('a')?.config.protocol, '2');
    assert.equal(bench.api.agents.get('b')?.config.protocol, 'auto');
    await waitFor(() => b.state.kind === 'stopped', 'the other process to end');
    await update('protocol', undefined);
  });

  it('name a bad entry in the view, and the others still work', async () => {
    await bench.setAgents({ bad: { comand: 'x' }, good: fakeEntry('Good', {}) });
    await waitFor(
      () => bench.labels().some((label) => label.startsWith('bad: Unknown property "comand"')),
      'the line for the bad entry',
    );
    await bench.message('empty');
  });

  it('get a new agent beside the user’s entries', async () => {
    await bench.setAgents({ mine: { command: 'mine' } });
    await bench.api.settings.addAgent('new', { title: 'New', command: 'npx', args: ['--yes'] });
    await waitFor(() => bench.api.agents.get('new'), 'the new agent');
    assert.deepEqual(bench.api.agents.all.map(({ id }) => id).sort(), ['mine', 'new']);
    assert.deepEqual(Object.keys(bench.api.settings.userAgents).sort(), ['demo', 'mine', 'new']);
  });

  it('follow the grouping that is chosen in the view', async () => {
    const group = (): unknown =>
      vscode.workspace.getConfiguration('acpSessions').get('sessions.groupByDate');
    assert.equal(group(), true);
    await bench.api.choices.setGrouping('none');
    assert.equal(group(), false);
    await bench.api.choices.setGrouping('date');
    assert.equal(group(), true);
  });
});

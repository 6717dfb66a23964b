import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ableInitialize, type Json, type Scenario } from '../../fakeAgent/scenario';
import type { Asked, Dialogs } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, waitFor } from '../../vscode/harness/support';
import { useBench } from './useBench';

const { agentCapabilities } = ableInitialize;
const { sessionCapabilities } = agentCapabilities;
const initialize = {
  agentCapabilities: {
    ...agentCapabilities,
    sessionCapabilities: { ...sessionCapabilities, options: {} },
  },
};

const select = (id: string, name: string, ...values: readonly string[]): Json => ({
  ...{ id, name, category: id, type: 'select', currentValue: values[0] ?? '' },
  options: values.map((value) => ({ value, name: value, description: `$(trash) ${value}` })),
});
const configOptions: readonly Json[] = [
  select('mode', 'Mode $(trash)', 'ask', 'plan'),
  select('model', 'Model', 'oak', 'fern'),
  select('one', 'One', 'only'),
  { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
  { id: 'temperature', name: 'Temperature', type: 'number', currentValue: 7 },
];

describe('the step of New Session for options before there is a session', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((made, user) => {
    bench = made;
    dialogs = user;
  });

  const agent = (title: string, scenario: Scenario = {}) =>
    fakeEntry(title, {
      ...{ initialize, setup: { configOptions }, record: bench.file(title) },
      ...scenario,
    });
  const begin = () => vscode.commands.executeCommand('acpSessions.session.new');
  /** Presses Enter at once, or first chooses these rows. */
  const choosing = (...rows: readonly string[]) => {
    const left = [...rows, 'Begin Session'];
    dialogs.answer = ({ kind }) => (kind === 'pick' ? left.shift() : undefined);
  };
  const picks = (): readonly Asked[] => dialogs.asked.filter(({ kind }) => kind === 'pick');
  const sent = async (file: string, method: string): Promise<readonly Json[]> =>
    (await bench.received(file)).flatMap((message) =>
      message.method === method && 'params' in message ? [message.params as Json] : [],
    );
  const values = (id = 'fake', sessionId = 'new-1') =>
    Object.fromEntries(
      bench.api.sessions.find(id, sessionId)?.facts.configOptions.map((o) => [o.id, o.value]) ?? [],
    );

  it('T-140: Enter begins with what the agent says, and an agent’s words are no icons', async () => {
    await bench.setAgents({ fake: agent('Fake') });
    choosing();
    await begin();
    const [step] = picks();
    assert.ok(step);
    assert.deepEqual(step.choices, ['Begin Session', 'Mode $\u200b(trash)', 'Model', 'Web']);
    assert.deepEqual(step.descriptions?.slice(1), ['ask', 'oak', 'Off']);
    assert.equal(picks().length, 1);
    const [asked] = await sent('Fake', 'session/options');
    assert.deepEqual(Object.keys(asked as object), ['cwd']);
    const [made] = await sent('Fake', 'session/new');
    assert.equal((made as { configOptions?: Json }).configOptions, undefined);
    assert.deepEqual(await sent('Fake', 'session/set_config_option'), []);
    assert.equal(bench.api.sessions.find('fake', 'new-1')?.facts.unknownOptions.length, 1);
  });

  it('T-140: what is chosen goes with the request, and is there the next time', async () => {
    await bench.setAgents({ fake: agent('Fake') });
    choosing('Model', 'fern', 'Web', 'Mode $\u200b(trash)', 'plan');
    await begin();
    const [made] = await sent('Fake', 'session/new');
    assert.deepEqual((made as { configOptions?: Json }).configOptions, [
      { configId: 'mode', value: 'plan' },
      { configId: 'model', value: 'fern' },
      { configId: 'web', type: 'boolean', value: true },
    ]);
    assert.deepEqual(values(), { mode: 'plan', model: 'fern', one: 'only', web: true });
    assert.deepEqual(await sent('Fake', 'session/set_config_option'), []);
    // It isn't asked again what was chosen for a session that its agent loses.
    const session = bench.api.sessions.find('fake', 'new-1');
    assert.deepEqual(session?.unprompted, { mode: 'plan', model: 'fern', web: true });
    choosing('Web');
    await begin();
    assert.deepEqual(picks().at(-2)?.descriptions?.slice(1), ['plan', 'fern', 'On']);
    assert.equal((await sent('Fake', 'session/new')).length, 2);
  });

  it('T-140: what the agent doesn’t take with the request is set afterwards', async () => {
    const few = [select('model', 'Model', 'oak', 'fern')];
    const on = {
      'session/new': [{ result: { sessionId: 'new-1', configOptions: few } }],
      'session/set_config_option': [{ result: { configOptions: few } }],
    };
    await bench.setAgents({ loses: agent('Fake', { on }) });
    choosing('Model', 'fern', 'Web');
    await begin();
    assert.deepEqual(
      (await sent('Fake', 'session/set_config_option')).map(
        (params) => (params as { configId?: Json }).configId,
      ),
      ['model'],
    );
  });

  it('T-140: the user’s defaults for the agent are preset', async () => {
    const entry = { ...(agent('Fake') as object), defaults: { model: 'fern', nothing: 'x' } };
    await bench.setAgents({ own: entry });
    choosing();
    await begin();
    assert.deepEqual(picks()[0]?.descriptions?.slice(1), ['ask', 'fern', 'Off']);
    assert.deepEqual(values('own'), { mode: 'ask', model: 'fern', one: 'only', web: false });
    choosing('Model', 'oak');
    await begin();
    assert.equal(values('own', 'new-2')['model'], 'oak');
  });

  it('T-140: Escape begins no session; in the list of one option, it leads back', async () => {
    await bench.setAgents({ escaped: agent('Fake') });
    await begin();
    assert.equal(picks().length, 1);
    assert.deepEqual(await sent('Fake', 'session/new'), []);
    assert.deepEqual(dialogs.texts('error'), []);
    const rows = ['Model', undefined, 'Begin Session'];
    dialogs.answer = () => rows.shift();
    await begin();
    assert.equal(values('escaped')['model'], 'oak');
  });

  it('T-140: there is none for agents that don’t tell, have nothing to choose from, or refuse', async () => {
    const refused = (code: number) => ({
      on: { 'session/options': [{ error: { code, message: 'No' } }] },
    });
    await bench.setAgents({
      none: agent('None', { initialize: ableInitialize }),
      few: agent('Few', { setup: { configOptions: configOptions.slice(2, 3) } }),
      modes: agent('Modes', { setup: {} }),
      missing: agent('Missing', refused(-32601)),
      broken: agent('Broken', refused(-32603)),
    });
    for (const title of ['None', 'Few', 'Modes', 'Missing', 'Broken']) {
      const before = picks().length;
      dialogs.answer = () => title;
      await begin();
      assert.deepEqual(
        picks()
          .slice(before)
          .map(({ choices }) => choices.length),
        [5],
        `${title}: only the agent is asked for`,
      );
      assert.ok(bench.api.sessions.find(title.toLowerCase(), 'new-1'), title);
    }
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('T-140: an agent that refuses later begins with what was chosen last', async () => {
    const on = {
      'session/options': [
        [{ result: { configOptions } }],
        [{ error: { code: -32603, message: 'No' } }],
      ],
    };
    await bench.setAgents({ fake: agent('Fake', { on }) });
    choosing('Mode $\u200b(trash)', 'plan');
    await begin();
    await begin();
    assert.equal(values('fake', 'new-2')['mode'], 'plan');
  });

  it('T-140: modes without an option for them are set once the session is there', async () => {
    const availableModes = ['ask', 'plan'].map((id) => ({ id, name: id }));
    const setup = { modes: { currentModeId: 'ask', availableModes } };
    await bench.setAgents({ fake: agent('Fake', { setup }) });
    choosing('Mode', 'plan');
    await begin();
    assert.deepEqual(await sent('Fake', 'session/set_mode'), [
      { sessionId: 'new-1', modeId: 'plan' },
    ]);
    const [made] = await sent('Fake', 'session/new');
    assert.equal((made as { configOptions?: Json }).configOptions, undefined);
  });

  it('T-140: two agents that answer at once are asked about one after the other', async () => {
    const late = [{ waitForFile: bench.file('go') }, { result: { configOptions } }];
    const on = { 'session/options': late };
    await bench.setAgents({ a: agent('A', { on }), b: agent('B', { on }) });
    const chosen = ['A', 'B'];
    dialogs.answer = () => chosen.shift();
    const both = [begin(), begin()];
    for (const title of ['A', 'B']) {
      await waitFor(async () => (await sent(title, 'session/options')).length === 1, title);
    }
    let shown = 0;
    let most = 0;
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, {
      showQuickPick: async (rows: readonly vscode.QuickPickItem[]) => {
        most = Math.max(most, ++shown);
        await new Promise((done) => setTimeout(done, 1));
        shown--;
        return rows[0];
      },
    });
    await writeFile(bench.file('go'), '');
    await Promise.all(both);
    Object.assign(vscode.window, { showQuickPick });
    assert.equal(most, 1);
    for (const id of ['a', 'b']) {
      assert.ok(bench.api.sessions.find(id, 'new-1'), id);
    }
  });
});

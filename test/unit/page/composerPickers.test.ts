import assert from 'node:assert/strict';
import type { ConfigOption } from '../../../src/shared/transcript/config';
import { option, options, prompt, running, until } from '../../ui/webview/harness/composing';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

describe('the pickers of the composer', () => {
  const open = useTranscripts();

  function picker(page: Page, name: string | RegExp): Locator {
    return page.locator('.pickers').getByRole('button', { name });
  }

  it('CF-2, CF-3, CF-5: stand in order, with values, groups and descriptions', async () => {
    const { page } = await open({ session: { configOptions: options } });
    await picker(page, 'Model').waitFor();
    assert.deepEqual(await page.locator('.picker-button').allInnerTexts(), [
      'Ask',
      'Opus 5',
      'Effort: High',
      'Web search',
    ]);
    await picker(page, 'Model').click();
    const group = page.getByRole('group', { name: 'Anthropic' });
    assert.equal(await group.getByRole('option').count(), 2);
    assert.equal(await option(page, /Opus/).getAttribute('aria-selected'), 'true');
    await page.getByText('On this machine').waitFor();
  });

  it('begin with agent and folder in a session that hasn’t begun, if there are several', async () => {
    const of = (value: string, ...names: readonly string[]) => ({
      value,
      choices: names.map((name) => ({ value: name.toLowerCase(), name })),
    });
    const first = { agent: of('gull', 'Gull', 'Heron'), folder: of('shop', 'Shop') };
    const { page, host } = await open({ session: { configOptions: options, first } });
    await picker(page, 'Agent: Gull').click();
    await option(page, /Heron/).click();
    await until(() => host.intentsOf('chooseFirst').length === 1, page);
    assert.deepEqual(await host.sent('chooseFirst'), [
      { type: 'chooseFirst', kind: 'agent', value: 'heron' },
    ]);
    assert.deepEqual((await page.locator('.picker-button').allInnerTexts()).slice(0, 2), [
      'Gull',
      'Ask',
    ]);
  });

  it('have the agents that get the first prompt, of which one has its options there', async () => {
    const one = (value: string) => ({ value, choices: [{ value, name: value }] });
    const agents = ['Gull', 'Heron'].map((name) => ({ key: name.toLowerCase(), name }));
    const facts = [{ key: 'branch', name: 'Branch', value: 'fix-it' }];
    const several = { agents, shown: 'heron' };
    const first = { agent: one('heron'), folder: one('shop'), several, canAdd: true, facts };
    const { page, host } = await open({ entries: [], session: { first } });
    await page.getByText('The prompt goes to Gull, Heron. Each works', { exact: false }).waitFor();
    assert.equal(await prompt(page).getAttribute('placeholder'), 'Message 2 agents, @ for context');
    const group = page.getByRole('group', { name: 'Agents that get the prompt' });
    const heron = group.getByRole('button', { name: 'Heron', exact: true });
    assert.equal(await heron.getAttribute('aria-pressed'), 'true');
    await group.getByRole('button', { name: 'Gull', exact: true }).click();
    await group.getByRole('button', { name: 'Don’t Ask Heron' }).click();
    await picker(page, 'Another Agent').click();
    await picker(page, 'Branch: fix-it').click();
    await until(() => host.intentsOf('chooseFirst').length === 4, page);
    const sent = (await host.sent('chooseFirst')) as { kind: string; value: string }[];
    assert.deepEqual(
      sent.map(({ kind, value }) => [kind, value]),
      [
        ['show', 'gull'],
        ['remove', 'heron'],
        ['add', ''],
        ['fact', 'branch'],
      ],
    );
  });

  it('are words only in a session that can only be read', async () => {
    const writable = { kind: 'no', reason: 'It can only be read.' } as const;
    const { page } = await open({ session: { configOptions: options, writable } });
    assert.equal(
      await page.locator('.composer-closed .composer-options').innerText(),
      'Mode: Ask · Model: Opus 5 · Effort: High · Web search: on',
    );
    assert.equal(await page.locator('.picker-button').count(), 0);
  });

  it('CF-3: say the name of an option once when its values repeat it, as those of pi do', async () => {
    const thinking: ConfigOption = {
      id: 'thought_level',
      name: 'Thinking',
      description: 'How long it thinks',
      category: 'thought_level',
      type: 'select',
      value: 'medium',
      groups: [{ choices: [{ value: 'medium', name: 'Thinking: medium' }] }],
    };
    const { page } = await open({ session: { configOptions: [thinking] } });
    const button = page.locator('.picker-button');
    assert.equal(await button.innerText(), 'Thinking: medium');
    assert.equal(await button.getAttribute('title'), 'Thinking: medium\nHow long it thinks');
    assert.equal(await button.getAttribute('aria-label'), 'Thinking: medium');
  });

  it('CF-3, CF-7: switch a boolean, and follow what the agent made of it', async () => {
    const { page, host } = await open({ session: { configOptions: options } });
    const toggle = page.getByRole('switch', { name: 'Web search' });
    assert.equal(await toggle.getAttribute('aria-checked'), 'true');
    await toggle.click();
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.deepEqual(await host.sent('setConfigOption'), [
      { type: 'setConfigOption', configId: 'search', value: false },
    ]);
    const off = { id: 'search', name: 'Web search', type: 'boolean', value: false } as const;
    host.setSession({ configOptions: [off] });
    await page.waitForFunction(
      () => document.querySelector('[role=switch]')?.getAttribute('aria-checked') === 'false',
    );
    assert.equal(await page.locator('.picker-button').count(), 1);
  });

  it('are used by keyboard alone', async () => {
    const { page, host } = await open({ session: { configOptions: options, turn: running } });
    await picker(page, 'Model').focus();
    await page.keyboard.press('ArrowDown');
    await option(page, /Opus/).waitFor();
    const active = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-activedescendant');
        return id && document.getElementById(id)?.textContent;
      });
    assert.match((await active()) ?? '', /^Opus/);
    await page.keyboard.press('ArrowDown');
    assert.match((await active()) ?? '', /^Haiku/);
    await page.keyboard.press('End');
    assert.match((await active()) ?? '', /^Qwen/);
    await page.keyboard.press('ArrowDown');
    assert.match((await active()) ?? '', /^Opus/);
    await page.keyboard.press('h');
    assert.match((await active()) ?? '', /^Haiku/);
    await page.keyboard.press('Escape');
    await option(page, /Opus/).waitFor({ state: 'detached' });
    assert.deepEqual(await host.sent('cancelTurn'), []);
    await page.keyboard.press('Enter');
    await option(page, /Opus/).waitFor();
    await page.keyboard.press('q');
    await page.keyboard.press('Enter');
    await option(page, /Opus/).waitFor({ state: 'detached' });
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.deepEqual(await host.sent('setConfigOption'), [
      { type: 'setConfigOption', configId: 'model', value: 'qwen' },
    ]);
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Model'),
    );
  });

  it('MO-1, MO-2: are the modes when there are no options, even a mode that is not in the list', async () => {
    const modes = [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code', description: 'Changes files' },
    ];
    const { page, host } = await open({ session: { modes: { currentModeId: 'ask', modes } } });
    await picker(page, 'Mode: Ask').click();
    await option(page, /Code/).click();
    await until(() => host.intentsOf('setMode').length === 1, page);
    assert.deepEqual(await host.sent('setMode'), [{ type: 'setMode', modeId: 'code' }]);
    host.setSession({ modes: { currentModeId: 'https://modes/own', modes } });
    await picker(page, 'Mode: https://modes/own').waitFor();
    host.setSession({ modes: { currentModeId: 'ask', modes: [] } });
    await picker(page, 'Mode').waitFor({ state: 'detached' });
  });

  it('MO-5: are the modes and the models of an agent that has no options of its own', async () => {
    const modes = [{ id: 'default', name: 'Default' }];
    const model: ConfigOption = {
      ...{ id: 'model', category: 'model', name: 'Model', type: 'select' },
      ...{ value: 'gemini-2.5-flash', groups: [{ choices: [{ value: 'auto', name: 'Auto' }] }] },
    };
    const { page, host } = await open({
      session: { modes: { currentModeId: 'default', modes }, configOptions: [model] },
    });
    await picker(page, 'Model').waitFor();
    assert.deepEqual(await page.locator('.picker-button').allInnerTexts(), [
      'Default',
      'gemini-2.5-flash',
    ]);
    await picker(page, 'Model').click();
    await option(page, /Auto/).click();
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.deepEqual(await host.sent('setConfigOption'), [
      { type: 'setConfigOption', configId: 'model', value: 'auto' },
    ]);
    host.setSession({ writable: { kind: 'no', reason: 'It can only be read.' } });
    await page.getByText('Mode: Default · Model: gemini-2.5-flash').waitFor();
  });

  it('T-84: a mode that fell back is said above the prompt, with what sets it again', async () => {
    const { page, host } = await open({
      session: { fallenMode: { from: { value: 'plan', name: 'Plan' }, now: 'Default' } },
    });
    await page.getByText('This session was in “Plan” and is now in “Default”').waitFor();
    await page.getByRole('button', { name: 'Set to Plan' }).click();
    await page.getByRole('button', { name: 'Continue in Default' }).click();
    await until(() => host.intentsOf('goOnInMode').length === 1, page);
    assert.deepEqual(await host.sent('setMode'), [{ type: 'setMode', modeId: 'plan' }]);
    const from = { option: 'sandbox', value: 'read-only', name: 'Read-only' };
    host.setSession({ fallenMode: { from, now: 'Auto' } });
    await page.getByRole('button', { name: 'Set to Read-only' }).click();
    await until(() => host.intentsOf('setConfigOption').length === 1, page);
    assert.deepEqual(await host.sent('setConfigOption'), [
      { type: 'setConfigOption', configId: 'sandbox', value: 'read-only' },
    ]);
  });

  it('CF-10: are absent if the agent has none, and prompts work', async () => {
    const { page, host } = await open();
    await prompt(page).fill('Hello');
    assert.equal(await page.locator('.picker-button').count(), 0);
    await prompt(page).press('Enter');
    await until(() => host.intentsOf('prompt').length === 1, page);
    assert.deepEqual(await host.sent('setConfigOption'), []);
  });
});

describe('the usage in the composer', () => {
  const open = useTranscripts();

  for (const usage of [{ used: 42, size: 100 }, undefined]) {
    it(`US-5: has the tokens of all turns, ${usage ? 'below the context' : 'if the agent tells nothing else'}`, async () => {
      const tokens = { total: 12_345, input: 12_000, output: 345 };
      const { page } = await open({ session: { ...(usage && { usage }), tokens } });
      const button = page.locator('.usage-button');
      assert.equal(await button.getByText('12.3K tokens').count(), usage ? 0 : 1);
      await button.click();
      const popup = page.locator('.usage-popup');
      await popup.getByText('All turns: 12.3K tokens').waitFor();
      await popup.getByText('Input: 12,000 · Output: 345').waitFor();
      assert.equal(await popup.getByText('42% of context').count(), usage ? 1 : 0);
    });
  }

  it('US-1, US-2, US-4: is a meter with the cost, and the last word counts', async () => {
    const { page, host } = await open({ session: { usage: { used: 42, size: 100 } } });
    const meter = page.getByRole('meter', { name: 'Context' });
    await meter.waitFor();
    assert.equal(await meter.getAttribute('aria-valuetext'), '42% of context');
    assert.equal(await page.locator('.usage-cost').count(), 0);
    host.setSession({
      usage: { used: 96, size: 100, cost: { amount: 3, currency: 'credits' } },
    });
    await page.getByText('3.00 credits').waitFor();
    assert.equal(await meter.getAttribute('aria-valuenow'), '96');
    assert.match((await meter.getAttribute('class')) ?? '', /usage-full/);
  });
});

import assert from 'node:assert/strict';
import type { Page } from '../page/harness/page';
import { scriptedAgent } from './harness/scriptedAgent';
import { send, useWhole } from './harness/whole';

describe('what only version 2 of the protocol can show, without VS Code', () => {
  const whole = useWhole(scriptedAgent('2'));
  let frame: Page;

  beforeEach(async () => {
    frame = await whole.current.newSession();
  });

  const said = (text: string) => frame.getByText(text, { exact: false }).first();

  it('V2-DIFF-1, V2-DIFF-2: files that were added, deleted, moved and copied', async () => {
    await send(frame, '/patch');
    await said('Those were five files.').waitFor();
    await frame.getByText('Tidy up the rates').first().click();
    await frame
      .getByText(/^Deleted/)
      .first()
      .waitFor();
    await frame
      .getByText(/^Moved/)
      .first()
      .waitFor();
  });

  it('V2-MSG-3, V2-MSG-4: a message is corrected in its place, another one goes', async () => {
    await send(frame, '/correct');
    await said('The code for the till').waitFor();
    await whole.current.goOn();
    await said('One message was corrected').waitFor();
    await said('The parcel costs 5.90').waitFor();
    const messages = frame.getByRole('article');
    assert.equal(await messages.filter({ hasText: '4.90' }).count(), 0);
    assert.equal(await messages.filter({ hasText: 'The code for the till' }).count(), 0);
  });

  it('V2-TURN-9, V2-TERM-3: work goes on after the turn, and the agent speaks up by itself', async () => {
    await send(frame, '/watch');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    const tasks = frame.getByRole('button', { name: '1 task is still running in the background' });
    await tasks.waitFor();
    await whole.current.goOn();
    await said('The tests have passed.').waitFor();
    await tasks.waitFor({ state: 'detached' });
    await whole.current.row(/^\/watch/);
  });

  it('V2-TURN-12, V2-TERM-7: what runs in the background is listed, and stopped alone', async () => {
    await send(frame, '/watch');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByRole('button', { name: '1 task is still running' }).click();
    const tasks = frame.getByRole('region', { name: 'Tasks in the Background' });
    await tasks.getByText('✓').waitFor();
    whole.current.dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Stop');
    await tasks.getByRole('button', { name: 'Stop npm test' }).click();
    await tasks.waitFor({ state: 'detached' });
    await frame.getByText('Ended by signal SIGTERM').first().waitFor();
    assert.deepEqual(
      whole.current.dialogs.asked.map(({ text }) => text),
      ['Stop “npm test”?'],
    );
  });

  it('TE-4, TE-7, TE-9: shows what a command of the agent’s own prints, which can’t be typed into', async () => {
    await send(frame, '/terminal');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await said('All of them passed.').waitFor();
    await frame.getByText('npm test').first().click();
    await said('test 2').waitFor();
    assert.equal(await frame.getByRole('button', { name: /Open in Terminal/ }).count(), 0);
  });

  it('V2-TOOL-3: what a search finds comes one by one', async () => {
    await send(frame, '/search');
    await frame.getByText('Search for "lineTotal"').first().click();
    await said('export function lineTotal').waitFor();
    await whole.current.goOn(0);
    await said('const total = lines.map').waitFor();
    await whole.current.goOn(1);
    await said('money(lineTotal(line))').waitFor();
    assert.equal(await frame.getByText('export function lineTotal').count(), 1);
    await whole.current.goOn(2);
    await said('Those were three lines.').waitFor();
  });

  it('V2-TOOL-5: a call that pauses, and one that the agent cancels', async () => {
    await send(frame, '/pause');
    await frame.getByText('Paused').first().waitFor();
    await whole.current.goOn();
    await said('I canceled the search.').waitFor();
  });

  it('V2-PLAN-1 to V2-PLAN-4: several plans, one of which is a text and one of which goes', async () => {
    await send(frame, '/plans');
    await said('Run all tests').waitFor();
    await whole.current.goOn();
    await said('One plan is done').waitFor();
    await said('A catalog for').waitFor();
  });

  it('V2-EXT-1, V2-PERM-4: shows that there was something that it doesn’t know', async () => {
    await send(frame, '/strange');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await said('A hologram, a scent and a sculpture').waitFor();
    await frame.getByRole('button', { name: 'an update of an unknown kind: hologram' }).click();
    await frame.getByText('"sessionUpdate": "hologram"', { exact: false }).first().waitFor();
    assert.equal(await frame.getByText('_demo/aside').count(), 0);
  });
});

import type { Page } from '../page/harness/page';
import { useDemoAgent } from './harness/demoAgent';
import { folded, send } from './harness/whole';

describe('subagents of the demo agent, without VS Code', () => {
  const whole = useDemoAgent();
  let frame: Page;

  beforeEach(async () => {
    frame = await whole.current.newSession();
  });

  it('SUB-1, SUB-7: work in view, ask with their name, fold when done, and unfold by keyboard', async () => {
    await send(frame, '/subagents');
    await frame
      .getByText('Check the tests (subagent of Demo Agent) wants to run a command')
      .waitFor();
    await folded(frame, 'Check the tests', 'Needs an answer', true).waitFor();
    const body = frame.locator('.subagent-body').filter({ hasText: 'Run the tests of the cart' });
    await body.getByText('npm test -- cart').waitFor();
    await whole.current.row(/Check the tests/);
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('Both are done').first().waitFor();
    await whole.current.noRow(/Check the tests/);
    const first = folded(frame, 'Find the callers', 'Done', false);
    await first.waitFor();
    await frame.getByText('already rounded').waitFor({ state: 'detached' });
    await first.press('Enter');
    await frame.getByText('already rounded').waitFor();
    await folded(frame, 'Check the tests', 'Done', false).click();
    await folded(frame, 'Read the oldest test', 'Done', false).click();
    await frame.getByText('that has two digits only').waitFor();
  });
});

import type { Page } from '../page/harness/page';
import { scriptedAgent } from './harness/scriptedAgent';
import { folded, send, useWhole } from './harness/whole';

/** Subagents other than the demo agent's, which these commands start. */
function describeSubagents(
  protocol: '1' | '2',
  { shapes, watcher }: { readonly shapes: readonly string[]; readonly watcher: string },
): void {
  describe(`subagents of a scripted agent over version ${protocol} of the protocol, without VS Code`, () => {
    const whole = useWhole(scriptedAgent(protocol));
    let frame: Page;

    beforeEach(async () => {
      frame = await whole.current.newSession();
    });

    for (const shape of shapes) {
      it(`SUB-3: those that are told of as ${shape} look the same`, async () => {
        await send(frame, `/${shape}`);
        await frame.getByText('Check the tests (subagent of').first().waitFor();
        await frame.getByRole('button', { name: 'Allow once' }).click();
        await frame.getByText('Both are done').first().waitFor();
        await folded(frame, 'Find the callers', 'Done', false).click();
        await frame.getByText('already rounded').waitFor();
      });
    }

    it('SUB-8: one goes on after the turn, with a row until it is done', async () => {
      await send(frame, `/${watcher}`);
      await whole.current.row(new RegExp(`^/${watcher}`));
      await whole.current.row(/Watch the build/);
      await whole.current.goOn();
      await folded(frame, 'Watch the build', 'Done', false).waitFor();
      await whole.current.noRow(/Watch the build/);
    });
  });
}

describeSubagents('1', { shapes: ['earlier', 'calls'], watcher: 'watch' });
describeSubagents('2', { shapes: [], watcher: 'build' });

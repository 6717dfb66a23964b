import type { FrameLocator, Page } from 'playwright-core';
import { send } from '../demoAgent/composing';
import { folded, unfoldSession } from '../demoAgent/subagents';
import { screenshot } from '../harness/screenshot';
import { closeAllEditors, newSession, transcriptFrame, treeRow } from '../harness/window';
import type { Workbench } from '../harness/workbench';

/** Subagents other than the demo agent's, which these commands start. */
export function describeScriptedSubagents(
  ui: Readonly<Workbench>,
  { shapes, watcher }: { readonly shapes: readonly string[]; readonly watcher: string },
): void {
  let page: Page;
  let frame: FrameLocator;

  beforeEach(async () => {
    page = ui.page;
    await newSession(page);
    frame = transcriptFrame(page);
  });

  afterEach(() => closeAllEditors(page));

  for (const shape of shapes) {
    it(`SUB-3: those that are told of as ${shape} look the same`, async () => {
      await send(frame, `/${shape}`);
      await frame.getByText('Check the tests (subagent of').first().waitFor();
      await frame.getByRole('button', { name: 'Allow once' }).click();
      await frame.getByText('Both are done').first().waitFor();
      await folded(frame, 'Find the callers', 'Done', false).click();
      await frame.getByText('already rounded').waitFor();
      await screenshot(page, `subagents-${shape}`);
    });
  }

  it('SUB-8: one goes on after the turn, with a row until it is done', async () => {
    await send(frame, `/${watcher}`);
    await unfoldSession(page, new RegExp(`^/${watcher}`));
    await treeRow(page, /Watch the build/).waitFor();
    await folded(frame, 'Watch the build', 'Done', false).waitFor();
    await treeRow(page, /Watch the build/).waitFor({ state: 'detached' });
  });
}

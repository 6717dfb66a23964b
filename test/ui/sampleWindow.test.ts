import { openerFolder } from '../../scripts/paths.mjs';
import { sampleWorkspace } from './harness/sample';
import { editorTab, transcriptFrame } from './harness/window';
import { useWorkbench } from './harness/workbench';

const newest = 'Cart total is off by a cent or two with discounts';

describe('the window of the sample project', () => {
  const ui = useWorkbench('sample-window', async (folder) => ({
    ...(await sampleWorkspace(folder, 'history')),
    extension: openerFolder,
  }));

  it('opens with the view and the newest session', async () => {
    await transcriptFrame(ui.page).getByRole('heading', { name: newest }).waitFor();
    await editorTab(ui.page, new RegExp(newest)).waitFor();
  });
});

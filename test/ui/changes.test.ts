import { describeInterrupted, type Recorded, recordChanges } from './changes/interrupted';
import { describeReview } from './changes/review';
import { sampleWorkspace } from './harness/sample';
import { useWorkbench } from './harness/workbench';

describe('what agents change, in a window of VS Code', () => {
  let recorded: Recorded;
  const ui = useWorkbench('changes', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: { 'files.autoSave': 'off', 'workbench.colorTheme': 'Default Dark Modern' },
    viewport: { width: 1440, height: 900 },
    beforeWindow: async (host) => {
      recorded = await recordChanges(host);
    },
  }));

  // First, because "Undo All" takes back what all sessions have changed.
  describe('taken back, which a crash interrupts', () => describeInterrupted(ui, () => recorded));
  describe('reviewed', () => describeReview(ui));
});

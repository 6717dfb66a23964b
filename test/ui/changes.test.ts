import { describeInterrupted, type Recorded, recordChanges } from './changes/interrupted';
import { describeReview } from './changes/review';
import { describeComments } from './changes/reviewComments';
import { describeLaterTurn } from './demoAgent/laterTurn';
import { describePrompts } from './demoAgent/prompts';
import { describeSubagents } from './demoAgent/subagents';
import { describeTurns } from './demoAgent/turns';
import { sampleWorkspace } from './harness/sample';
import { useAgents, useWorkbench } from './harness/workbench';

describe('what agents say and change, in a window of VS Code', () => {
  let recorded: Recorded;
  const ui = useWorkbench('changes', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: {
      'files.autoSave': 'off',
      'workbench.colorTheme': 'Default Dark Modern',
      // VS Code would replace an older value at its start, and the crash could leave that unsaved in an editor.
      'extensions.autoUpdate': 'off',
    },
    viewport: { width: 1440, height: 900 },
    beforeWindow: async (host) => {
      recorded = await recordChanges(host);
    },
  }));

  // First, because "Undo All" takes back what all sessions have changed.
  describe('taken back, which a crash interrupts', () => describeInterrupted(ui, () => recorded));
  describe('reviewed', () => describeReview(ui));
  describe('commented on', () => describeComments(ui));
  describe('asked for in editors', () => describePrompts(ui));
  describe('turns', () => describeTurns(ui));
  describe('subagents', () => describeSubagents(ui));

  describe('over version 2 of the protocol', () => {
    const demo = { title: 'Demo Agent', command: '${demoAgent}', protocol: 'auto' };
    useAgents(ui, () => ({ demo }));
    describe('a turn', () => describeLaterTurn(ui));
  });
});

import { describeGlance } from './demoAgent/glance';
import { describeLaterTurn } from './demoAgent/laterTurn';
import { describePrompts } from './demoAgent/prompts';
import { describeSubagents } from './demoAgent/subagents';
import { describeTurns } from './demoAgent/turns';
import { sampleWorkspace } from './harness/sample';
import { useAgents, useWorkbench } from './harness/workbench';

describe('conversations in a window of VS Code', () => {
  const ui = useWorkbench('conversations', async (folder) => ({
    ...(await sampleWorkspace(folder, 'none')),
    settings: { 'files.autoSave': 'off', 'workbench.colorTheme': 'Default Dark Modern' },
    viewport: { width: 1280, height: 1000 },
  }));

  describe('with the demo agent', () => {
    describe('sessions at a glance', () => describeGlance(ui));
    describe('prompts in editors', () => describePrompts(ui));
    describe('turns', () => describeTurns(ui));
    describe('subagents', () => describeSubagents(ui));
  });

  describe('over version 2 of the protocol', () => {
    describe('with the demo agent', () => {
      const demo = { title: 'Demo Agent', command: '${demoAgent}', protocol: 'auto' };
      useAgents(ui, () => ({ demo }));
      describe('a turn', () => describeLaterTurn(ui));
    });
  });
});

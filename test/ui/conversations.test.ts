import { describeGlance } from './demoAgent/glance';
import { describeLaterTurn } from './demoAgent/laterTurn';
import { describePrompts } from './demoAgent/prompts';
import { describeSubagents } from './demoAgent/subagents';
import { describeTurns } from './demoAgent/turns';
import { sampleWorkspace } from './harness/sample';
import { useAgents, useWorkbench } from './harness/workbench';
import { describeLaterVersion } from './scripted/laterVersion';
import { useScriptedAgent } from './scripted/scriptedAgent';
import { describeScriptedSubagents } from './scripted/subagents';
import { describeScriptedTurns } from './scripted/turns';

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

  describe('with a scripted agent', () => {
    useScriptedAgent(ui, '1');
    describe('turns', () => describeScriptedTurns(ui));
    describe('subagents', () =>
      describeScriptedSubagents(ui, { shapes: ['earlier', 'calls'], watcher: 'watch' }));
  });

  describe('over version 2 of the protocol', () => {
    describe('with a scripted agent', () => {
      useScriptedAgent(ui, '2');
      describe('what only this version can show', () => describeLaterVersion(ui));
      describe('subagents', () => describeScriptedSubagents(ui, { shapes: [], watcher: 'build' }));
    });

    describe('with the demo agent', () => {
      const demo = { title: 'Demo Agent', command: '${demoAgent}', protocol: 'auto' };
      useAgents(ui, () => ({ demo }));
      describe('a turn', () => describeLaterTurn(ui));
    });
  });
});

import { describeLaterVersion } from './scripted/laterVersion';
import { useScriptedWorkbench } from './scripted/scriptedWorkbench';
import { describeScriptedSubagents } from './scripted/subagents';
import { describeScriptedTurns } from './scripted/turns';

describe('with a scripted agent, in a window of VS Code', () => {
  const ui = useScriptedWorkbench('scripted', '1');

  describe('turns', () => describeScriptedTurns(ui));
  describe('subagents', () =>
    describeScriptedSubagents(ui, { shapes: ['earlier', 'calls'], watcher: 'watch' }));
});

describe('with a scripted agent over version 2 of the protocol, in a window of VS Code', () => {
  const ui = useScriptedWorkbench('scripted-2', '2');

  describe('what only this version can show', () => describeLaterVersion(ui));
  describe('subagents', () => describeScriptedSubagents(ui, { shapes: [], watcher: 'build' }));
});

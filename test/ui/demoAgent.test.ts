import { describeGlance } from './demoAgent/glance';
import { describePrompts } from './demoAgent/prompts';
import { useSampleWorkbench } from './demoAgent/sampleWorkbench';
import { describeSubagents } from './demoAgent/subagents';
import { describeTurns } from './demoAgent/turns';

describe('with the demo agent, in a window of VS Code', () => {
  const ui = useSampleWorkbench('demo-agent', '1');

  describe('sessions at a glance', () => describeGlance(ui));
  describe('prompts in editors', () => describePrompts(ui));
  describe('a conversation', () => describeTurns(ui));
  describe('subagents, in a dark theme', () => describeSubagents(ui, 'dark'));
  describe('subagents, in a light theme', () => describeSubagents(ui, 'light'));
});

describe('with the demo agent over version 2 of the protocol, in a window of VS Code', () => {
  const ui = useSampleWorkbench('demo-agent-2', 'auto');

  describe('a conversation', () => describeTurns(ui));
  describe('subagents', () => describeSubagents(ui, 'dark'));
});

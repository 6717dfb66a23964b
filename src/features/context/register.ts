import { feature } from '../feature';
import { askAboutTerminalSelection, askAgent } from './askAgent';
import { contextCommandIds as ids } from './commandIds';
import { openEditors, selection } from './editors';
import { fixWithAgent, offerFixes } from './fixWithAgent';
import { gitDiff } from './gitDiff';
import { problems } from './mentionedProblems';
import { otherSessions } from './otherSessions';
import { contextSettingKeys } from './settings';
import { workspaceSymbols } from './symbols';
import { TerminalCommands } from './terminalCommands';
import { terminalOutput } from './terminalOutput';

/** What VS Code knows and a prompt can mention. */
export const context = feature({ commandIds: ids, settingKeys: contextSettingKeys }, (core) => {
  const { promptContext } = core;
  const terminalCommands = core.lifetime.own(new TerminalCommands());
  promptContext.provide('problems', problems);
  promptContext.provide('diff', gitDiff);
  promptContext.provide('terminal', terminalOutput(terminalCommands));
  promptContext.provide('selection', selection(core.lastEditor));
  promptContext.provide('open', openEditors);
  promptContext.provide('symbol', workspaceSymbols());
  promptContext.provide('session', otherSessions(core.sessions));
  core.lifetime.own(offerFixes());
  const services = { ...core, terminalCommands };
  return {
    commands: {
      [ids.askAgent]: (...args) => askAgent(services, 'ask', ...args),
      [ids.explain]: (...args) => askAgent(services, 'explain', ...args),
      [ids.askTerminal]: () => askAboutTerminalSelection(core, 'ask'),
      [ids.explainTerminal]: () => askAboutTerminalSelection(core, 'explain'),
      [ids.fixWithAgent]: (uri, range, wish) => fixWithAgent(core, uri, range, wish),
    },
    parts: {},
  };
});

import { feature } from '../feature';
import { askAgent } from './askAgent';
import { contextCommandIds as ids } from './commandIds';
import { openEditors, selection } from './editors';
import { fixWithAgent, offerFixes } from './fixWithAgent';
import { gitDiff } from './gitDiff';
import { otherSessions } from './otherSessions';
import { problems } from './problems';

/** What VS Code knows and a prompt can mention. */
export const context = feature({ commandIds: ids }, (core) => {
  const { promptContext } = core;
  promptContext.provide('problems', problems);
  promptContext.provide('diff', gitDiff);
  promptContext.provide('selection', selection(core.lastEditor));
  promptContext.provide('open', openEditors);
  promptContext.provide('session', otherSessions(core.sessions));
  core.lifetime.own(offerFixes());
  return {
    commands: {
      [ids.askAgent]: () => askAgent(core),
      [ids.fixWithAgent]: (uri, range) => fixWithAgent(core, uri, range),
    },
    parts: {},
  };
});

import { agentOf } from '../../commands/agents/agents';
import { feature } from '../feature';
import { clearCachedTranscripts, clearRememberedLists } from './clearMemory';
import { cachedTranscriptsCommandIds as ids } from './commandIds';
import { forgetAgent } from './forgetAgent';

/** Shows sessions as they were last seen, until their agent has told them anew. */
export const cachedTranscripts = feature(ids, (core) => {
  const { listMemory, transcriptCache, tree } = core;
  return {
    commands: {
      [ids.clearRememberedLists]: () => clearRememberedLists(listMemory),
      [ids.clearCachedTranscripts]: () => clearCachedTranscripts(transcriptCache, listMemory),
      [ids.forgetAgent]: (argument) => forgetAgent(core, agentOf(tree, argument)),
    },
    parts: {},
  };
});

import path from 'node:path';
import { findAgent } from '../../commands/agents/pickAgent';
import { feature } from '../feature';
import { cachedTranscriptsCommandIds as ids } from './commandIds';
import { forgetAgent } from './forgetAgent';
import { ListMemory } from './model/listMemory';
import { TranscriptCache } from './model/transcriptCache';
import { storedLists, storedTranscripts } from './storedKinds';

/** Shows sessions as they were last seen, until their agent has told them anew. */
export const cachedTranscripts = feature({ commandIds: ids }, (core) => {
  const { context, knownTranscripts, lifetime, log, storedData, tree } = core;
  const folder = path.join(context.globalStorageUri.fsPath, 'transcripts');
  const transcriptCache = lifetime.own(
    new TranscriptCache({
      ...core,
      folder,
      place: context.storageUri?.fsPath ?? '',
      log: log.component('transcripts'),
    }),
  );
  lifetime.beforeEnd(() => transcriptCache.end());
  knownTranscripts.provide(transcriptCache);
  const listMemory = lifetime.own(
    new ListMemory({ ...core, transcriptCache, log: log.component('lists') }),
  );
  lifetime.beforeEnd(() => listMemory.end());
  storedData.provide(storedTranscripts(folder, transcriptCache, listMemory));
  storedData.provide(storedLists(listMemory));
  const services = { ...core, transcriptCache, listMemory };
  return {
    commands: {
      [ids.forgetAgent]: (argument) => forgetAgent(services, findAgent(tree, argument)),
    },
    parts: { transcriptCache, listMemory },
  };
});

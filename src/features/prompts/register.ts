import { getMemento } from '../../platform/storage/storedState';
import { feature } from '../feature';
import { promptsCommandIds as ids } from './commandIds';
import {
  choosePromptSession,
  chooseSession,
  editPrompt,
  removeFromPrompt,
  runPrompt,
  sendPrompt,
} from './promptCommands';
import { PromptLoader } from './promptLoader';
import { storedPromptSessions } from './storedPromptSessions';

/** Prompts that are written in editors. */
export const prompts = feature({ commandIds: ids }, (core) => {
  const { agents, context, fileSearch, log, panels, promptContext, sessions, tree } = core;
  const made = core.lifetime.own(
    new PromptLoader({
      agents,
      sessions,
      tree,
      panels,
      fileSearch,
      promptContext,
      extensionUri: context.extensionUri,
      state: getMemento(core.state, storedPromptSessions),
      log: log.component('prompts'),
      chooseSession: () => chooseSession(core),
    }),
  );
  core.prompts.provide(made);
  const services = { ...core, prompts: made };
  return {
    commands: {
      [ids.editPrompt]: () => editPrompt(services),
      [ids.sendPrompt]: () => sendPrompt(services),
      [ids.choosePromptSession]: () => choosePromptSession(services),
      [ids.runPrompt]: () => runPrompt(services),
      [ids.removeFromPrompt]: (uri, name) => removeFromPrompt(services, uri, name),
    },
    parts: { promptLoader: made },
  };
});

import { getMemento } from '../../platform/storage/storedState';
import { feature } from '../feature';
import { sharingCommandIds as ids } from './commandIds';
import { Sharing } from './sharing';
import { storedPorts } from './storedPorts';

/** Lets other programs on this machine, or on others, use an agent of this window. */
export const sharing = feature({ commandIds: ids }, (core) => {
  const { lifetime, state } = core;
  const sharedPorts = getMemento(state, storedPorts);
  const made = lifetime.own(new Sharing({ ...core, sharedPorts }));
  lifetime.beforeEnd(() => made.end());
  return {
    commands: {
      [ids.shareAgent]: (argument) => made.share(argument),
    },
    parts: {},
  };
});

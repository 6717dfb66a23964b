import { findAgent } from '../../commands/agents/pickAgent';
import { feature } from '../feature';
import { addAgent } from './addAgent';
import { registryCommandIds as ids } from './commandIds';
import { removeAgent } from './removeAgent';
import { registrySettingKeys } from './settings';
import { updateAgent } from './updateAgent';
import { useVersion } from './useVersion';

/** Adds, updates and removes agents of the ACP registry. */
export const registry = feature({ commandIds: ids, settingKeys: registrySettingKeys }, (core) => {
  const { tree } = core;
  const setup = { ...core, log: core.log.component('registry') };
  return {
    commands: {
      [ids.addAgent]: () => addAgent(setup),
      [ids.updateAgent]: (argument) => updateAgent(setup, findAgent(tree, argument)?.id),
      [ids.useVersion]: (argument) => useVersion(setup, findAgent(tree, argument)?.id),
      [ids.removeAgent]: (argument) => removeAgent(setup, findAgent(tree, argument)?.id),
    },
    parts: {},
  };
});

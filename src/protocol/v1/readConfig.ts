import type {
  Choice,
  ListedOption,
  SessionModels,
  SessionModes,
} from '../../shared/transcript/config';
import { asArray, isObject } from '../../util/json';
import { maxItems } from '../bounds';
import {
  getLabels,
  idIn,
  maxOptions,
  readConfigOptions as readOptions,
} from '../shapes/sessions/commonConfig';

const names = { option: 'id', group: 'group' } as const;

/** A complete list of config options; `undefined` if the value isn't a list. */
export function readConfigOptions(value: unknown): readonly ListedOption[] | undefined {
  return readOptions(value, names);
}

/** Session modes (MO-2), without those that lack an id; `undefined` without a current mode. */
export function readModes(value: unknown): SessionModes | undefined {
  const currentModeId = isObject(value) ? idIn(value, 'currentModeId') : undefined;
  if (!isObject(value) || currentModeId === undefined) {
    return undefined;
  }
  const modes = asArray(value['availableModes'])
    .slice(0, maxOptions)
    .map(readMode)
    .filter((mode) => mode !== undefined);
  return { currentModeId, modes };
}

function readMode(value: unknown): SessionModes['modes'][number] | undefined {
  const id = isObject(value) ? idIn(value, 'id') : undefined;
  return !isObject(value) || id === undefined ? undefined : { id, ...getLabels(value, id) };
}

/** Models (MO-5), without those that lack an id and repeated ones; `undefined` unless there is one to choose. */
export function readModels(value: unknown): SessionModels | undefined {
  const currentModelId = isObject(value) ? idIn(value, 'currentModelId') : undefined;
  if (!isObject(value) || currentModelId === undefined) {
    return undefined;
  }
  const models = new Map<string, Choice>();
  for (const item of asArray(value['availableModels']).slice(0, maxItems)) {
    const id = isObject(item) ? idIn(item, 'modelId') : undefined;
    if (isObject(item) && id !== undefined && !models.has(id)) {
      models.set(id, { value: id, ...getLabels(item, id) });
    }
  }
  return models.size === 0 ? undefined : { currentModelId, models: [...models.values()] };
}

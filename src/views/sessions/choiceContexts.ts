import { contextKeys } from '../../platform/ids';
import { keepContexts } from '../../platform/ui/contexts';
import type { Disposable } from '../../util/disposable';
import type { SessionChoices } from './nodes/sessionChoices';

/** Maintains the context keys that the view's menus read. */
export function setChoiceContexts(choices: SessionChoices): Disposable {
  return keepContexts(
    () => ({
      [contextKeys.filtered]: choices.isFiltered,
      [contextKeys.scope]: choices.scope,
    }),
    [choices.onDidChange],
  );
}

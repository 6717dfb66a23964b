import type { PermissionOption } from '../../shared/requests/questions';
import type { PermissionEntry } from '../../shared/transcript/entries';

/** What kind of answer a permission got; `undefined` when it waits or was cancelled. */
export function chosenKind({
  state,
  options,
}: PermissionEntry): PermissionOption['kind'] | undefined {
  const chosen = state.kind === 'selected' ? state.optionId : undefined;
  return options.find(({ optionId }) => optionId === chosen)?.kind;
}

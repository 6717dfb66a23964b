import type { PermissionOption } from '../../shared/requests/questions';
import type { PermissionEntry } from '../../shared/transcript/entries';

/** The kind of the chosen option; `undefined` when the request is waiting or was canceled. */
export function chosenKind({
  state,
  options,
}: PermissionEntry): PermissionOption['kind'] | undefined {
  const chosen = state.kind === 'selected' ? state.optionId : undefined;
  return options.find(({ optionId }) => optionId === chosen)?.kind;
}

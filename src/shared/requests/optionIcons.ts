import type { PermissionOption } from './agentQuestions';

/** The codicon of each kind of option, beside its name: the name is the agent's, the kind is what counts (PE-2, PE-9). */
export const optionIcons: Readonly<Record<PermissionOption['kind'], string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'circle-slash',
  reject_always: 'circle-slash',
  other: 'question',
};

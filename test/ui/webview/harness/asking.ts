import type { FormField } from '../../../../src/shared/requests/agentQuestions';
import type {
  ElicitationEntry,
  PermissionEntry,
  ToolCallEntry,
} from '../../../../src/shared/transcript/entries';
import { toolCall } from './entries';

export const fourOptions: PermissionEntry['options'] = [
  { optionId: 'always', name: 'Always allow npm', kind: 'allow_always' },
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'other', name: 'Ask me later', kind: 'other' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

export function permission(
  requestId: number,
  call: Partial<ToolCallEntry> = {},
  entry: Partial<PermissionEntry> = {},
): PermissionEntry {
  return {
    kind: 'permission',
    requestId,
    toolCall: toolCall({ title: `Call ${requestId}`, status: 'pending', ...call }),
    options: fourOptions,
    state: { kind: 'waiting' },
    ...entry,
  };
}

export function form(
  requestId: number,
  fields: readonly FormField[],
  entry: Partial<ElicitationEntry> = {},
): ElicitationEntry {
  return {
    kind: 'elicitation',
    requestId,
    message: 'How should the release be made?',
    ask: { mode: 'form', fields },
    state: { kind: 'waiting' },
    ...entry,
  };
}

export function page(
  requestId: number,
  url: string,
  entry: Partial<ElicitationEntry> = {},
): ElicitationEntry {
  return {
    kind: 'elicitation',
    requestId,
    message: 'Sign in to the shop to go on.',
    ask: { mode: 'url', url, elicitationId: `page-${requestId}` },
    state: { kind: 'waiting' },
    ...entry,
  };
}

const choice = (value: string): { readonly value: string; readonly title: string } => ({
  value,
  title: `The ${value}`,
});

/** One field of each type. */
export const allFields: readonly FormField[] = [
  {
    type: 'string',
    name: 'name',
    title: 'Name',
    description: 'As it is shown in the list of releases',
    required: true,
    initial: 'Spring',
  },
  { type: 'integer', name: 'count', title: 'Copies', required: false, initial: 3 },
  { type: 'number', name: 'price', title: 'Price', required: true },
  { type: 'boolean', name: 'draft', title: 'As a draft', required: false, initial: true },
  {
    type: 'select',
    name: 'channel',
    title: 'Channel',
    required: true,
    choices: ['stable', 'beta'].map(choice),
    initial: 'beta',
  },
  {
    type: 'select',
    name: 'day',
    title: 'Day',
    required: false,
    choices: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(choice),
  },
  {
    type: 'multiselect',
    name: 'targets',
    title: 'Targets',
    required: false,
    choices: ['linux', 'mac', 'windows'].map(choice),
    initial: ['linux'],
  },
  { type: 'string', name: 'api_token', title: 'Token', required: false },
  { type: 'unknown', name: 'color', title: 'Colour', required: false },
];

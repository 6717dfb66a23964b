import type { PermissionEntry, ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { permission } from '../asking';

const file = '/project/shop/src/cart.ts';
export const edit: Partial<ToolCallEntry> = {
  toolCallId: 'edit-1',
  title: 'Edit src/cart.ts',
  toolKind: 'edit',
  status: 'pending',
  locations: [{ path: file }],
  rawInput: { file_path: file, old_string: 'a', new_string: 'b' },
  content: [
    {
      type: 'diff',
      path: file,
      oldText: 'const rate = 0.19;\nconst sum = total(items);\n',
      newText: 'const rate = taxRate();\nconst sum = total(items);\n',
    },
  ],
};
export const run: Partial<ToolCallEntry> = {
  toolCallId: 'run-1',
  title: '`npm test -- --grep cart`',
  toolKind: 'execute',
  status: 'pending',
  rawInput: { command: 'npm test -- --grep cart', description: 'Run the tests' },
};
export const chosen = { kind: 'selected', optionId: 'once', by: 'person' } as const;

/** A question about the tool call in row `call`. */
export function asked(
  requestId: number,
  call: number,
  about: Partial<ToolCallEntry>,
  entry: Partial<PermissionEntry> = {},
): PermissionEntry {
  return permission(requestId, about, { call, ...entry });
}

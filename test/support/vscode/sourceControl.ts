import type * as vscode from 'vscode';

/** Groups of changed files that nobody draws. */
export const scm = {
  createSourceControl: (id, label, rootUri) => {
    const control = {
      ...{ id, label, rootUri },
      inputBox: { value: '', placeholder: '', enabled: true, visible: true },
      createResourceGroup: (group: string, name: string): vscode.SourceControlResourceGroup => ({
        ...{ id: group, label: name, resourceStates: [] },
        dispose: () => undefined,
      }),
      dispose: () => undefined,
    };
    return control;
  },
} satisfies Partial<typeof vscode.scm>;

import * as vscode from 'vscode';

/**
 * Escapes a text for VS Code's messages, prompts and progress, which render `[text](command:…)` as
 * a link that runs the command when it is clicked
 * (https://github.com/microsoft/vscode/issues/46571). Texts from agents must stay plain text.
 */
export function plainMessage(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** Shows a message as VS Code's function does, but as plain text. */
export function showInformationMessage(
  message: string,
  ...rest: readonly (string | vscode.MessageOptions)[]
): Thenable<string | undefined> {
  return show(vscode.window.showInformationMessage, message, rest);
}

/** Shows a message as VS Code's function does, but as plain text. */
export function showWarningMessage(
  message: string,
  ...rest: readonly (string | vscode.MessageOptions)[]
): Thenable<string | undefined> {
  return show(vscode.window.showWarningMessage, message, rest);
}

/** Shows a message as VS Code's function does, but as plain text. */
export function showErrorMessage(
  message: string,
  ...rest: readonly (string | vscode.MessageOptions)[]
): Thenable<string | undefined> {
  return show(vscode.window.showErrorMessage, message, rest);
}

type Show = typeof vscode.window.showInformationMessage;

function show(
  by: Show,
  message: string,
  [first, ...items]: readonly (string | vscode.MessageOptions)[],
): Thenable<string | undefined> {
  const texts = items.filter((item) => typeof item === 'string');
  if (first === undefined || typeof first === 'string') {
    return by<string>(plainMessage(message), ...(first === undefined ? [] : [first, ...texts]));
  }
  return by<string>(plainMessage(message), first, ...texts);
}

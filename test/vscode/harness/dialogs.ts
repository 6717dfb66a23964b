import * as vscode from 'vscode';

/** A dialog or message that was shown to the user. */
export interface Asked {
  readonly kind: 'information' | 'warning' | 'error' | 'pick' | 'input';
  readonly text: string;
  /** Labels of buttons or items. */
  readonly choices: readonly string[];
  /** The descriptions next to the items' labels. */
  readonly descriptions?: readonly (string | undefined)[];
  readonly details?: readonly (string | undefined)[];
  readonly detail?: string;
  /** What is in a field at first. */
  readonly value?: string;
  /** The labels of items that are checked at first, of a pick of several. */
  readonly picked?: readonly string[];
}

/** Several items of a pick are given as one per line. */
type Answer = (asked: Asked) => string | undefined;

/** Stands in for the user: `answer` answers every dialog, and none is shown. */
export class Dialogs {
  readonly asked: Asked[] = [];
  answer: Answer = () => undefined;
  /** Whether a message without an answer stays until the end, as nobody has to close one. */
  messagesStay = false;
  readonly #restore: (() => void)[] = [];
  /** Closes each message that stays. */
  readonly #messages: (() => void)[] = [];

  constructor() {
    this.#message('showInformationMessage', 'information');
    this.#message('showWarningMessage', 'warning');
    this.#message('showErrorMessage', 'error');
    this.#replace('showQuickPick', async (items: unknown, options: unknown) => {
      const all = (await items) as readonly vscode.QuickPickItem[];
      const labels = all.map(({ label }) => label);
      const { title = '', canPickMany = false } = (options ?? {}) as vscode.QuickPickOptions;
      const descriptions = all.map(({ description }) => description);
      const details = all.map(({ detail }) => detail);
      const label = this.#ask({
        kind: 'pick',
        text: title,
        choices: labels,
        descriptions,
        details,
        ...(canPickMany && { picked: all.filter((item) => item.picked).map((item) => item.label) }),
      });
      if (canPickMany) {
        const chosen = label?.split('\n');
        return chosen && all.filter((item) => chosen.includes(item.label));
      }
      return all.find((item) => item.label === label);
    });
    this.#replace('showInputBox', (options: unknown) => {
      const { title = '', value = '' } = (options ?? {}) as vscode.InputBoxOptions;
      return Promise.resolve(this.#ask({ kind: 'input', text: title, choices: [], value }));
    });
  }

  texts(kind: Asked['kind']): string[] {
    return this.asked.filter((asked) => asked.kind === kind).map(({ text }) => text);
  }

  dispose(): void {
    for (const restore of this.#restore) {
      restore();
    }
    for (const close of this.#messages) {
      close();
    }
  }

  #message(
    name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
    kind: Asked['kind'],
  ): void {
    this.#replace(name, (text: unknown, ...rest: unknown[]) => {
      const [first] = rest;
      const options = typeof first === 'object' ? (first as vscode.MessageOptions) : undefined;
      const choices = rest.filter((item) => typeof item === 'string');
      const detail = options?.detail;
      const asked = { kind, text: String(text), choices, ...(detail !== undefined && { detail }) };
      const answer = this.#ask(asked);
      return this.messagesStay && answer === undefined && options?.modal !== true
        ? new Promise<undefined>((resolve) => this.#messages.push(() => resolve(undefined)))
        : Promise.resolve(answer);
    });
  }

  #ask(asked: Asked): string | undefined {
    this.asked.push(asked);
    return this.answer(asked);
  }

  #replace(name: keyof typeof vscode.window, replacement: (...args: never[]) => unknown): void {
    this.#restore.push(replaceMember(vscode.window, name, replacement));
  }
}

/** Replaces one of VS Code's functions; the returned function restores it. */
export function replaceMember<T extends object>(
  owner: T,
  name: keyof T,
  replacement: unknown,
): () => void {
  const before = owner[name];
  Object.defineProperty(owner, name, { value: replacement, configurable: true, writable: true });
  return () => {
    Object.defineProperty(owner, name, { value: before, configurable: true, writable: true });
  };
}

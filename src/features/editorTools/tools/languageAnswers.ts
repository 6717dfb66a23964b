import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showWarningMessage } from '../../../platform/ui/messages';
import { Patience } from '../model/patience';

/** How long a language's servers are expected to load, from the first question on. */
const loadingMs = 20_000;
const againMs = 700;
/** An empty answer of a server that may still be loading is believed only after so long. */
const emptyMs = 4000;
const settlingMs = 15_000;

/** When the first question about a language was asked. */
const firstAsked = new Map<string, number>();

export interface Settled<T> {
  readonly items: readonly T[];
  /** What to add to the answer if it may not be whole. */
  readonly doubt: string;
}

/** How long an answer may take: a server that has just been started reads the whole project first. */
const usualMs = 10_000;
const startMs = 35_000;
/** For so long from the first question on, servers may have just been started. */
const startingMs = 60_000;
let firstQuestion: number | undefined;

const patience = new Patience({
  ms: () => {
    firstQuestion ??= Date.now();
    return Date.now() - firstQuestion < startingMs ? startMs : usualMs;
  },
  tell: () =>
    void showWarningMessage(
      l10n.t(
        'A language server doesn’t answer the questions of agents about the code. Restarting it, or reloading the window, may help.',
      ),
    ),
});

/** Runs a command of VS Code, which nobody can cancel: it is given up after a time. */
export async function askOnce(command: string, ...args: readonly unknown[]): Promise<unknown> {
  return patience.waitFor(vscode.commands.executeCommand(command, ...args));
}

/** Asks what extensions know of a language. */
export async function ask<T>(command: string, ...args: readonly unknown[]): Promise<readonly T[]> {
  const answer = await askOnce(command, ...args);
  return Array.isArray(answer) ? (answer as readonly T[]) : [];
}

/** VS Code's own extension for TypeScript has this command. */
export const typeScriptCommand = 'typescript.tsserverRequest';

/**
 * While TypeScript loads a project, VS Code lets a second server answer that knows only the file itself. Problems are asked
 * of the one that loads, which answers once it has.
 */
async function whenLoaded({ languageId, uri }: vscode.TextDocument): Promise<void> {
  const commands = /^(?:java|type)script/.test(languageId)
    ? await vscode.commands.getCommands(true)
    : [];
  if (commands.includes(typeScriptCommand)) {
    await askOnce(typeScriptCommand, 'semanticDiagnosticsSync', { file: uri }).catch(
      () => undefined,
    );
  }
}

/**
 * Asks until the answer stays as it is. A server that is still loading finds nothing, or a part, and doesn't say so; once
 * it has loaded, one answer is enough.
 */
export async function askSettled<T>(
  document: vscode.TextDocument,
  signal: AbortSignal,
  question: () => Promise<readonly T[]>,
): Promise<Settled<T>> {
  const { languageId } = document;
  if (!firstAsked.has(languageId)) {
    await whenLoaded(document);
  }
  const began = Date.now();
  const first = firstAsked.get(languageId) ?? began;
  firstAsked.set(languageId, first);
  let items = await question();
  if (began - first > loadingMs) {
    return { items, doubt: '' };
  }
  while (Date.now() - began < settlingMs) {
    await pause(againMs, undefined, { signal });
    const again = await question();
    const isSame = again.length === items.length;
    items = again;
    if (isSame && (items.length > 0 || Date.now() - began > emptyMs)) {
      return { items, doubt: items.length > 0 ? '' : loadingDoubt };
    }
  }
  return { items, doubt: loadingDoubt };
}

const loadingDoubt = '\nThe language server may still be loading: ask again in a while.';

import * as l10n from '@vscode/l10n';
import './platform/l10n';
import * as vscode from 'vscode';
import { coreCommands } from './commands';
import { type Command, registerCommands } from './commands/run';
import { buildCore, type Core } from './core/core';
import { Lifetime } from './core/lifetime';
import type { FeatureParts } from './features';
import { innerCommandIds } from './platform/ids';
import { OutputLog } from './platform/ui/log';
import { showErrorMessage } from './platform/ui/messages';
import { tellOfMissingParts } from './platform/ui/missingParts';
import { getStack } from './util/getStack';
import { Lazy } from './util/lazy';
import { part } from './util/part';

const loadFeatures = part(() => import('./features'));

/** The end for `deactivate`, which gets no arguments: https://github.com/microsoft/vscode/issues/941 */
let ending: (() => Promise<void>) | undefined;

/** The API for tests that run in VS Code; nothing else gets it. */
export type TestApi = Core &
  FeatureParts & {
    /** What `activate()` itself takes, without what it waits for, in ms. */
    readonly activation: number;
  };

/**
 * Builds the core at once, and the features when the view's first rows are drawn, or when one of their commands is
 * called before that. VS Code lets commands, and texts that it restores, wait until this resolves; links and
 * tabs continue without them.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestApi | undefined> {
  const began = performance.now();
  const lifetime = new Lifetime(context.subscriptions);
  const outputLog = lifetime.own(new OutputLog());
  const log = outputLog.component('extension');
  ending = async () => {
    for (const failure of await lifetime.end()) {
      log.warn(getStack(failure));
    }
  };
  try {
    lifetime.own(tellOfMissingParts(context, outputLog));
    const features = new Lazy(async () => (await loadFeatures()).registerFeatures(core));
    const core = buildCore(context, outputLog, lifetime, () => features.get());
    const own = new Map<string, Command>(Object.entries(coreCommands(core)));
    lifetime.own(
      registerCommands({
        ids: getCommands(context),
        find: (id) => own.get(id) ?? features.get().then(({ commands }) => commands.get(id)),
        agents: core.agents,
        log: outputLog.component('commands'),
      }),
    );
    const activation = performance.now() - began;
    log.info(`started in ${activation.toFixed(0)} ms`);
    // Until this resolves, VS Code starts no other extension, for a second at most: the rows come before them.
    await core.view.whenDrawn();
    const rest = await features.get().catch((error: unknown) => {
      log.error(getStack(error));
      return undefined;
    });
    const isTest = context.extensionMode === vscode.ExtensionMode.Test;
    return rest && isTest ? { ...core, ...rest.parts, activation } : undefined;
  } catch (error) {
    // VS Code doesn't tell the user when an extension fails to start.
    log.error(getStack(error));
    void showErrorMessage(l10n.t('ACP Sessions could not start: {0}', String(error)));
    throw error;
  }
}

/** Saves work in progress, and ends all agents; VS Code waits a few seconds for it. */
export async function deactivate(): Promise<void> {
  await ending?.();
}

function getCommands({ extension }: vscode.ExtensionContext): readonly string[] {
  const { contributes } = extension.packageJSON as {
    contributes: { commands: readonly { command: string }[] };
  };
  return [...contributes.commands.map(({ command }) => command), ...innerCommandIds];
}

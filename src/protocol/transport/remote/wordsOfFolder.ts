import * as l10n from '@vscode/l10n';

/** For a session that is to begin in a folder of this machine, of which the agent's machine knows nothing. */
export function wordsOfFolder(folder: string): { readonly title: string; readonly detail: string } {
  return {
    title: l10n.t('The agent’s machine doesn’t have this folder'),
    detail: l10n.t(
      'Nothing says what “{0}” is there. Name the folder for new sessions as “cwd” in the settings of the agent, or say with “pathMappings” which folders are the same.',
      folder.slice(0, 300),
    ),
  };
}

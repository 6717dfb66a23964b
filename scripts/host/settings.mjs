// @ts-check
import path from 'node:path';
import { projectFolder } from '../paths.mjs';

/**
 * User settings for a window without prompts, updates or anything else unrelated to the extension.
 */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  // No prompt on startup: an untrusted folder opens in Restricted Mode.
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.untrustedFiles': 'open',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const typeScript = path.join(projectFolder, 'node_modules', 'typescript', 'lib');

/**
 * User settings that give VS Code's extension for TypeScript the server that it comes without here. A window needs them
 * from the beginning: once begun without a server, the extension never gets one. Nothing is fetched.
 */
export const typeScriptSettings = {
  'js/ts.tsdk.path': typeScript,
  'typescript.tsdk': typeScript,
  'typescript.disableAutomaticTypeAcquisition': true,
};

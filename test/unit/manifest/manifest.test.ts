import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { notificationsSettingKeys } from '../../../src/features/notifications/settings';
import { registrySettingKeys } from '../../../src/features/registry/settings';
import { innerCommandIds, settingsSection, viewIds } from '../../../src/platform/ids';
import { commandIds } from '../../support/commandIds';
import { inProject } from '../../support/project';
import { contributes, manifest, menus, textOf } from './declared';

const own: readonly string[] = Object.values(commandIds).filter(
  (id) => !innerCommandIds.includes(id),
);

describe('the manifest', () => {
  it('has no more commands, and no more of them in the palette, than a person can look through', () => {
    const { length } = contributes.commands;
    const hidden = (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
    assert.ok(length <= 126, `${length} commands`);
    const shown = length - hidden.length;
    assert.ok(shown <= 45, `${shown} rows of the palette`);
  });

  it('gives every command to the same category', () => {
    for (const { command, category } of contributes.commands) {
      assert.equal(category, 'ACP Sessions', command);
    }
  });

  it('names only its own commands in menus, keys and welcome texts', () => {
    const { keybindings, viewsWelcome } = contributes;
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    for (const { command, submenu } of [...Object.values(menus).flat(), ...keybindings]) {
      const isKnown = command === undefined ? submenus.has(submenu ?? '') : own.includes(command);
      assert.ok(isKnown, command ?? submenu);
    }
    for (const [, id] of viewsWelcome
      .map(({ contents }) => textOf(contents))
      .join('\n')
      .matchAll(/\(command:(acpSessions[\w.]*)\)/g)) {
      assert.ok(id !== undefined && own.includes(id), id);
    }
  });

  it('keeps out of the palette what only makes sense at a row, an entry or a button', () => {
    const hidden = (contributes.menus['commandPalette'] ?? [])
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    assert.deepEqual(
      hidden.sort(),
      [
        commandIds.addFile,
        commandIds.moveDown,
        commandIds.moveUp,
        commandIds.moveChanges,
        commandIds.newGroup,
        commandIds.refreshSessions,
        commandIds.deleteOlderSessions,
        commandIds.showGlance,
        commandIds.updateAgent,
        commandIds.removeAgent,
        commandIds.stopAgent,
        commandIds.signOut,
        commandIds.findInTranscript,
        commandIds.removeFromGroup,
        commandIds.removeWorktree,
        commandIds.closeSession,
        commandIds.continueInTerminal,
        commandIds.archiveSession,
        commandIds.deleteSession,
        commandIds.openChanges,
        commandIds.compareSessions,
        commandIds.compareWorktree,
        commandIds.editGroup,
        commandIds.pickRequest,
        commandIds.searchFile,
        commandIds.askForReview,
        commandIds.closeTrace,
        commandIds.choosePromptSession,
        commandIds.copySessionLink,
        commandIds.explain,
        commandIds.nextReviewed,
        commandIds.previewApply,
        commandIds.previewApplyWithoutConflicts,
        commandIds.previewBringBack,
        commandIds.previewDiscardMyEdits,
        commandIds.previewKeepMyEdits,
        commandIds.previewRestore,
        commandIds.previewRestoreAndGoBack,
        commandIds.previousReviewed,
        commandIds.sendPrompt,
        commandIds.useVersion,
        commandIds.askTerminal,
        commandIds.cancelEditedComment,
        commandIds.deleteComment,
        commandIds.editComment,
        commandIds.moveComment,
        commandIds.reopenComment,
        commandIds.resolveComment,
        commandIds.saveComment,
        commandIds.saveEditedComment,
        commandIds.showCommentedTurn,
        commandIds.suggestLines,
        commandIds.takeComment,
        commandIds.clearFilter,
        commandIds.collapseSessions,
        commandIds.copyCode,
        commandIds.copyEntry,
        commandIds.copyEntryLink,
        commandIds.copyReport,
        commandIds.copySessionId,
        commandIds.copyTurn,
        commandIds.editAndResend,
        commandIds.explainTerminal,
        commandIds.forgetAgent,
        commandIds.keepChange,
        commandIds.locateFolder,
        commandIds.markSessionRead,
        commandIds.markSessionUnread,
        commandIds.openOrigin,
        commandIds.openReviewedFile,
        commandIds.openSessionToSide,
        commandIds.pinSession,
        commandIds.restoreBeforeTurn,
        commandIds.resumeSession,
        commandIds.retrySessions,
        commandIds.retryTurn,
        commandIds.revealSessionCwd,
        commandIds.stopSubagent,
        commandIds.unarchiveSession,
        commandIds.undoChange,
        commandIds.unpinSession,
      ].sort(),
    );
  });

  it('gives the palette no name that is a part of another one there', () => {
    const rules = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when]));
    const shown = contributes.commands.filter(({ command }) => rules.get(command) !== 'false');
    const names = shown.map(({ title }) => textOf(title).toLowerCase());
    const parts = names.filter((name) =>
      names.some((other) => other !== name && other.includes(name)),
    );
    assert.deepEqual(parts, []);
    assert.equal(new Set(names).size, names.length);
  });

  it('T-32, SEC-76: lets no untrusted workspace name a command, or write an agent’s instructions', () => {
    const { capabilities, contributes } = manifest;
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations, [
      'acpSessions.agents',
      'acpSessions.systemPrompts',
      'acpSessions.permissions.rules',
      'acpSessions.hiddenSessions',
      'acpSessions.newWorktree.folder',
      'acpSessions.newWorktree.script',
      'acpSessions.check.command',
    ]);
    assert.equal(
      contributes.configuration.properties['acpSessions.agents']?.scope,
      'machine-overridable',
    );
    assert.equal(
      contributes.configuration.properties['acpSessions.newWorktree.script']?.scope,
      'machine-overridable',
    );
    assert.equal(capabilities.virtualWorkspaces.supported, false);
  });

  it('SEC-62: lets no workspace decide how the user is reached while away', () => {
    const { properties } = contributes.configuration;
    for (const key of [
      notificationsSettingKeys.systemNotifications,
      notificationsSettingKeys.notificationSound,
    ]) {
      const { scope, default: value } = properties[`${settingsSection}.${key}`] ?? {};
      assert.deepEqual([scope, value], ['application', false]);
    }
  });

  it('SEC-43: lets no workspace decide which agent registry is asked', () => {
    const { properties } = contributes.configuration;
    const { scope, default: value } =
      properties[`${settingsSection}.${registrySettingKeys.registry}`] ?? {};
    assert.equal(scope, 'machine');
    assert.match(String(value), /^https:/);
  });

  it('runs where the workspace is, and only when it is needed', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.deepEqual(manifest.activationEvents, [
      `onWebviewPanel:${viewIds.transcript}`,
      `onWebviewPanel:${viewIds.comparison}`,
      'onFileSystem:acp-transcript-text',
      'onUri',
      // Changes that wait for review are marked, and interrupted decisions are asked about, in any window.
      'onStartupFinished',
    ]);
  });

  it('leads a newcomer through seven steps, each with a picture and a command that there is', () => {
    const [walkthrough] = contributes.walkthroughs;
    assert.equal(walkthrough?.steps.length, 7);
    const commands = new Set<string>([...Object.values(commandIds), `${viewIds.sessions}.focus`]);
    for (const { description, media, completionEvents } of walkthrough.steps) {
      assert.ok(existsSync(inProject(media.svg)), media.svg);
      assert.notEqual(media.altText, '');
      const linked = [...textOf(description).matchAll(/\(command:([^)]+)\)/g)].map(
        ([, id]) => id ?? '',
      );
      const completing = completionEvents.flatMap((event) =>
        event.startsWith('onCommand:') ? [event.slice('onCommand:'.length)] : [],
      );
      assert.equal(linked.length, 1, description);
      for (const id of [...linked, ...completing]) {
        assert.ok(commands.has(id), id);
      }
    }
  });

  it('has the embedded agent as the default', () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(properties['acpSessions.agents']?.default, {
      demo: { title: 'Demo Agent', command: '${demoAgent}' },
    });
  });
});

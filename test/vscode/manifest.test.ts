import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { notificationsSettingKeys } from '../../src/features/notifications/settings';
import { registrySettingKeys } from '../../src/features/registry/settings';
import {
  contextKeys,
  innerCommandIds,
  nodeWords,
  settingsSection,
  viewIds,
} from '../../src/platform/ids';
import { commandIds } from '../support/commandIds';
import { extension } from './harness/support';

interface Menu {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly key?: string;
  readonly group?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly title: string;
    }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly Menu[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly scope: string; readonly default: unknown }>
      >;
    };
  };
}

function manifest(): Manifest {
  return extension().packageJSON as Manifest;
}

/** Whether the condition requires the focus in a prompt, a transcript, a preview that asks or the tree. */
function isOfOwnFocus(when: string): boolean {
  const transcript = `${viewIds.transcript} && !sideBarFocus && !auxiliaryBarFocus && !panelFocus && !inputFocus`;
  const tree = `focusedView == ${viewIds.sessions} && listFocus && !inputFocus`;
  const preview = `${contextKeys.previewChoices} && !sideBarFocus && !auxiliaryBarFocus && !panelFocus && (!inputFocus || editorReadonly)`;
  return [transcript, tree, preview, 'editorLangId == acp-prompt'].some((own) =>
    when.includes(own),
  );
}

const own: readonly string[] = Object.values(commandIds).filter(
  (id) => !innerCommandIds.includes(id),
);

describe('manifest', () => {
  before(async () => {
    await extension().activate();
  });

  it('declares exactly the commands that are registered', async () => {
    const { contributes } = manifest();
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual([...declared].sort(), [...own].sort());
    // VS Code registers some commands for each view by itself.
    const isOfView = (id: string) =>
      [viewIds.sessions, viewIds.glance].some((view) => id.startsWith(`${view}.`));
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith('acpSessions.') && !isOfView(id),
    );
    const all = [...declared, ...innerCommandIds];
    const ownOfViews = all.filter(isOfView);
    assert.deepEqual([...registered, ...ownOfViews].sort(), all.sort());
  });

  it('gives every command to the same category', () => {
    for (const { command, category } of manifest().contributes.commands) {
      assert.equal(category, 'ACP Sessions', command);
    }
  });

  it('names only its own commands in menus, keys and welcome texts', () => {
    const { menus, keybindings, viewsWelcome } = manifest().contributes;
    const submenus = new Set(manifest().contributes.submenus.map(({ id }) => id));
    for (const { command, submenu } of [...Object.values(menus).flat(), ...keybindings]) {
      const isKnown = command === undefined ? submenus.has(submenu ?? '') : own.includes(command);
      assert.ok(isKnown, command ?? submenu);
    }
    for (const [, id] of viewsWelcome
      .map(({ contents }) => contents)
      .join('\n')
      .matchAll(/\(command:(acpSessions[\w.]*)\)/g)) {
      assert.ok(id !== undefined && own.includes(id), id);
    }
  });

  it('asks only for words that nodes have', () => {
    const words: readonly string[] = Object.values(nodeWords);
    const menus = manifest().contributes.menus['view/item/context'] ?? [];
    assert.ok(menus.length > 0);
    for (const { when = '' } of menus) {
      const asked = /viewItem =~ \/\\b(?:(\w+)|\(([\w|]+)\))\\b\//.exec(when);
      const [first = '', ...others] = (asked?.[1] ?? asked?.[2] ?? '').split('|');
      assert.ok(
        [first, ...others].every((word) => words.includes(word)),
        when,
      );
    }
  });

  it('keeps out of the palette what only makes sense at a row, an entry or a button', () => {
    const hidden = (manifest().contributes.menus['commandPalette'] ?? [])
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    assert.deepEqual(
      hidden.sort(),
      [
        commandIds.addFile,
        commandIds.moveDown,
        commandIds.moveUp,
        commandIds.newGroup,
        commandIds.refreshSessions,
        commandIds.deleteOlderSessions,
        commandIds.showGlance,
        commandIds.updateAgent,
        commandIds.removeAgent,
        commandIds.stopAgent,
        commandIds.signOut,
        commandIds.findInTranscript,
        commandIds.goToTurn,
        commandIds.removeWorktree,
        commandIds.closeSession,
        commandIds.continueInTerminal,
        commandIds.archiveSession,
        commandIds.deleteSession,
        commandIds.openChanges,
        commandIds.compareSessions,
        commandIds.pickRequest,
        commandIds.searchFile,
        commandIds.askForReview,
        commandIds.closeTrace,
        commandIds.applyHunks,
        commandIds.choosePromptSession,
        commandIds.compareWithOrigin,
        commandIds.copySessionLink,
        commandIds.explain,
        commandIds.jumpToLatest,
        commandIds.nextReviewed,
        commandIds.openWorktree,
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

  it('has two buttons in the title of the view, beside that of its menu, so that its name fits; a third if that names no agent', () => {
    const { menus } = manifest().contributes;
    const placesOf = (several: boolean): ReadonlySet<string> =>
      new Set(
        (menus['view/title'] ?? [])
          .filter(({ when = '' }) => several || !when.includes('acpSessions.agents == several'))
          .flatMap(({ group = '' }) => (group.startsWith('navigation') ? [group] : [])),
      );
    assert.deepEqual([placesOf(false).size, placesOf(true).size], [2, 3]);
  });

  it('has no menu within a menu of a menu', () => {
    const { menus, submenus } = manifest().contributes;
    const nested = submenus.flatMap(({ id }) => menus[id] ?? []).filter(({ submenu }) => submenu);
    assert.deepEqual(nested, []);
  });

  it('uses no key twice, and one that VS Code uses only where its own things have the focus', () => {
    const bindings = manifest().contributes.keybindings;
    const keys = bindings.map(({ key }) => key);
    const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
    // A preview isn't written in, and a prompt is; rows move in the tree, and the focus in a transcript.
    assert.deepEqual(twice.sort(), ['alt+down', 'alt+up', 'ctrl+enter']);
    const anywhere = bindings.filter(({ when }) => !isOfOwnFocus(when ?? ''));
    assert.ok(
      anywhere.every(({ key }) => key?.startsWith('ctrl+alt+shift+') === true),
      anywhere.map(({ key }) => key).join(),
    );
  });

  it('binds no navigation key of a transcript while a field has the focus, except that of Find', () => {
    const moving = manifest().contributes.keybindings.filter(
      ({ key, when }) => when?.includes(viewIds.transcript) && key?.startsWith('ctrl+') !== true,
    );
    assert.ok(moving.length > 0);
    assert.ok(moving.every(({ when }) => when?.includes(`!${contextKeys.typing}`)));
  });

  it('gives the palette no name that is a part of another one there', () => {
    const { commands, menus } = manifest().contributes;
    const rules = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when]));
    const shown = commands.filter(({ command }) => rules.get(command) !== 'false');
    const names = shown.map(({ title }) => title.toLowerCase());
    const parts = names.filter((name) =>
      names.some((other) => other !== name && other.includes(name)),
    );
    // “New Session in Worktree” follows the other where people look for it.
    assert.deepEqual(parts, ['new session']);
    assert.equal(new Set(names).size, names.length);
  });

  it('offers with several rows what works on several', () => {
    const bulk = (manifest().contributes.menus['view/item/context'] ?? []).filter(
      ({ group, when }) => !group?.startsWith('inline') && !when?.includes('!listMultiSelection'),
    );
    assert.deepEqual(bulk.map(({ command, submenu }) => command ?? submenu).sort(), [
      'acpSessions.group',
      commandIds.archiveSession,
      commandIds.closeSession,
      commandIds.compareSessions,
      commandIds.deleteSession,
      commandIds.markSessionRead,
      commandIds.markSessionUnread,
      commandIds.pinSession,
      commandIds.unarchiveSession,
      commandIds.unpinSession,
    ]);
  });

  it('T-32, SEC-76: lets no untrusted workspace name a command, or write an agent’s instructions', () => {
    const { capabilities, contributes } = manifest();
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
    const { properties } = manifest().contributes.configuration;
    for (const key of [
      notificationsSettingKeys.systemNotifications,
      notificationsSettingKeys.notificationSound,
    ]) {
      const { scope, default: value } = properties[`${settingsSection}.${key}`] ?? {};
      assert.deepEqual([scope, value], ['application', false]);
    }
  });

  it('SEC-43: lets no workspace decide which agent registry is asked', () => {
    const { properties } = manifest().contributes.configuration;
    const { scope, default: value } =
      properties[`${settingsSection}.${registrySettingKeys.registry}`] ?? {};
    assert.equal(scope, 'machine');
    assert.match(String(value), /^https:/);
  });

  it('runs where the workspace is, and only when it is needed', () => {
    assert.deepEqual(manifest().extensionKind, ['workspace']);
    assert.deepEqual(manifest().activationEvents, [
      `onWebviewPanel:${viewIds.transcript}`,
      'onFileSystem:acp-transcript-text',
      'onUri',
      // Changes that wait for review are marked, and interrupted decisions are asked about, in any window.
      'onStartupFinished',
    ]);
  });

  it('leads a newcomer through seven steps, each with a picture and a command that there is', () => {
    const [walkthrough] = manifest().contributes.walkthroughs;
    assert.equal(walkthrough?.steps.length, 7);
    const commands = new Set<string>([...Object.values(commandIds), `${viewIds.sessions}.focus`]);
    const root = extension().extensionPath;
    for (const { description, media, completionEvents } of walkthrough.steps) {
      assert.ok(existsSync(path.join(root, media.svg)), media.svg);
      assert.notEqual(media.altText, '');
      const linked = [...description.matchAll(/\(command:([^)]+)\)/g)].map(([, id]) => id ?? '');
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
    const { properties } = manifest().contributes.configuration;
    assert.deepEqual(properties['acpSessions.agents']?.default, {
      demo: { title: 'Demo Agent', command: '${demoAgent}' },
    });
  });
});

import assert from 'node:assert/strict';
import { contextKeys, nodeWords, viewIds } from '../../../src/platform/ids';
import { commandIds } from '../../support/commandIds';
import { holds } from '../../support/whenClause';
import { contributes, menus } from './declared';

/** The most that a row of each kind can be, as words of its `contextValue`; what excludes each other is a row of its own. */
const session = 'session openable forkable deletable branch reviewable checked worktree';
const rows: Readonly<Record<string, string>> = {
  'a session that is not open': `${session} resumable readable pinnable archivable locatable moved`,
  'a session that is open': `${session} open closable pinned archived unread named`,
  'a session at work': `${session} open closable stoppable readable pinnable archivable`,
  'a subagent': 'subagent stoppable',
  'an agent': 'agent running startedHere outdated signIn signOut',
  'a trace': 'agent running trace',
  'an agent that was removed': 'removed',
  'a folder': 'folder',
  'a worktree': 'folder worktree',
  'a failed list': 'message retry showLog diagnose editAgents signIn',
  'a list without sessions': 'message newSession',
};

/** What the menu of a row shows, or its buttons; `several`: if it is selected with others. */
function shownAt(words: string, where: 'menu' | 'inline', several = false): readonly string[] {
  const context = {
    view: 'acpSessions.sessions',
    viewItem: words,
    listMultiSelection: several,
    isWorkspaceTrusted: true,
    workspaceFolderCount: 1,
    'acpSessions.scope': 'all',
    'acpSessions.checkable': true,
  };
  return (menus['view/item/context'] ?? [])
    .filter(({ group = '' }) => group.startsWith('inline') === (where === 'inline'))
    .filter(({ when = 'true' }) => holds(when, context))
    .map(({ command, submenu }) => command ?? submenu ?? '');
}

function twice(items: readonly string[]): readonly string[] {
  return items.filter((item, at) => items.indexOf(item) !== at);
}

/** Whether the condition requires the focus in a prompt, a transcript, a preview that asks or the tree. */
function isOfOwnFocus(when: string): boolean {
  const transcript = `${viewIds.transcript} && !sideBarFocus && !auxiliaryBarFocus && !panelFocus && !inputFocus`;
  const tree = `focusedView == ${viewIds.sessions} && listFocus && !inputFocus`;
  const preview = `${contextKeys.previewChoices} && !sideBarFocus && !auxiliaryBarFocus && !panelFocus && (!inputFocus || editorReadonly)`;
  return [transcript, tree, preview, 'editorLangId == acp-prompt'].some((part) =>
    when.includes(part),
  );
}

describe('the manifest’s menus and keys', () => {
  for (const [kind, words] of Object.entries(rows)) {
    it(`has a short menu for ${kind}, with nothing in it twice`, () => {
      for (const several of [false, true]) {
        const menu = shownAt(words, 'menu', several);
        assert.ok(menu.length <= 12, `${menu.length} entries: ${menu.join(', ')}`);
        assert.deepEqual(twice(menu), []);
      }
      const buttons = shownAt(words, 'inline');
      assert.ok(buttons.length <= 4, buttons.join(', '));
      assert.deepEqual(twice(buttons), []);
    });
  }

  it('has nothing twice in any other menu for one condition, except as a button and an entry', () => {
    const others = Object.entries(menus).filter(([menu]) => menu !== 'view/item/context');
    const repeated = others.flatMap(([menu, items]) =>
      twice(
        items.map(({ command, submenu, group = '', when = '' }) =>
          [menu, command ?? submenu, group.startsWith('inline'), when].join(' '),
        ),
      ),
    );
    assert.deepEqual(repeated, []);
  });

  it('asks only for words that nodes have', () => {
    const words: readonly string[] = Object.values(nodeWords);
    const items = menus['view/item/context'] ?? [];
    assert.ok(items.length > 0);
    for (const { when = '' } of items) {
      const asked = /viewItem =~ \/\\b(?:(\w+)|\(([\w|]+)\))\\b\//.exec(when);
      const [first = '', ...others] = (asked?.[1] ?? asked?.[2] ?? '').split('|');
      assert.ok(
        [first, ...others].every((word) => words.includes(word)),
        when,
      );
    }
  });

  it('has two buttons in the title of the view, beside that of its menu, so that its name fits; a third if that names no agent', () => {
    const placesOf = (several: boolean): ReadonlySet<string> =>
      new Set(
        (menus['view/title'] ?? [])
          .filter(({ when = '' }) => several || !when.includes('acpSessions.agents == several'))
          .flatMap(({ group = '' }) => (group.startsWith('navigation') ? [group] : [])),
      );
    assert.deepEqual([placesOf(false).size, placesOf(true).size], [2, 3]);
  });

  it('has no menu within a menu of a menu', () => {
    const nested = contributes.submenus
      .flatMap(({ id }) => menus[id] ?? [])
      .filter(({ submenu }) => submenu);
    assert.deepEqual(nested, []);
  });

  it('uses no key twice, and one that VS Code uses only where its own things have the focus', () => {
    const bindings = contributes.keybindings;
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
    const moving = contributes.keybindings.filter(
      ({ key, when }) => when?.includes(viewIds.transcript) && key?.startsWith('ctrl+') !== true,
    );
    assert.ok(moving.length > 0);
    assert.ok(moving.every(({ when }) => when?.includes(`!${contextKeys.typing}`)));
  });

  it('offers with several rows what works on several', () => {
    const bulk = (contributes.menus['view/item/context'] ?? []).filter(
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
});

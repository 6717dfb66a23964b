import assert from 'node:assert/strict';
import { contributes } from '../../package.json';
import { holds } from '../support/whenClause';

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  readonly group?: string;
  readonly when?: string;
}

const menus: Readonly<Record<string, readonly Item[]>> = contributes.menus;

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

describe('the manifest', () => {
  it('has no more commands, and no more of them in the palette, than a person can look through', () => {
    const { length } = contributes.commands;
    const hidden = (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
    assert.ok(length <= 135, `${length} commands`);
    const shown = length - hidden.length;
    assert.ok(shown <= 52, `${shown} rows of the palette`);
  });

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
});

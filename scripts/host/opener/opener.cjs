// @ts-check
const vscode = require('vscode');

/**
 * Focuses the sessions view, and opens the first session if the window has no tab yet. Once there was one, nothing is
 * done any more: it would take the focus from whatever the user does.
 */
exports.activate = async (/** @type {vscode.ExtensionContext} */ { subscriptions }) => {
  const { tabGroups } = vscode.window;
  const run = (/** @type {string} */ command) => vscode.commands.executeCommand(command);
  let wasOpen = tabGroups.all.some(({ tabs }) => tabs.length > 0);
  const opened = new Promise((resolve) => {
    subscriptions.push(
      tabGroups.onDidChangeTabs((change) => {
        wasOpen ||= change.opened.length > 0;
        if (wasOpen) resolve(undefined);
      }),
    );
  });
  const openedWithin = (/** @type {number} */ ms) =>
    Promise.race([opened, new Promise((resolve) => setTimeout(resolve, ms))]);
  await run('acpSessions.sessions.focus');
  await openedWithin(1000);
  for (let attempt = 0; attempt < 10 && !wasOpen; attempt++) {
    try {
      // Resolves when the list has been read. Until then its rows come and go, and VS Code reports
      // an error if a row goes while it moves the focus there.
      await run('acpSessions.sessions.refresh');
      // VS Code draws what was read only when nothing has changed for a while.
      await openedWithin(500);
      // The rows that replace a welcome message take the view's focus away.
      await run('acpSessions.sessions.focus');
      await run('list.focusFirst');
      // To the first session, from the group "Today" or from an agent: this expands a row, or if it is expanded, goes to
      // its first child.
      for (let step = 0; step < 4; step++) await run('list.expand');
      await run('list.select');
      // On a busy machine, it takes a while until the tab is there.
      await openedWithin(10_000);
    } catch {
      // The rows were being drawn again: the next attempt finds them.
      await openedWithin(1000);
    }
  }
};

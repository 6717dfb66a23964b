// @ts-check
const vscode = require('vscode');

/** Focuses the sessions view, and opens the first session if the window has no tab yet. */
exports.activate = async () => {
  const run = (/** @type {string} */ command) => vscode.commands.executeCommand(command);
  const isOpen = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
  await run('acpSessions.sessions.focus');
  for (let attempt = 0; attempt < 30; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (isOpen()) return;
    try {
      // Resolves when the list has been read. Until then its rows come and go, and VS Code reports
      // an error if a row goes while it moves the focus there.
      await run('acpSessions.sessions.refresh');
      // The rows that replace a welcome message take the view's focus away.
      await run('acpSessions.sessions.focus');
      await run('list.focusFirst');
      // From the group "Today" to its first session.
      await run('list.focusDown');
      await run('list.select');
    } catch {
      // The rows were being drawn again: the next attempt finds them.
    }
  }
};

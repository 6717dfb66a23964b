/** The commands for worktrees, in a bundle that is loaded with the first of them. */
export { applyToWorkspace } from './applyToWorkspace';
export { askSeveralAgents } from './askSeveral';
export { compareWithBase } from './comparing';
export { compareWithAnother } from './comparingTwo';
export { newSessionInWorktree } from './newInWorktree';
export { openWorktree } from './openWorktree';
export { removeChosenWorktree } from './removing';

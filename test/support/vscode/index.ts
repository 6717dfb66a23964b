/**
 * A stub of VS Code's API: as much of it as the extension needs to be activated and used in plain Node. See README.md
 * for what is tested with it.
 */
export { commands } from './commands';
export { comments, MarkdownString } from './comments';
export { TextEdit, WorkspaceEdit } from './edits';
export * from './enums';
export { env, l10n, version } from './env';
export {
  CancellationError,
  CancellationTokenSource,
  Disposable,
  EventEmitter,
} from './events';
export { extensions } from './extension';
export { languages } from './languages';
export { Position, Range, Selection } from './positions';
export { scm } from './sourceControl';
export { Uri } from './uri';
export * from './values';
export { window } from './window';
export { workspace } from './workspace';

import * as l10n from '@vscode/l10n';
import type { Phase, Writable } from '../../shared/transcript/webviewMessages';

/** Whether the user can prompt a session in this phase; a prompt opens a session that isn't open. */
export function writableIn(phase: Phase, agentTitle: string): Writable {
  if (phase.kind !== 'failed') {
    return { kind: 'yes' };
  }
  const { code, title } = phase.failure;
  if (code === 'gone') {
    return { kind: 'no', reason: l10n.t('{0} no longer has this session.', agentTitle) };
  }
  return code === 'config' ? { kind: 'no', reason: title } : { kind: 'yes' };
}

import * as l10n from '@vscode/l10n';
import { AcpError } from '../../../protocol/errors';
import { TraceError, type TraceProblem } from '../../../protocol/trace/traceError';
import { traceLimits } from '../../../protocol/trace/traceFormat';
import { byteSize } from '../../../shared/byteSize';

/** Why a trace's file can't be written or read, as sentences for the user. */
export function problemWith(error: unknown): string {
  if (error instanceof TraceError) {
    return problems[error.problem]();
  }
  if (error instanceof AcpError) {
    return error.code === 'gone'
      ? l10n.t('It doesn’t exist.')
      : l10n.t('It is a folder, or something else that isn’t a file.');
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('The disk is full. Make room, or choose another one.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return l10n.t('You may not do that there. Choose another folder.');
    default:
      return l10n.t('The log has the reason.');
  }
}

const problems: Readonly<Record<TraceProblem, () => string>> = {
  notATrace: () =>
    l10n.t('It isn’t a trace: its first line is neither the header of one nor a message.'),
  newer: () =>
    l10n.t('It was recorded by a newer version of ACP Sessions. Update the extension to open it.'),
  empty: () => l10n.t('It has no messages. Record it again while the agent is in use.'),
  tooLarge: () =>
    l10n.t('It is larger than {0}, the most that a trace may have.', byteSize(traceLimits.bytes)),
  tooLong: () =>
    l10n.t('It has more than {0} lines, the most that a trace may have.', traceLimits.lines),
  changed: () => l10n.t('It has changed since it was opened. Close the trace and open it again.'),
};

import { stat } from 'node:fs/promises';
import { AcpError } from '../errors';

/**
 * Explains why a start failed. The system reports a missing folder in the same way as a missing
 * command.
 */
export async function explainStart(
  command: string,
  cwd: string | undefined,
  cause: unknown,
): Promise<AcpError> {
  if (cwd !== undefined && !(await isFolder(cwd))) {
    const text = `The folder in which ${command} should start is not there: ${cwd}`;
    return new AcpError('notFound', text, { subject: command, missingFolder: cwd });
  }
  if (isNotFound(cause)) {
    return new AcpError('notFound', `${command} was not found`, { subject: command }, { cause });
  }
  const text = `${command} can't be run: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new AcpError('notExecutable', text, { subject: command }, { cause });
}

/**
 * Whether a login shell may find the command, since an editor started from the desktop may lack a
 * terminal's PATH.
 */
export function mayBeElsewhere(command: string, cause: unknown): boolean {
  return isNotFound(cause) && !/[\\/]/.test(command);
}

function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}

import { offerActions } from '../../platform/ui/failureActions';
import { showErrorMessage } from '../../platform/ui/messages';
import { type ReportProgress, withCancel } from '../../platform/ui/withCancel';
import { UserError } from '../../shared/failure';

/** Work that the user waits for and can cancel; `undefined` if it was canceled. */
export async function cancelable<T>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
): Promise<T | undefined> {
  return withCancel(title, async (signal, report) => {
    try {
      return await work(signal, report);
    } catch (error) {
      if (signal.aborted && !(error instanceof UserError)) {
        return undefined;
      }
      throw error;
    }
  });
}

/** Says what went wrong, with a way to the details. The message stays as long as the user likes; nothing waits for that. */
export function tellTrouble(message: string): void {
  void offerActions(showErrorMessage, message, ['showLog']);
}

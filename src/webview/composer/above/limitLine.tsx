import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { limitText } from '../../../shared/transcript/usageLimit';
import { Icon } from '../../parts/icon';
import { useSessionPart } from '../../state/context';

/** The longest time that a timer can wait, in ms. */
const longest = 2 ** 31 - 1;

/** The limit of the account that is reached, or nearly, until it is reset (US-6). */
export function LimitLine(): VNode {
  const limit = useSessionPart('limit');
  const [now, setNow] = useState(Date.now);
  const resetsAt = limit?.resetsAt;
  useEffect(() => {
    setNow(Date.now());
    if (resetsAt === undefined) {
      return undefined;
    }
    const wait = Math.min(longest, Math.max(0, resetsAt - Date.now()));
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [resetsAt]);
  const isOver = resetsAt !== undefined && resetsAt <= now;
  return (
    <div role="status" aria-label={l10n.t('Usage limit')}>
      {limit && !isOver && (
        <p class="turn-line">
          <Icon name={limit.status === 'reached' ? 'error' : 'warning'} />
          <span>{limitText(limit, now)}</span>
        </p>
      )}
    </div>
  );
}

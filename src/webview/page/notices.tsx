import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import { Icon, IconButton } from '../parts/icon';
import { useTranscript } from '../state/context';
import type { ShownNotice } from '../state/state';

/** Severities are defined by the agent; an unknown one gets a neutral icon (NO-2). */
const icons = new Map([
  ['info', 'info'],
  ['warning', 'warning'],
  ['error', 'error'],
]);

/** NO-1 to NO-3: messages from the agent to the user; not part of the history. */
export function Notices(): VNode {
  const { state } = useTranscript();
  return (
    <div class="notices" role="status">
      <div class="notices-content">
        {state.notices.value.map((notice) => (
          <Banner key={notice.id} notice={notice} />
        ))}
      </div>
    </div>
  );
}

function Banner({ notice }: { readonly notice: ShownNotice }): VNode {
  const { state } = useTranscript();
  return (
    <div class="banner">
      <Icon name={icons.get(notice.severity) ?? 'bell'} class="notice-icon" />
      <div class="notice-text">
        <p class="notice-title">{literal(notice.title)}</p>
        {notice.description && <p class="notice-detail">{literal(notice.description)}</p>}
      </div>
      <IconButton
        icon="close"
        label={l10n.t('Dismiss Notice')}
        onClick={() => state.dismissNotice(notice.id)}
      />
    </div>
  );
}

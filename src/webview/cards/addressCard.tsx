import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { maxHrefLength } from '../../shared/lengths';
import { literal } from '../../shared/literal';
import type { ElicitationAction } from '../../shared/requests/agentQuestions';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { formatNumber } from '../words/format';
import { type Address, readAddress } from './address';
import { usePlace } from './place';
import { useReady } from './useReady';

interface AddressAskedProps {
  readonly requestId: number;
  readonly url: string;
  /** The number of characters cut off from an address that is too long to be opened. */
  readonly omitted?: number | undefined;
}

/**
 * EL-2, EL-11, EL-13: the address an agent asks the user to open. Nothing is opened before the user
 * accepts.
 */
export function AddressAsked({ requestId, url, omitted }: AddressAskedProps): VNode {
  const { state, ask } = useTranscript();
  const buttons = useRef<HTMLDivElement>(null);
  const isFirst = usePlace().position === 1;
  const [isAnswered, setAnswered] = useState(false);
  const ready = useReady(buttons, isFirst) && !isAnswered;
  const address = readAddress(url);
  const canOpen = omitted === undefined && address?.canOpen === true;
  const answer = (action: ElicitationAction): void => {
    setAnswered(true);
    const given = { type: 'answerElicitation', requestId, action, values: {} } as const;
    void state.answer(ask, given).then(setAnswered);
  };
  return (
    <>
      <AddressLine url={url} omitted={omitted} />
      {address?.warnings.map((warning) => (
        <Warning key={warning} text={warning} />
      ))}
      {!address && <Warning text={l10n.t('This isn’t a web address, so it can’t be opened.')} />}
      {omitted !== undefined && (
        <Warning
          text={l10n.t(
            'The address has more than {0} characters, too many to judge it, so it can’t be opened.',
            formatNumber(maxHrefLength),
          )}
        />
      )}
      {canOpen && (
        <p class="card-note">
          {l10n.t('The page opens in your browser, where the agent can’t see what you do.')}
        </p>
      )}
      <div class="card-choices" ref={buttons}>
        <button
          type="button"
          class="button"
          aria-disabled={!ready || !canOpen}
          onClick={() => ready && canOpen && answer('accept')}
        >
          {address ? l10n.t('Open {0}', address.host) : l10n.t('Open')}
        </button>
        <DeclineAndCancel ready={ready} onAnswer={answer} />
      </div>
    </>
  );
}

/** The whole address as plain text, with its host highlighted; of one that is too long, the beginning. */
export function AddressLine({ url, omitted }: Omit<AddressAskedProps, 'requestId'>): VNode {
  const address = readAddress(url);
  return (
    <p class="card-address" dir="ltr">
      {address ? <Parts address={address} /> : literal(url)}
      {omitted !== undefined && '…'}
    </p>
  );
}

function Parts({ address: { before, host, after } }: { readonly address: Address }): VNode {
  return (
    <>
      {before}
      <strong class="card-host">{host}</strong>
      {after}
    </>
  );
}

export function Warning({ text, id }: { readonly text: string; readonly id?: string }): VNode {
  return (
    <p class="card-warning" id={id}>
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  );
}

interface DeclineAndCancelProps {
  readonly ready: boolean;
  readonly onAnswer: (action: ElicitationAction) => void;
}

/** EL-1: both are always offered. */
export function DeclineAndCancel({ ready, onAnswer }: DeclineAndCancelProps): VNode {
  return (
    <>
      {(['decline', 'cancel'] as const).map((action) => (
        <button
          key={action}
          type="button"
          class="button button-secondary"
          aria-disabled={!ready}
          onClick={() => ready && onAnswer(action)}
        >
          {action === 'decline' ? l10n.t('Decline') : l10n.t('Cancel')}
        </button>
      ))}
    </>
  );
}

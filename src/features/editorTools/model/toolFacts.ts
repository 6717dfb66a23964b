import * as l10n from '@vscode/l10n';
import type { ServedSession } from '../../../model/session/ownServers';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';
import type { Offer } from './offers';

/** What is known of an offer. */
export type KnownOffer = Pick<Offer, 'listed' | 'used' | 'onDidChange' | 'way'>;

/** Which session it is. */
interface FactsSession {
  readonly agent: { readonly id: string };
  readonly info: { readonly sessionId: string };
}

interface Served {
  readonly agentId: string;
  readonly sessionId: string;
  readonly offer: KnownOffer;
}

/** Says which tools of the editor the open sessions have, and which were used. */
export class ToolFacts {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #served: readonly Served[] = [];

  /** A session has these from now on. */
  opened({ agentId, sessionId }: ServedSession, offer: KnownOffer): void {
    this.#served = [...this.#served, { agentId, sessionId, offer }];
    offer.onDidChange(() => this.#changed.fire());
    this.#changed.fire();
  }

  ended(offer: KnownOffer): void {
    this.#served = this.#served.filter((one) => one.offer !== offer);
    this.#changed.fire();
  }

  /** For the header of a session; nothing before the agent has asked for the tools. */
  of({ agent, info }: FactsSession): readonly HeaderFact[] {
    const offer = this.#served.findLast(
      ({ agentId, sessionId }) => agentId === agent.id && sessionId === info.sessionId,
    )?.offer;
    if (offer?.listed === undefined || offer.listed.length === 0) {
      return [];
    }
    const { listed } = offer;
    const text = listed.length === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', listed.length);
    const title = l10n.t('Tools of the editor: {0}', listed.join(', '));
    return [{ icon: 'tools', text, title: [title, wayText(offer), usedText(offer)].join('\n') }];
  }

  /** For the diagnosis of an agent, a sentence for each of its sessions. */
  ofAgent(id: string): readonly string[] {
    return this.#served
      .filter(({ agentId }) => agentId === id)
      .map(({ sessionId, offer }) =>
        offer.listed === undefined
          ? l10n.t(
              'Session {0} was offered the tools of the editor, but the agent hasn’t asked for them.',
              sessionId,
            )
          : l10n.t(
              'Session {0} has these tools of the editor: {1}. {2} {3}',
              ...[sessionId, offer.listed.join(', '), wayText(offer), usedText(offer)],
            ),
      );
  }
}

function wayText({ way }: KnownOffer): string {
  switch (way) {
    case 'http':
      return l10n.t('The agent reaches them over HTTP.');
    case 'program':
      return l10n.t('The agent reaches them by a program that it starts.');
    case 'acp':
      return l10n.t('The agent reaches them by its own connection.');
  }
}

function usedText({ used }: KnownOffer): string {
  return used.size === 0
    ? l10n.t('None was used.')
    : l10n.t('Used: {0}.', [...used].map(([name, times]) => `${name} (${times})`).join(', '));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { ProvidedReviews } from '../../model/changes/providedReviews';
import type { KnownReview } from '../../model/changes/reviews';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText, getLabel } from '../../model/text/titles';
import { optionIcons } from '../../shared/requests/optionIcons';
import type { PermissionEntry } from '../../shared/transcript/entries';
import { askedLine, askedLines, getRows } from '../../views/attention/asked';
import { plainLabel } from '../../views/plainLabel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';

type Waiting = Sessions['waiting'][number];

/** What the sessions of the reviews are called. */
interface Named {
  find(agentId: string, sessionId: string): Pick<Session, 'title'> | undefined;
}

/** What waits for the user across all sessions: requests, then changes to review. */
export class RequestPicker {
  readonly #sessions: Pick<Sessions, 'waiting'> & Named;
  readonly #agents: Pick<Agents, 'get'>;
  readonly #panels: Pick<TranscriptPanels, 'show'>;
  readonly #reviews: Pick<ProvidedReviews, 'all' | 'actions'>;
  #shown: Waiting | undefined;

  constructor(
    sessions: Pick<Sessions, 'waiting'> & Named,
    agents: Pick<Agents, 'get'>,
    panels: Pick<TranscriptPanels, 'show'>,
    reviews: Pick<ProvidedReviews, 'all' | 'actions'>,
  ) {
    this.#sessions = sessions;
    this.#agents = agents;
    this.#panels = panels;
    this.#reviews = reviews;
  }

  /** Whether there are changes to review. */
  get hasReviews(): boolean {
    return this.#toReview.length > 0;
  }

  /** Shows the request after the one shown last; `false` when none waits. */
  async showNext(): Promise<boolean> {
    const next = findNextRequest(this.#sessions.waiting, this.#shown);
    if (next === undefined) {
      return false;
    }
    await this.#show(next);
    return true;
  }

  /** Lets the user choose a request, and answer a permission request in place, or changes to review. */
  async pick(): Promise<void> {
    const requests = this.#sessions.waiting.map(
      (waiting): WaitingItem => ({ ...describe(waiting), waiting }),
    );
    const items = [...requests, ...this.#reviewItems()];
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Waiting Requests'),
      placeHolder:
        items.length === 0
          ? l10n.t('No agent is waiting for an answer')
          : l10n.t('Choose one to answer or review'),
      matchOnDescription: true,
    });
    if (picked?.review !== undefined) {
      await (await this.#reviews.actions())?.show(picked.review);
    }
    if (picked?.waiting === undefined) {
      return;
    }
    const { session, index } = picked.waiting;
    const entry = session.transcript.entries[index];
    if (entry?.kind !== 'permission' || !(await answerPermission(session, entry))) {
      await this.#show(picked.waiting);
    }
  }

  get #toReview(): readonly KnownReview[] {
    return this.#reviews.all.filter(({ pending }) => pending.length > 0);
  }

  #reviewItems(): readonly WaitingItem[] {
    const waiting = this.#toReview;
    if (waiting.length === 0) {
      return [];
    }
    const separator = vscode.QuickPickItemKind.Separator;
    return [
      { label: l10n.t('Changes to Review'), kind: separator },
      ...waiting.map((review) => {
        const { agentId, sessionId, pending, turns } = review;
        const session = this.#sessions.find(agentId, sessionId);
        const files =
          pending.length === 1
            ? l10n.t('1 file to review')
            : l10n.t('{0} files to review', pending.length);
        const agent = cleanText(this.#agents.get(agentId)?.title ?? agentId, 60);
        const title = session?.title ?? getLabel(turns[0]?.prompt);
        return {
          label: `$(diff-multiple) ${files}`,
          description: plainLabel(`${agent} · ${title}`),
          review,
        };
      }),
    ];
  }

  async #show(waiting: Waiting): Promise<void> {
    this.#shown = waiting;
    (await this.#panels.show(waiting.session)).reveal(waiting.index);
  }
}

interface WaitingItem extends vscode.QuickPickItem {
  readonly waiting?: Waiting;
  readonly review?: KnownReview;
}

function findNextRequest(all: readonly Waiting[], shown: Waiting | undefined): Waiting | undefined {
  const at = all.findIndex(
    ({ session, index }) => session === shown?.session && index === shown.index,
  );
  return all[(at + 1) % Math.max(1, all.length)];
}

function describe({ session, index }: Waiting): vscode.QuickPickItem {
  const entry = session.transcript.entries[index];
  const icon = entry?.kind === 'permission' ? 'shield' : 'question';
  const from =
    entry?.kind === 'permission' || entry?.kind === 'elicitation' ? entry.from : undefined;
  const names = [cleanText(session.agent.title, 60), ...(from ? [from.title] : []), session.title];
  return {
    label: `$(${icon}) ${plainLabel(askedLine(entry))}`,
    description: plainLabel(names.join(' · ')),
  };
}

/** `true` when it was answered or dismissed; `false` when it must be shown in its transcript. */
async function answerPermission(session: Session, entry: PermissionEntry): Promise<boolean> {
  const lines = askedLines(entry);
  if (lines === undefined) {
    return false;
  }
  const show: vscode.QuickPickItem = { label: `$(go-to-file) ${l10n.t('Show in Transcript')}` };
  const text = lines
    .flatMap(getRows)
    .map((row): vscode.QuickPickItem => ({ label: plainLabel(row) }));
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const options = entry.options.map(({ optionId, name, kind }) => ({
    label: `$(${optionIcons[kind]}) ${plainLabel(cleanText(name, 120))}`,
    optionId,
  }));
  const items: (vscode.QuickPickItem & { optionId?: string })[] = [
    ...text,
    { ...separator, label: l10n.t('Answer') },
    show,
    ...options,
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t(
      '{0} asks in “{1}”',
      cleanText(entry.from?.title ?? session.agent.title, 40),
      cleanText(session.title, 60),
    ),
    placeHolder: l10n.t('Allow this?'),
  });
  if (picked === undefined) {
    return true;
  }
  if (picked.optionId === undefined) {
    return false;
  }
  session.requests.answerPermission(entry.requestId, picked.optionId);
  return true;
}

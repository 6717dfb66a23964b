import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent, SessionList, SessionRow } from '../../../model/agent';
import { titleAbout } from '../../../model/agents/whose';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage } from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import { exactTime } from '../../../views/dates';
import { readPages } from '../../../views/picker/readPages';
import { plainLabel } from '../../../views/plainLabel';
import { canDo } from '../../agents/abilities';
import { findAgent, pickAgent } from '../../agents/pickAgent';
import type { CommandServices } from '../commandServices';
import type { CommandTarget } from '../sessionTarget';
import { deleteTargets } from './deleteSessions';

const title = `${l10n.t('Delete Sessions Older Than')}…`;
const day = 24 * 60 * 60 * 1000;
const ages = [
  { label: l10n.t('1 week'), days: 7 },
  { label: l10n.t('30 days'), days: 30 },
  { label: l10n.t('90 days'), days: 90 },
  { label: l10n.t('1 year'), days: 365 },
  { label: l10n.t('Another age…'), days: undefined },
] as const;

interface SessionItem extends vscode.QuickPickItem {
  readonly target: CommandTarget;
}

/**
 * "Delete Sessions Older Than…": reads the whole list, lets the user choose, asks for confirmation,
 * deletes.
 */
export async function deleteOlderSessions(
  services: CommandServices,
  argument: unknown,
): Promise<void> {
  const { agents, tree } = services;
  const agent = findAgent(tree, argument) ?? (await pickAgent(services, agents.all, title));
  if (agent === undefined) {
    return;
  }
  const days = await askAge(agent);
  if (days === undefined || !(await canDo(agent, 'delete'))) {
    return;
  }
  const lists = services.workspace.folders.map((folder) => agent.lists.of(folder));
  const read = await readAll(agent, lists);
  if (read === 'cancelled') {
    return;
  }
  const old = oldRows(services, lists, Date.now() - days * day);
  if (old.length === 0) {
    const name = cleanText(agent.title, 60);
    void showInformationMessage(
      l10n.t(
        '{0} has no sessions here older than {1} days that are neither pinned nor open.',
        name,
        days,
      ),
    );
    return;
  }
  const picked = await pick(services, agent, old, read === 'all');
  await deleteTargets(services, picked);
}

async function askAge(agent: Agent): Promise<number | undefined> {
  const age = await vscode.window.showQuickPick(ages, {
    title: titleAbout(title, agent),
    placeHolder: l10n.t('Unchanged for how long?'),
  });
  if (age === undefined || age.days !== undefined) {
    return age?.days;
  }
  const text = await vscode.window.showInputBox({
    title: titleAbout(title, agent),
    prompt: l10n.t('Age in days'),
    validateInput: (value) =>
      isAge(value) ? undefined : l10n.t('Enter a whole number of days, 1 or more.'),
  });
  return text !== undefined && isAge(text) ? Number(text) : undefined;
}

function isAge(text: string): boolean {
  return /^\s*[1-9]\d{0,4}\s*$/.test(text);
}

/** Reads all pages of the lists, as far as possible; `some` if a list couldn't be read to its end. */
function readAll(
  agent: Agent,
  lists: readonly SessionList[],
): Promise<'all' | 'some' | 'cancelled'> {
  return withCancel(titleAbout(l10n.t('Reading all sessions'), agent), async (signal, report) => {
    let all = true;
    for (const list of lists) {
      await readPages(list, signal, () => report(l10n.t('{0} so far', count(lists))));
      all &&= list.state.kind === 'loaded' && list.more.kind === 'none';
    }
    return signal.aborted ? 'cancelled' : all ? 'all' : 'some';
  });
}

function count(lists: readonly SessionList[]): number {
  return lists.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Sessions without a date have no known age; pinned or open ones are in use. Oldest first, each once. */
function oldRows(
  { marks, sessions }: CommandServices,
  lists: readonly SessionList[],
  before: number,
): readonly SessionRow[] {
  const rows = new Map(lists.flatMap((list) => list.rows).map((row) => [row.key, row]));
  return [...rows.values()]
    .filter(({ unlisted }) => unlisted !== 'remembered')
    .filter(({ updatedAt }) => updatedAt !== undefined && updatedAt < before)
    .filter(({ agentId, info }) => !marks.get(agentId, info.sessionId).pinned)
    .filter(({ agentId, info }) => sessions.find(agentId, info.sessionId) === undefined)
    .sort((a, b) => (a.updatedAt ?? 0) - (b.updatedAt ?? 0));
}

async function pick(
  { marks }: CommandServices,
  agent: Agent,
  rows: readonly SessionRow[],
  isAll: boolean,
): Promise<readonly CommandTarget[]> {
  const items: SessionItem[] = rows.map(({ info, title: listed, updatedAt }) => {
    const name = marks.get(agent.id, info.sessionId).alias ?? listed;
    return {
      label: plainLabel(name),
      description: exactTime(updatedAt ?? 0),
      picked: true,
      target: { agent, info, title: name },
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: titleAbout(title, agent),
    placeHolder: isAll
      ? l10n.t('Choose the sessions to delete')
      : l10n.t(
          'Choose the sessions to delete. There may be more: the list couldn’t be read to its end',
        ),
    canPickMany: true,
    matchOnDescription: true,
  });
  return (picked ?? []).map(({ target }) => target);
}

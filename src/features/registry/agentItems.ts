import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showArgv } from '../../commands/agents/argv';
import { agentIcon } from '../../views/agentIcon';
import { plainLabel } from '../../views/plainLabel';
import type { LocalProgram } from './localPrograms';
import type { Icons } from './model/icons/registryIcons';
import type { RegistryAgent } from './model/registryAgent';
import { agentRunBy, findUpdate, type InstallPlace } from './model/setUpAgents';
import type { OwnEntry } from './setupServices';

export type AgentChoice =
  | { readonly kind: 'program'; readonly agent: RegistryAgent; readonly program: LocalProgram }
  | { readonly kind: 'registry'; readonly agent: RegistryAgent }
  | { readonly kind: 'update'; readonly id: string }
  | { readonly kind: 'custom' }
  | { readonly kind: 'address' }
  | { readonly kind: 'retry' };

export interface AgentItem extends vscode.QuickPickItem {
  /** Absent in separators. */
  readonly choice?: AgentChoice;
}

/** What the list is made of. */
export interface KnownAgents {
  readonly agents: readonly RegistryAgent[];
  readonly programs: ReadonlyMap<string, LocalProgram>;
  readonly icons: Icons;
  readonly own: readonly OwnEntry[];
  readonly place: InstallPlace;
  /** Why the registry couldn't be read. */
  readonly trouble: string | undefined;
}

const pageButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('link-external'),
  tooltip: l10n.t('Open the Agent’s Page'),
};

/** The rows: what is installed on this machine, the registry by name with what can't run here at its end, and the rest. */
export function agentItems(known: KnownAgents): AgentItem[] {
  const { agents, programs, trouble, place } = known;
  const byName = agents.toSorted((a, b) => a.name.localeCompare(b.name));
  const runsHere = (agent: RegistryAgent): number => Number(waysToRun(agent, place).length > 0);
  const byUse = byName.toSorted((a, b) => runsHere(b) - runsHere(a));
  const local = byName.flatMap((agent) => {
    const program = programs.get(agent.id);
    return program === undefined ? [] : [programItem(agent, program, known)];
  });
  return [
    ...(trouble === undefined ? [] : [retryItem(trouble)]),
    ...(local.length === 0 ? [] : [separator(l10n.t('Installed on This Machine')), ...local]),
    separator(l10n.t('Agent Registry')),
    ...byUse.map((agent) => registryItem(agent, known)),
    separator(l10n.t('Other')),
    {
      iconPath: new vscode.ThemeIcon('terminal'),
      label: l10n.t('Custom Command…'),
      detail: l10n.t('Any program that speaks the protocol over stdio'),
      alwaysShow: true,
      choice: { kind: 'custom' },
    },
    {
      iconPath: new vscode.ThemeIcon('globe'),
      label: l10n.t('By Address…'),
      detail: l10n.t('An agent that runs on another machine'),
      alwaysShow: true,
      choice: { kind: 'address' },
    },
  ];
}

function separator(label: string): AgentItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function retryItem(trouble: string): AgentItem {
  return {
    iconPath: new vscode.ThemeIcon('warning'),
    label: l10n.t('Retry'),
    description: l10n.t('{0} These are the agents that were known before.', trouble),
    alwaysShow: true,
    choice: { kind: 'retry' },
  };
}

function programItem(agent: RegistryAgent, program: LocalProgram, known: KnownAgents): AgentItem {
  const { own } = known;
  const isSetUp = own.some(({ command }) => command === program.command);
  const words = [l10n.t('installed'), ...(isSetUp ? [l10n.t('set up')] : [])];
  return {
    ...describe(agent, words, known),
    detail: plainLabel(showArgv([program.command, ...program.args])),
    choice: { kind: 'program', agent, program },
  };
}

function registryItem(agent: RegistryAgent, known: KnownAgents): AgentItem {
  const { own, agents, place } = known;
  const setUp = own.filter((entry) => agentRunBy(entry, agents, place) === agent);
  const outdated = setUp.find((entry) => findUpdate(entry, agents, place) !== undefined);
  const mark = outdated === undefined ? l10n.t('set up') : l10n.t('update available');
  const facts = [agent.authors.join(', '), agent.license].filter((fact) => fact);
  return {
    ...describe(
      agent,
      [
        agent.version,
        waysToRun(agent, place).join(', ') || l10n.t('not for this machine'),
        ...(setUp.length > 0 ? [mark] : []),
      ],
      known,
    ),
    detail: plainLabel([agent.description, ...facts].join(' · ')),
    choice: outdated ? { kind: 'update', id: outdated.id } : { kind: 'registry', agent },
  };
}

function describe(
  { name, page, icon }: RegistryAgent,
  words: readonly string[],
  { icons }: KnownAgents,
): Pick<AgentItem, 'label' | 'description' | 'iconPath' | 'buttons'> {
  return {
    iconPath: agentIcon(icons.get(icon ?? '')),
    label: plainLabel(name),
    description: plainLabel(words.join(' · ')),
    ...(page !== undefined && { buttons: [pageButton] }),
  };
}

/** Every way that there is on this machine. */
function waysToRun(
  { packages, binaries }: RegistryAgent,
  { target }: InstallPlace,
): readonly string[] {
  const isBuilt = target !== undefined && binaries[target] !== undefined;
  return [
    ...packages.map(({ runner }): string => runner),
    ...(isBuilt ? [l10n.t('download')] : []),
  ];
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { settingKeys, settingsSection, viewIds } from '../../platform/ids';
import type { AgentEntry, VsCodeSettings } from '../../platform/settings/settings';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { parseArgv, showArgv } from './argv';
import { type KnownAgent, knownAgents, throughNpx } from './knownAgents';

interface AgentItem extends vscode.QuickPickItem {
  readonly choice: KnownChoice | 'other';
}

interface KnownChoice {
  readonly agent: KnownAgent;
  /** The whole command line; `undefined` if neither the agent nor npx is installed. */
  readonly argv: readonly string[] | undefined;
  readonly throughNpx: boolean;
}

/**
 * "Add Agent…": offers the known agents and "Other…", shows the command, and writes the user's
 * settings.
 */
export async function addAgent(settings: VsCodeSettings): Promise<void> {
  const picked = await vscode.window.showQuickPick(agentItems(), {
    title: l10n.t('Add Agent'),
    placeHolder: l10n.t('Choose an agent that speaks the Agent Client Protocol'),
    matchOnDetail: true,
  });
  if (picked === undefined) {
    return;
  }
  const entry = picked.choice === 'other' ? await askForEntry() : await entryOf(picked.choice);
  if (entry === undefined) {
    return;
  }
  const wanted = picked.choice === 'other' ? idOf(entry.title) : picked.choice.agent.id;
  await settings.addAgent(freeId(wanted, settings.userAgentIds), entry);
  await vscode.commands.executeCommand(`${viewIds.sessions}.focus`);
}

async function agentItems(): Promise<AgentItem[]> {
  const choices = await knownChoices();
  const installedFirst = [
    ...choices.filter(({ throughNpx }) => !throughNpx),
    ...choices.filter(({ throughNpx }) => throughNpx),
  ];
  const known = installedFirst.map((choice): AgentItem => {
    const { agent, argv } = choice;
    const how = choice.throughNpx ? l10n.t('fetched by npx') : l10n.t('installed');
    return {
      label: agent.title,
      description: argv === undefined ? l10n.t('not installed, and there is no npx') : how,
      detail: showArgv(argv ?? [agent.command, ...agent.args]),
      choice,
    };
  });
  return [
    ...known,
    {
      label: l10n.t('Other…'),
      detail: l10n.t('Any program that speaks the protocol over stdio'),
      choice: 'other',
    },
  ];
}

async function knownChoices(): Promise<KnownChoice[]> {
  const { findProgram, searchPaths } = await import('../../platform/programs');
  const paths = await searchPaths();
  const npx = await findProgram('npx', paths);
  return Promise.all(
    knownAgents.map(async (agent): Promise<KnownChoice> => {
      if ((await findProgram(agent.command, paths)) !== undefined) {
        return { agent, argv: [agent.command, ...agent.args], throughNpx: false };
      }
      return { agent, argv: npx === undefined ? undefined : throughNpx(agent), throughNpx: true };
    }),
  );
}

/** Shows the whole command before anything is written. */
async function entryOf({ agent, argv, throughNpx }: KnownChoice): Promise<AgentEntry | undefined> {
  const [command, ...args] = argv ?? [];
  if (command === undefined) {
    void showWarningMessage(
      l10n.t(
        '{0} is not installed here, and neither is npx, which could fetch it. Install Node.js or {1}, then try again.',
        agent.title,
        agent.title,
      ),
    );
    return undefined;
  }
  const fetched = throughNpx
    ? l10n.t('\n\nThe first start downloads {0} from the npm registry.', agent.package)
    : '';
  return (await confirmed(agent.title, [command, ...args], fetched))
    ? { title: agent.title, command, args }
    : undefined;
}

async function confirmed(title: string, argv: readonly string[], more = ''): Promise<boolean> {
  const add = l10n.t('Add');
  const detail = l10n.t(
    'It is started with:\n\n{0}{1}\n\nIt runs with your permissions.',
    showArgv(argv),
    more,
  );
  const answer = await showInformationMessage(
    l10n.t('Add {0} to your settings?', title),
    { modal: true, detail },
    add,
  );
  return answer === add;
}

async function askForEntry(): Promise<AgentEntry | undefined> {
  const title = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (1 of 3)'),
    prompt: l10n.t('What the agent is called in the view'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter a title.') : undefined),
  });
  if (title === undefined) {
    return undefined;
  }
  const command = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (2 of 3)'),
    prompt: l10n.t(
      'The program that starts it: a name on PATH or an absolute path, without arguments',
    ),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter a program.') : undefined),
  });
  if (command === undefined) {
    return undefined;
  }
  const args = await askForArguments(command.trim());
  if (args === undefined || !(await confirmed(title.trim(), [command.trim(), ...args]))) {
    return undefined;
  }
  return { title: title.trim(), command: command.trim(), args };
}

async function askForArguments(command: string): Promise<readonly string[] | undefined> {
  const line = await vscode.window.showInputBox({
    title: l10n.t('Add Agent (3 of 3)'),
    prompt: l10n.t('Its arguments, separated by spaces; quotes keep one together. None is fine.'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const argv = parseArgv(text);
      return argv.kind === 'unclosed'
        ? l10n.t('A quote ({0}) is not closed.', argv.quote)
        : {
            message: l10n.t('Runs: {0}', showArgv([command, ...argv.list])),
            severity: vscode.InputBoxValidationSeverity.Info,
          };
    },
  });
  const argv = line === undefined ? undefined : parseArgv(line);
  return argv?.kind === 'arguments' ? argv.list : undefined;
}

/** Makes an ID from a title: letters, digits and dashes. */
function idOf(title: string): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return id === '' ? 'agent' : id;
}

function freeId(id: string, taken: readonly string[]): string {
  let free = id;
  for (let number = 2; taken.includes(free); number++) {
    free = `${id}-${number}`;
  }
  return free;
}

/**
 * "Edit Agents": opens the setting in its file, which has completion and validation. In a remote window,
 * agents run on the remote machine, whose settings have their own file.
 */
export async function editAgents(): Promise<void> {
  const command =
    vscode.env.remoteName === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile';
  const key = `${settingsSection}.${settingKeys.agents}`;
  await vscode.commands.executeCommand(command, { revealSetting: { key, edit: true } });
}

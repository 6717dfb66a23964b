import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { viewIds } from '../../platform/ids';
import { EntryProblem } from '../../platform/settings/entryChecks';
import { checkedUrl } from '../../platform/settings/remoteSettings';
import type { AgentEntry } from '../../platform/settings/settings';
import type { AgentChoice } from './agentItems';
import { AgentPick } from './agentPick';
import { askForEntry, confirmCommand } from './customAgent';
import { entryOfRegistry } from './installAgent';
import { openRegistry } from './openRegistry';
import { noteFacts, type Setup } from './setupServices';
import { updateAgent } from './updateAgent';

/**
 * "Add Agent…": offers the agents of the registry, those that are installed on this machine, and any other command.
 * Shows the whole command, and writes the user's settings.
 */
export async function addAgent(setup: Setup): Promise<void> {
  const { settings, registryStorage, view, log } = setup;
  const registry = openRegistry(registryStorage, log);
  const choice = await new AgentPick(setup, registry).choose();
  if (choice?.kind === 'update') {
    await updateAgent(setup, choice.id);
    return;
  }
  const added = choice && (await entryFor(choice, setup));
  if (added !== undefined) {
    const id = freeId(added.id, Object.keys(settings.userAgents));
    view.unfoldAgent(id);
    await settings.addAgent(id, added.entry);
    await noteFacts(setup, await registry.known());
    await vscode.commands.executeCommand(`${viewIds.sessions}.focus`);
  }
}

interface Added {
  /** The agent's id: its name if that is free. */
  readonly id: string;
  readonly entry: AgentEntry;
}

async function entryFor(choice: AgentChoice, setup: Setup): Promise<Added | undefined> {
  switch (choice.kind) {
    case 'registry': {
      const entry = await entryOfRegistry(choice.agent, setup);
      return entry && { id: choice.agent.id, entry };
    }
    case 'program': {
      const { id, name } = choice.agent;
      const { command, args } = choice.program;
      const isWanted = await confirmCommand(name, [command, ...args]);
      return isWanted ? { id, entry: { title: name, command, args } } : undefined;
    }
    case 'custom': {
      const entry = await askForEntry();
      return entry && { id: getId(entry.title ?? ''), entry };
    }
    case 'address': {
      const entry = await askForAddress(setup.settings.insecureHosts);
      return entry && { id: getId(entry.title ?? ''), entry };
    }
    case 'update':
    case 'retry':
      return undefined;
  }
}

/** Makes an ID from a title: letters, digits and dashes. */
function getId(title: string): string {
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

/** Asks for the address and the title of an agent on another machine. Nothing is connected yet. */
async function askForAddress(insecureHosts: readonly string[]): Promise<AgentEntry | undefined> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Add Agent by Address (1 of 2)'),
    prompt: l10n.t(
      'Where its server is: wss: for a WebSocket, https: for streamable HTTP, tcp: for a plain socket',
    ),
    placeHolder: 'wss://build.example/acp',
    ignoreFocusOut: true,
    validateInput: (value) => findProblem(value, insecureHosts),
  });
  if (text === undefined) {
    return undefined;
  }
  const url = checkedUrl(text.trim(), insecureHosts);
  const title = await vscode.window.showInputBox({
    title: l10n.t('Add Agent by Address (2 of 2)'),
    prompt: l10n.t('What the agent is called in the view'),
    value: new URL(url).hostname,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a title.') : undefined),
  });
  return title === undefined ? undefined : { title: title.trim(), url };
}

function findProblem(text: string, insecureHosts: readonly string[]): string | undefined {
  try {
    checkedUrl(text.trim(), insecureHosts);
    return undefined;
  } catch (error) {
    return error instanceof EntryProblem ? error.message : String(error);
  }
}

import * as vscode from 'vscode';
import { viewIds } from '../../../platform/ids';
import { openRegistry } from '../../../platform/registry';
import type { AgentEntry } from '../../../platform/settings/settings';
import { askForAddress } from './agentAddress';
import type { AgentChoice } from './agentItems';
import { AgentPick } from './agentPick';
import { askForEntry, confirmCommand } from './customAgent';
import { entryOfRegistry } from './installAgent';
import { noteFacts, type Setup } from './setupServices';
import { updateAgent } from './updateAgent';

/**
 * "Add Agent…": offers the agents of the registry, those that are installed on this machine, and any other command.
 * Shows the whole command, and writes the user's settings.
 */
export async function addAgent(setup: Setup): Promise<void> {
  const { settings, registryStorage, view, log } = setup;
  const registry = openRegistry(settings, registryStorage, log);
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
  /** As it is called if that is free. */
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
      return entry && { id: idOf(entry.title ?? ''), entry };
    }
    case 'address': {
      const entry = await askForAddress(setup.settings.insecureHosts);
      return entry && { id: idOf(entry.title ?? ''), entry };
    }
    case 'update':
    case 'retry':
      return undefined;
  }
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

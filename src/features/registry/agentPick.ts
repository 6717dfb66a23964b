import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openInBrowser } from '../../platform/openers';
import { acceptedRow } from '../../platform/ui/rankedPick';
import { deferred } from '../../util/async';
import { DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import { type AgentChoice, type AgentItem, agentItems } from './agentItems';
import { findLocalPrograms, type LocalProgram } from './localPrograms';
import type { AgentRegistry } from './model/agentRegistry';
import type { Icons, RegistryIcons } from './model/icons/registryIcons';
import type { RegistryAgent } from './model/registryAgent';
import { RegistryError } from './model/registryError';
import { installPlace, openIcons } from './openRegistry';
import { noteFacts, noteIcons, ownEntries, type Setup } from './setupServices';

/** Lists the agents that can be added, at once as far as they are known, then as the registry has them now. */
export class AgentPick {
  readonly #setup: Setup;
  readonly #registry: AgentRegistry;
  readonly #store = new DisposableStore();
  readonly #picker = this.#store.add(vscode.window.createQuickPick<AgentItem>());
  readonly #closed = new AbortController();
  #agents: readonly RegistryAgent[] = [];
  #programs: ReadonlyMap<string, LocalProgram> = new Map();
  #trouble: string | undefined;
  #icons: Icons = new Map();
  #drawn = '';
  /** Work under way that the list shows. */
  #pending = 0;

  constructor(setup: Setup, registry: AgentRegistry) {
    this.#setup = setup;
    this.#registry = registry;
    this.#picker.title = l10n.t('Add Agent');
    this.#picker.placeholder = l10n.t('Choose an agent that speaks the Agent Client Protocol');
    this.#picker.matchOnDescription = true;
    this.#picker.matchOnDetail = true;
    this.#picker.keepScrollPosition = true;
    // The user may read an agent's page in the browser, and come back.
    this.#picker.ignoreFocusOut = true;
  }

  /** The user's choice; resolves once the list is closed. */
  async choose(): Promise<AgentChoice | undefined> {
    const chosen = deferred<AgentChoice | undefined>();
    const picker = this.#picker;
    this.#store.add(picker.onDidHide(() => chosen.resolve(undefined)));
    this.#store.add(
      picker.onDidAccept(() => {
        const choice = acceptedRow(picker)?.choice;
        if (choice?.kind === 'retry') {
          void this.#work(() => this.#refresh());
        } else if (choice !== undefined) {
          chosen.resolve(choice);
        }
      }),
    );
    this.#store.add(picker.onDidTriggerItemButton(({ item }) => void openPage(item)));
    picker.show();
    const filled = this.#fill();
    try {
      return await chosen.promise;
    } finally {
      this.#closed.abort();
      this.#store.dispose();
      await filled;
    }
  }

  async #fill(): Promise<void> {
    await Promise.all([
      this.#work(async () => {
        const agents = await this.#registry.known();
        this.#icons = await this.#openIcons().known();
        // The registry itself may have been faster.
        this.#agents = this.#agents.length === 0 ? agents : this.#agents;
      }),
      this.#work(async () => {
        this.#programs = await findLocalPrograms();
      }),
      this.#work(() => this.#refresh()),
    ]);
    await this.#refreshIcons();
  }

  #openIcons(): RegistryIcons {
    const { registryStorage, log } = this.#setup;
    return openIcons(registryStorage, log);
  }

  /** Nobody waits for icons: the list is there, and shows no progress because of them. */
  async #refreshIcons(): Promise<void> {
    const { signal } = this.#closed;
    try {
      this.#icons = await this.#openIcons().refresh(this.#agents, signal);
      await noteIcons(this.#setup, this.#agents, this.#icons);
    } catch (error) {
      this.#setup.log.error(`icons: ${getStack(error)}`);
    }
    if (!signal.aborted) {
      this.#draw();
    }
  }

  async #refresh(): Promise<void> {
    if (!this.#registry.isOn) {
      return;
    }
    try {
      this.#agents = await this.#registry.refresh(this.#closed.signal);
      this.#trouble = undefined;
      await noteFacts(this.#setup, this.#agents);
    } catch (error) {
      if (error instanceof RegistryError) {
        this.#trouble = error.message;
      } else if (!this.#closed.signal.aborted) {
        throw error;
      }
    }
  }

  async #work(work: () => Promise<void>): Promise<void> {
    this.#pending++;
    this.#picker.busy = true;
    try {
      await work();
    } catch (error) {
      this.#setup.log.error(`adding an agent: ${getStack(error)}`);
    } finally {
      this.#pending--;
      if (!this.#closed.signal.aborted) {
        this.#picker.busy = this.#pending > 0;
        this.#draw();
      }
    }
  }

  /** Rows are only replaced if they differ, and the active one stays: so none are drawn before the agents. */
  #draw(): void {
    if (this.#agents.length === 0) {
      return;
    }
    const items = agentItems({
      agents: this.#agents,
      programs: this.#programs,
      icons: this.#icons,
      own: ownEntries(this.#setup.settings),
      place: installPlace(this.#setup.registryStorage),
      trouble: this.#trouble,
    });
    const drawn = JSON.stringify(items);
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    const [active] = this.#picker.activeItems;
    this.#picker.items = items;
    const same = items.find((item) => active !== undefined && getKey(item) === getKey(active));
    if (same !== undefined) {
      this.#picker.activeItems = [same];
    }
  }
}

function getKey({ choice, label }: AgentItem): string {
  const agent = choice && 'agent' in choice ? choice.agent.id : '';
  return `${choice?.kind ?? ''} ${agent} ${agent === '' ? label : ''}`;
}

async function openPage({ choice }: AgentItem): Promise<void> {
  if (choice !== undefined && 'agent' in choice && choice.agent.page !== undefined) {
    await openInBrowser(choice.agent.page);
  }
}

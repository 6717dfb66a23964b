import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showArgv } from '../../commands/agents/argv';
import { findAgent, pickAgent } from '../../commands/agents/pickAgent';
import { type Agent, isStartedHere } from '../../model/agent';
import { cleanText } from '../../model/text/titles';
import { StoredMap } from '../../platform/storage/storedState';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { tellUntrusted } from '../../platform/ui/trust';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { SharedAgent } from './sharedAgent';
import type { SharingServices } from './sharingServices';
import { clientWords, getTitle, SharingStatus } from './sharingStatus';
import { storedPorts } from './storedPorts';

/** The agents of this window that others can connect to, until it closes or they are changed. */
export class Sharing implements Disposable {
  readonly #store = new DisposableStore();
  readonly #services: SharingServices;
  readonly #all = new Map<
    string,
    { readonly shared: SharedAgent; readonly status: SharingStatus }
  >();
  readonly #changed = this.#store.add(new Emitter<void>());

  constructor(services: SharingServices) {
    this.#services = services;
    const { agents } = services;
    this.#store.add(
      agents.onDidChange(() => {
        for (const { shared } of this.#all.values()) {
          if (agents.get(shared.agent.id) !== shared.agent) {
            void this.#end(shared);
            void showInformationMessage(
              l10n.t(
                '{0} isn’t shared any more, because its settings have changed.',
                getTitle(shared),
              ),
            );
          }
        }
      }),
    );
  }

  /**
   * "Share Agent…": of the agent of a row, the one with this id, or one that the user chooses. For one that is shared,
   * shows what can be done.
   */
  async share(argument: unknown): Promise<void> {
    const { agents, tree, workspace } = this.#services;
    if (!workspace.trusted || workspace.folders.length === 0) {
      await (workspace.trusted ? sayWhyNoFolder() : sayWhyUntrusted());
      return;
    }
    const own = agents.all.filter(isStartedHere);
    const named = typeof argument === 'string' ? agents.get(argument) : findAgent(tree, argument);
    if (named !== undefined && !own.includes(named)) {
      void showInformationMessage(
        l10n.t('Only an agent that this machine starts itself can be shared.'),
      );
      return;
    }
    const agent = named ?? (await pickAgent(this.#services, own, l10n.t('Share Agent')));
    if (agent === undefined) {
      return;
    }
    const known = this.#all.get(agent.id)?.shared;
    if (known !== undefined) {
      await this.#manage(known);
      return;
    }
    const place = await askWhere(cleanText(agent.title, 60));
    if (place !== undefined && (await this.#mayShare(agent, place)) && !this.#all.has(agent.id)) {
      await this.#begin(agent, place);
    }
  }

  /** Ends everything, without a message: the window closes. */
  async end(): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ shared }) => this.#end(shared)));
  }

  dispose(): void {
    void this.end();
    this.#store.dispose();
  }

  /** Says what others can do then. */
  async #mayShare(agent: Agent, { host, isLoopback }: Place): Promise<boolean> {
    const { command, args } = agent.config;
    const share = l10n.t('Share');
    const folders = this.#services.workspace.folders.map(({ path }) => cleanText(path, 200));
    const detail = [
      l10n.t('For each client, this is started here: {0}', showArgv([command, ...args])),
      l10n.t('Its sessions can be in these folders and below: {0}', folders.join(', ')),
      l10n.t(
        'Whoever has the token can work with the agent as you do: it runs with your permissions, reads and changes your files and runs commands. It is the client that is asked for permission then, not you.',
      ),
      ...(isLoopback
        ? []
        : [
            l10n.t(
              'The connection at {0} isn’t encrypted: others in the network can read what is said, and with it the token, which lets them in. Share it on this machine only and use an SSH tunnel or VS Code’s port forwarding unless you trust everyone there.',
              host,
            ),
          ]),
      l10n.t('It ends when you stop sharing, change the agent’s settings or close this window.'),
    ].join('\n\n');
    const show = isLoopback ? showInformationMessage : showWarningMessage;
    const title = l10n.t('Share {0}?', cleanText(agent.title, 60));
    return (await show(title, { modal: true, detail }, share)) === share;
  }

  async #begin(agent: Agent, place: Place): Promise<void> {
    const ports = new StoredMap(this.#services.sharedPorts, storedPorts);
    let shared: SharedAgent;
    try {
      const port = ports.get(agent.id);
      shared = await SharedAgent.share(agent, { host: place.host, port }, this.#services);
    } catch (error) {
      this.#services.log.component(agent.id).error(`sharing: ${getStack(error)}`);
      void showErrorMessage(
        l10n.t(
          '{0} can’t be shared, because nothing can listen at {1}. The log has the reason.',
          cleanText(agent.title, 60),
          place.host,
        ),
      );
      return;
    }
    if (this.#services.agents.get(agent.id) !== agent || this.#all.has(agent.id)) {
      await shared.stop();
      return;
    }
    ports.set(agent.id, Number(shared.url.port));
    this.#all.set(agent.id, { shared, status: new SharingStatus(shared) });
    this.#changed.fire();
    await showToken(shared);
  }

  async #manage(shared: SharedAgent): Promise<void> {
    const items = [
      {
        label: `$(copy) ${l10n.t('Copy Address')}`,
        description: shared.url.href,
        run: () => vscode.env.clipboard.writeText(shared.url.href),
      },
      {
        label: `$(key) ${l10n.t('New Token')}`,
        description: l10n.t('disconnects everyone; the old token stops working'),
        run: () => showToken(shared),
      },
      ...shared.clients.map((client) => ({
        label: `$(debug-disconnect) ${l10n.t('Disconnect {0}', client.peer)}`,
        description: clientWords(client),
        run: () => shared.disconnect(client),
      })),
      {
        label: `$(stop-circle) ${l10n.t('Stop Sharing')}`,
        run: () => this.#end(shared),
      },
    ];
    const title = l10n.t('{0} Is Shared', getTitle(shared));
    const picked = await vscode.window.showQuickPick(items, { title });
    if (picked !== undefined && this.#all.get(shared.agent.id)?.shared === shared) {
      await picked.run();
    }
  }

  async #end(shared: SharedAgent): Promise<void> {
    const known = this.#all.get(shared.agent.id);
    if (known?.shared === shared) {
      known.status.dispose();
      this.#all.delete(shared.agent.id);
      this.#changed.fire();
    }
    await shared.stop();
  }
}

/** A new token, once: nothing keeps it. */
async function showToken(shared: SharedAgent): Promise<void> {
  const token = shared.newToken();
  const [both, one] = [l10n.t('Copy Address and Token'), l10n.t('Copy Token')];
  const answer = await showInformationMessage(
    l10n.t('{0} is shared at {1}', getTitle(shared), shared.url.href),
    {
      modal: true,
      detail: l10n.t(
        'Token: {0}\n\nIt isn’t kept and can’t be shown again, but the item in the status bar makes a new one. In another window, add the address with “Add Agent…” and enter the token with “Sign In…”.',
        token,
      ),
    },
    both,
    one,
  );
  if (answer !== undefined) {
    await vscode.env.clipboard.writeText(answer === both ? `${shared.url.href}\n${token}` : token);
  }
}

function sayWhyUntrusted(): Promise<void> {
  return tellUntrusted(
    l10n.t(
      'No agent can be shared in Restricted Mode: agents start only in a workspace that you trust.',
    ),
  );
}

function sayWhyNoFolder(): Thenable<unknown> {
  return showInformationMessage(
    l10n.t('Open a folder first: only sessions in the folders of this window can be shared.'),
  );
}

/** The address at which an agent is shared. */
interface Place {
  readonly host: string;
  readonly isLoopback: boolean;
}

/** Asks at which address of this machine; loopback comes first. */
async function askWhere(agent: string): Promise<Place | undefined> {
  const here = {
    label: l10n.t('This Machine Only'),
    description: '127.0.0.1',
    detail: l10n.t(
      'Programs of this machine, and others through an SSH tunnel or a forwarded port, which are encrypted.',
    ),
    place: { host: '127.0.0.1', isLoopback: true },
  };
  const others = addresses().map(({ name, address }) => ({
    label: `$(warning) ${l10n.t('Network at {0}', name)}`,
    description: address,
    detail: l10n.t(
      'Not encrypted: others in this network could read and change everything, the token, too.',
    ),
    place: { host: address, isLoopback: false },
  }));
  const picked = await vscode.window.showQuickPick([here, ...others], {
    title: l10n.t('Share {0}: Who Can Reach It?', agent),
  });
  return picked?.place;
}

/** This machine's addresses in a network. Link-local ones have a zone, which no address of ours can have. */
function addresses(): readonly { readonly name: string; readonly address: string }[] {
  return Object.entries(os.networkInterfaces()).flatMap(([name, all = []]) =>
    all
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address }) => ({ name, address })),
  );
}

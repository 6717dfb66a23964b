import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Agent, isConfigured, listedFolders, type SessionRow } from '../../model/agent';
import { comparablePath } from '../../model/files/paths';
import { isInside } from '../../model/files/roots';
import type { WorkspaceFolder } from '../../model/ports';
import {
  type NewSessionAddress,
  newSessionLinkPath,
  readNewSessionLink,
  readSessionLink,
  type SessionAddress,
} from '../../model/session/sessionAddress';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { CommandServices } from './commandServices';

/** Opens links to sessions, and to the pages of new ones. They can come from anywhere, so the user is always asked first. */
export class SessionLinks implements vscode.UriHandler {
  readonly #services: CommandServices;
  #isAsking = false;

  constructor(services: CommandServices) {
    this.#services = services;
  }

  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    if (path === newSessionLinkPath) {
      await this.#beginFrom(readNewSessionLink(query));
      return;
    }
    const address = readSessionLink(path, query);
    if (typeof address === 'string') {
      refuse(address, l10n.t('Ask for another one.'));
      return;
    }
    const agent = this.#services.agents.get(address.agentId);
    if (!vscode.workspace.isTrusted) {
      refuseUntrusted();
    } else if (agent === undefined) {
      refuseUnknown(address.agentId);
    } else if (!this.#isHere(address)) {
      refuseElsewhere(address.cwd);
    } else if (await this.#isAgreedTo(() => isAgreedTo(agent, address))) {
      await this.#open(agent, address);
    }
  }

  /** Shows the page of a new session with what the link says, once the user has agreed. Nothing is sent. */
  async #beginFrom(address: NewSessionAddress | string): Promise<void> {
    if (typeof address === 'string') {
      refuse(address, l10n.t('Ask for another one.'));
      return;
    }
    const { newPages, workspace, agents, panels } = this.#services;
    const { agentId, folder: named, prompt } = address;
    const agent =
      agentId === undefined ? newPages.lastAgent : agents.all.find(({ id }) => id === agentId);
    const wanted = workspace.folders.find(
      ({ path }) => named !== undefined && comparablePath(path) === comparablePath(named),
    );
    if (!vscode.workspace.isTrusted) {
      refuseUntrusted();
    } else if (agent === undefined || !isConfigured(agent)) {
      refuseUnknown(agentId ?? '');
    } else if (named !== undefined && wanted === undefined) {
      refuseElsewhere(named);
    } else if (await this.#isAgreedTo(() => isBeginningAgreedTo(agent, wanted, prompt))) {
      const folder = await newPages.folderFor(agent, wanted);
      const draft = prompt === undefined ? undefined : { text: prompt, attachments: [] };
      await (folder && panels.openNew({ agent, folder }, draft));
    }
  }

  /** A page can open thousands of links: those that arrive while the user is being asked are dropped. */
  async #isAgreedTo(ask: () => Promise<boolean>): Promise<boolean> {
    if (this.#isAsking) {
      return false;
    }
    this.#isAsking = true;
    try {
      return await ask();
    } finally {
      this.#isAsking = false;
    }
  }

  /** Whether the folder is in this window, or belongs to a session that is listed here. */
  #isHere(address: SessionAddress): boolean {
    const { folders } = this.#services.workspace;
    const cwd = comparablePath(address.cwd);
    return (
      isInside(
        cwd,
        folders.map(({ path }) => comparablePath(path)),
      ) || comparablePath(this.#listed(address)?.cwd ?? '') === cwd
    );
  }

  /** Finds a session in lists that are already loaded: nothing is read before the user agrees. */
  #listed({ agentId, sessionId }: SessionAddress): SessionRow['info'] | undefined {
    const { agents, workspace } = this.#services;
    const agent = agents.get(agentId);
    const folders = agent === undefined ? [] : listedFolders(agent, workspace.folders);
    const rows = folders.map((folder) => agent?.lists.of(folder).find(sessionId));
    return rows.find((row) => row !== undefined)?.info;
  }

  async #open(agent: Agent, address: SessionAddress): Promise<void> {
    const { sessionId, cwd, entry } = address;
    const info = this.#listed(address) ?? { sessionId, cwd, additionalDirectories: [] };
    const tab = await this.#services.panels.open(agent, info);
    if (entry !== undefined) {
      await reveal(tab, entry);
    }
  }
}

async function reveal(tab: TranscriptPanel, entry: number): Promise<void> {
  await tab.session.load();
  if (entry < tab.session.shown.entries.length) {
    tab.reveal(entry);
  }
}

async function isAgreedTo(agent: Agent, address: SessionAddress): Promise<boolean> {
  const open = l10n.t('Open');
  const answer = await showInformationMessage(
    l10n.t('Open a session of {0} from a link?', cleanText(agent.title, 60)),
    {
      modal: true,
      detail: [
        l10n.t('Folder: {0}', cleanText(address.cwd, 300)),
        l10n.t('Session: {0}', cleanText(address.sessionId, 200)),
        l10n.t(
          'The agent is started for it, if it isn’t running. Open it only if you expected this link.',
        ),
      ].join('\n'),
    },
    open,
  );
  return answer === open;
}

async function isBeginningAgreedTo(
  agent: Agent,
  folder: WorkspaceFolder | undefined,
  prompt: string | undefined,
): Promise<boolean> {
  const open = l10n.t('Open');
  const answer = await showInformationMessage(
    l10n.t('Open the page of a new session of {0} from a link?', cleanText(agent.title, 60)),
    {
      modal: true,
      detail: [
        ...(folder === undefined ? [] : [l10n.t('Folder: {0}', cleanText(folder.path, 300))]),
        ...(prompt === undefined ? [] : [l10n.t('Prompt: {0}', cleanText(prompt, 300))]),
        l10n.t(
          'The agent is started for its options, if it isn’t running. Nothing is sent before you send it.',
        ),
      ].join('\n'),
    },
    open,
  );
  return answer === open;
}

function refuseUntrusted(): void {
  refuse(
    l10n.t('This workspace isn’t trusted, and no agent is started in it.'),
    l10n.t('Trust it first.'),
  );
}

function refuseUnknown(agentId: string): void {
  refuse(
    l10n.t('No agent “{0}” is set up here.', cleanText(agentId, 60)),
    l10n.t('Set it up under “Edit Agents” first.'),
  );
}

function refuseElsewhere(folder: string): void {
  refuse(
    l10n.t('Its session belongs to {0}.', cleanText(folder, 300)),
    l10n.t('Open that folder, then the link again.'),
  );
}

function refuse(why: string, remedy: string): void {
  void showWarningMessage(l10n.t('The link can’t be opened. {0} {1}', why, remedy));
}

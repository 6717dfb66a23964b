import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import { readPrintedLine } from '../../model/agents/printedLine';
import { showsToWork } from '../../model/agents/signInCheck';
import { describeFailure } from '../../model/failures/failures';
import type { Workspace } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { runLoginTerminal } from '../../platform/loginTerminal';
import { openInBrowser } from '../../platform/openers';
import type { PackageStarts } from '../../platform/packageStarts';
import type { ApiKeys } from '../../platform/storage/apiKeys';
import type { RemoteSecrets } from '../../platform/storage/remoteSecrets';
import { readLink } from '../../platform/ui/links';
import { plainMessage, showErrorMessage, showInformationMessage } from '../../platform/ui/messages';
import { orCanceled, type ReportProgress } from '../../platform/ui/withCancel';
import type { Disposable } from '../../util/disposable';
import { plainLabel } from '../plainLabel';
import {
  type AuthMethod,
  askForKey,
  askForToken,
  findLoginProgram,
  namedLogin,
  pickMethod,
} from './signInQuestions';

export interface SignInServices {
  readonly agents: Pick<Agents, 'get'>;
  readonly workspace: Workspace;
  readonly apiKeys: Pick<ApiKeys, 'store' | 'forget'>;
  readonly tokens: Pick<RemoteSecrets, 'store' | 'forget'>;
  readonly packageStarts: Pick<PackageStarts, 'getPlace'>;
}

/** A login to an agent, from the choice of the method to its success. */
export class Login {
  readonly #services: SignInServices;

  constructor(services: SignInServices) {
    this.#services = services;
  }

  /** Resolves to whether the login succeeded; failures are reported to the user here. */
  async signIn(agent: Agent): Promise<boolean> {
    try {
      const { authMethods } = await this.#connect(agent);
      if (authMethods.length === 0 && agent.config.remote !== undefined) {
        // The server has taken the token, and that is all there is.
        return true;
      }
      const method = await pickMethod(
        agent,
        authMethods.length > 0 ? authMethods : namedLogin(agent),
      );
      const ready = method && (await this.#prepare(agent, method));
      if (method === undefined || ready === undefined) {
        return false;
      }
      const name = cleanText(method.name, 60);
      const isKnown = await orCanceled(
        l10n.t('Signing in to {0}: {1}', cleanText(agent.title, 60), name),
        (signal, report) => this.#logIn(agent, method, ready, { report, signal }),
      );
      if (isKnown === undefined) {
        return false;
      }
      const title = plainLabel(cleanText(agent.title, 60));
      // The exit code of a terminal login shows that it worked (AUTH-5).
      const text =
        isKnown || method.type === 'terminal'
          ? l10n.t('Signed in to {0}', title)
          : l10n.t('{0} accepted it. The next session will show whether it works.', title);
      vscode.window.setStatusBarMessage(text, 5000);
      return true;
    } catch (error) {
      if (error instanceof vscode.CancellationError) {
        return false;
      }
      const { title, detail } = describeFailure(error, agent.title);
      void showErrorMessage(l10n.t('Sign-in failed. {0}. {1}', title, detail));
      return false;
    }
  }

  /** Asks for a token if the server of an agent with an address requires one. */
  async #connect(agent: Agent): ReturnType<Agent['connect']> {
    const { remote } = agent.config;
    try {
      return await agent.connect();
    } catch (error) {
      const isRefused = describeFailure(error, agent.title).code === 'authRequired';
      if (remote === undefined || !isRefused) {
        throw error;
      }
    }
    const token = await askForToken(agent, remote.url);
    if (token === undefined) {
      throw new vscode.CancellationError();
    }
    await this.#services.tokens.store(remote, token);
    return agent.connect();
  }

  /**
   * Performs the user's part of the login. Resolves to whether the agent must restart afterward,
   * or `undefined` if the login ends here.
   */
  async #prepare(agent: Agent, method: AuthMethod): Promise<'restart' | 'go' | undefined> {
    switch (method.type) {
      case 'agent':
        return 'go';
      case 'terminal':
        return (await this.#inTerminal(agent, method)) ? 'restart' : undefined;
      case 'apiKey':
        // The settings' value takes precedence over any other.
        return method.variable in agent.config.env ? 'go' : this.#withKey(agent, method);
    }
  }

  async #withKey(
    agent: Agent,
    method: Extract<AuthMethod, { type: 'apiKey' }>,
  ): Promise<'restart' | undefined> {
    const { apiKeys } = this.#services;
    const key = await askForKey(agent, method);
    if (key === undefined) {
      return undefined;
    }
    if (key === '') {
      await apiKeys.forget(agent.id, [method.variable]);
    } else {
      await apiKeys.store(agent.config, method.variable, key);
    }
    return 'restart';
  }

  /**
   * Runs the login program with the method's arguments and variables; resolves to whether it
   * succeeded. The agent restarts afterward (AUTH-5).
   */
  async #inTerminal(
    agent: Agent,
    method: Extract<AuthMethod, { type: 'terminal' }>,
  ): Promise<boolean> {
    const { config } = agent;
    const program = await findLoginProgram(agent, method);
    if (program === undefined) {
      return false;
    }
    const { workspace, packageStarts } = this.#services;
    const folder = workspace.folders[0]?.path;
    const own = method.command === undefined && (await packageStarts.getPlace(config, folder));
    const code = await runLoginTerminal(
      program,
      own ? [...own.args, ...method.args] : method.args,
      { ...config.env, ...method.env },
      own ? own.cwd : (config.cwd ?? folder),
    );
    if (code === 0) {
      return true;
    }
    const title = plainMessage(cleanText(agent.title, 60));
    void showErrorMessage(
      code === undefined
        ? l10n.t('Sign-in failed: {0}’s login was closed before it finished.', title)
        : l10n.t('Sign-in failed: {0}’s login ended with code {1}.', title, code),
    );
    return false;
  }

  /**
   * Resolves to whether the login demonstrably works; rejects when the agent refuses it or a later
   * step.
   */
  async #logIn(
    agent: Agent,
    { type, id }: AuthMethod,
    ready: 'restart' | 'go',
    { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
  ): Promise<boolean> {
    if (ready === 'restart') {
      await agent.restart();
      signal.throwIfAborted();
    }
    const connection = await agent.connect();
    if (type !== 'terminal') {
      const prints = showPrints(agent, connection, report);
      try {
        await connection.authenticate(id, signal);
      } finally {
        prints.dispose();
      }
    }
    return showsToWork(connection, this.#services.workspace.folders[0]?.path, signal);
  }
}

type Connection = Pick<Awaited<ReturnType<Agent['connect']>>, 'onPrint'>;

/** Maximum number of printed addresses offered during a login, each once. */
const maxAddresses = 3;
/**
 * The limit of DNS, in characters. Longer hosts aren't offered: cutting one would remove its
 * significant end.
 */
const maxHostLength = 253;

/**
 * Shows what an agent prints during a sign-in: its last line in the progress notification, and each address in a
 * message with a button, because VS Code's progress has no room for one.
 */
function showPrints(agent: Agent, connection: Connection, report: ReportProgress): Disposable {
  let last = '';
  const offered = new Set<string>();
  return connection.onPrint((line) => {
    const { words, address } = readPrintedLine(line);
    if (words !== '' && words !== last) {
      last = words;
      report(words);
    }
    const link = address === undefined ? undefined : readLink(address, '/');
    if (link?.kind === 'external' && !offered.has(link.url) && offered.size < maxAddresses) {
      offered.add(link.url);
      void offer(agent, new URL(link.url));
    }
  });
}

async function offer(agent: Agent, { href, host }: URL): Promise<void> {
  if (host.length > maxHostLength) {
    return;
  }
  const title = cleanText(agent.title, 60);
  const answer = await showInformationMessage(
    l10n.t('{0} printed a sign-in link to {1}.', title, host),
    l10n.t('Open…'),
  );
  if (answer !== undefined) {
    await openInBrowser(href);
  }
}

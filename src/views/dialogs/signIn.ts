import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent';
import type { Agents } from '../../model/agents/agents';
import { showsToWork } from '../../model/agents/signInCheck';
import { describeFailure } from '../../model/failures';
import type { Workspace } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { ApiKeys } from '../../platform/storage/apiKeys';
import { runLoginTerminal } from '../../platform/terminals/loginTerminal';
import { plainMessage, showErrorMessage, showWarningMessage } from '../../platform/ui/messages';
import { plainLabel } from '../plainLabel';
import { type Progress, showPrints } from './signInPrints';
import { type AuthMethod, askForKey, loginProgramOf, pickMethod } from './signInQuestions';

interface Services {
  readonly agents: Pick<Agents, 'get'>;
  readonly workspace: Workspace;
  readonly apiKeys: Pick<ApiKeys, 'store' | 'forget'>;
}

/** Signs in to agents with the user's help (AUTH-1 to AUTH-8). */
export class SignIn {
  readonly #services: Services;
  /** Logins in progress; another request for the same agent shares its result. */
  readonly #running = new Map<Agent, Promise<boolean>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** As `signIn`, by the agent's ID. */
  async signInTo(agentId: string): Promise<boolean> {
    const agent = this.#services.agents.get(agentId);
    return agent !== undefined && (await this.signIn(agent));
  }

  /** Resolves to whether the login succeeded; failures are reported to the user here. */
  signIn(agent: Agent): Promise<boolean> {
    let running = this.#running.get(agent);
    if (running === undefined) {
      running = this.#signIn(agent).finally(() => this.#running.delete(agent));
      this.#running.set(agent, running);
    }
    return running;
  }

  /**
   * Removes the user's keys for the agent; resolves to whether there were any. A running agent may still use them.
   */
  forgetKeys(agent: Agent): Promise<boolean> {
    return this.#services.apiKeys.forget(agent.id);
  }

  /**
   * Runs work that may need a login. If the agent requires one, offers it and runs the work once more; a
   * second refusal is the caller's to handle (AUTH-4, AUTH-13).
   */
  async retrying<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, title, detail } = describeFailure(error, agent.title);
      if (code !== 'authRequired') {
        throw error;
      }
      const text = `${title}. ${detail}`;
      const answer = await showWarningMessage(text, l10n.t('Sign In'));
      if (answer === undefined || !(await this.signIn(agent))) {
        throw new vscode.CancellationError();
      }
      return work();
    }
  }

  async #signIn(agent: Agent): Promise<boolean> {
    try {
      const { authMethods } = await agent.connect();
      const method = await pickMethod(agent, authMethods);
      const ready = method && (await this.#prepare(agent, method));
      if (method === undefined || ready === undefined) {
        return false;
      }
      const isKnown = await withProgress(agent, method, (progress, signal) =>
        this.#logIn(agent, method, ready, { progress, signal }),
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
      const { title, detail } = describeFailure(error, agent.title);
      void showErrorMessage(l10n.t('Sign-in failed. {0}. {1}', title, detail));
      return false;
    }
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
    const program = await loginProgramOf(agent, method);
    if (program === undefined) {
      return false;
    }
    const code = await runLoginTerminal(
      program,
      method.command === undefined ? [...config.args, ...method.args] : method.args,
      { ...config.env, ...method.env },
      config.cwd ?? this.#services.workspace.folders[0]?.path,
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
    { progress, signal }: Shown,
  ): Promise<boolean> {
    if (ready === 'restart') {
      await agent.restart();
      signal.throwIfAborted();
    }
    const connection = await agent.connect();
    if (type !== 'terminal') {
      const prints = showPrints(agent, connection, progress);
      try {
        await connection.authenticate(id, signal);
      } finally {
        prints.dispose();
      }
    }
    return showsToWork(connection, this.#services.workspace.folders[0]?.path, signal);
  }
}

/** The UI of a login in progress: its progress and its cancellation. */
interface Shown {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Resolves to `undefined` when the user cancels. */
function withProgress<T>(
  agent: Agent,
  method: AuthMethod,
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const title = l10n.t(
    'Signing in to {0}: {1}',
    cleanText(agent.title, 60),
    cleanText(method.name, 60),
  );
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: plainMessage(title),
  };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        return await work(progress, abort.signal);
      } catch (error) {
        if (abort.signal.aborted) {
          return undefined;
        }
        throw error;
      } finally {
        listening.dispose();
      }
    }),
  );
}

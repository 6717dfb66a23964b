import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { describeFailure } from '../../model/failures/failures';
import { showWarningMessage } from '../../platform/ui/messages';
import { failureText } from '../../shared/failure';
import { Login, type SignInServices } from './login';

/**
 * Signs in to agents with the user's help (AUTH-1 to AUTH-8).
 */
export class SignInDialog {
  readonly #services: SignInServices;
  readonly #login: Login;
  /** Logins in progress; another request for the same agent shares its result. */
  readonly #running = new Map<Agent, Promise<boolean>>();

  constructor(services: SignInServices) {
    this.#services = services;
    this.#login = new Login(services);
  }

  /** Signs in to the agent with this ID. */
  async signInTo(agentId: string): Promise<boolean> {
    const agent = this.#services.agents.get(agentId);
    return agent !== undefined && (await this.signIn(agent));
  }

  /** Resolves to whether the login succeeded; failures are reported to the user here. */
  signIn(agent: Agent): Promise<boolean> {
    let running = this.#running.get(agent);
    if (running === undefined) {
      running = this.#login
        .signIn(agent)
        .then((isSignedIn) => {
          if (isSignedIn) {
            agent.noteSignIn(undefined);
          }
          return isSignedIn;
        })
        .finally(() => this.#running.delete(agent));
      this.#running.set(agent, running);
    }
    return running;
  }

  /**
   * Removes the user's keys and tokens for the agent; resolves to whether there were any. A running agent may still
   * use them.
   */
  async forgetKeys({ id, config: { remote } }: Agent): Promise<boolean> {
    const { apiKeys, tokens } = this.#services;
    return remote === undefined ? apiKeys.forget(id) : tokens.forget(remote);
  }

  /**
   * Runs work that may need a login. If the agent requires one, offers it and runs the work once more; a
   * second refusal is the caller's to handle (AUTH-4, AUTH-13).
   */
  async retrying<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const failure = describeFailure(error, agent.title);
      if (failure.code !== 'authRequired') {
        throw error;
      }
      const answer = await showWarningMessage(failureText(failure), l10n.t('Sign In'));
      if (answer === undefined || !(await this.signIn(agent))) {
        throw new vscode.CancellationError();
      }
      return work();
    }
  }
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../model/agent';
import type { Agents } from '../model/agents';
import { describeFailure } from '../model/failures';
import type { Workspace } from '../model/ports';
import { cleanText } from '../model/titles';
import { runLoginTerminal } from '../platform/loginTerminal';
import { plainMessage, showErrorMessage, showWarningMessage } from '../platform/messages';
import { plainLabel } from './plainLabel';

type Connection = Awaited<ReturnType<Agent['connect']>>;
type AuthMethod = Connection['authMethods'][number];

/** Logs in to agents with a person's help (AUTH-1 to AUTH-8). */
export class SignIn {
  readonly #agents: Pick<Agents, 'get'>;
  readonly #workspace: Workspace;
  /** Logins under way; whoever asks for one of them again waits for it. */
  readonly #running = new Map<Agent, Promise<boolean>>();

  constructor(agents: Pick<Agents, 'get'>, workspace: Workspace) {
    this.#agents = agents;
    this.#workspace = workspace;
  }

  /** As `signIn`, by the agent's id. */
  async signInTo(agentId: string): Promise<boolean> {
    const agent = this.#agents.get(agentId);
    return agent !== undefined && (await this.signIn(agent));
  }

  /** Whether it worked. What goes wrong is said here. */
  signIn(agent: Agent): Promise<boolean> {
    let running = this.#running.get(agent);
    if (running === undefined) {
      running = this.#signIn(agent).finally(() => this.#running.delete(agent));
      this.#running.set(agent, running);
    }
    return running;
  }

  /**
   * Does what may need a login. When the agent wants one, offers it once and does it once again; a second
   * refusal is the caller's (AUTH-4, AUTH-13).
   */
  async retrying<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const failure = describeFailure(error, agent.title);
      if (failure.code !== 'authRequired') {
        throw error;
      }
      const answer = await showWarningMessage(`${failure.title}.`, l10n.t('Sign In'));
      if (answer === undefined || !(await this.signIn(agent))) {
        throw new vscode.CancellationError();
      }
      return work();
    }
  }

  async #signIn(agent: Agent): Promise<boolean> {
    try {
      const connection = await agent.connect();
      const method = await pickMethod(agent, connection.authMethods);
      if (method === undefined) {
        return false;
      }
      const done =
        method.type === 'terminal'
          ? await this.#inTerminal(agent, method)
          : await authenticate(agent, connection, method);
      if (done) {
        vscode.window.setStatusBarMessage(
          l10n.t('Signed in to {0}', cleanText(agent.title, 60)),
          5000,
        );
      }
      return done;
    } catch (error) {
      const { title, detail } = describeFailure(error, agent.title);
      void showErrorMessage(l10n.t('Signing in did not work. {0}. {1}', title, detail));
      return false;
    }
  }

  /** The agent's own program, with what the method adds to it; then the agent starts anew (AUTH-5). */
  async #inTerminal(
    agent: Agent,
    { args, env }: Extract<AuthMethod, { type: 'terminal' }>,
  ): Promise<boolean> {
    const { config } = agent;
    const code = await runLoginTerminal(
      config.command,
      [...config.args, ...args],
      { ...config.env, ...env },
      config.cwd ?? this.#workspace.folders[0]?.path,
    );
    if (code !== 0) {
      const title = cleanText(agent.title, 60);
      void showErrorMessage(
        code === undefined
          ? l10n.t('Signing in did not work: the login of {0} was closed before its end.', title)
          : l10n.t('Signing in did not work: the login of {0} ended with code {1}.', title, code),
      );
      return false;
    }
    await agent.restart();
    return true;
  }
}

async function pickMethod(
  agent: Agent,
  methods: readonly AuthMethod[],
): Promise<AuthMethod | undefined> {
  const title = cleanText(agent.title, 60);
  if (methods.length <= 1) {
    if (methods.length === 0) {
      void showWarningMessage(
        l10n.t(
          '{0} offers no way to sign in from here. Log in with its own command in a terminal, then restart the agent.',
          title,
        ),
      );
    }
    return methods[0];
  }
  const items = methods.map((method) => ({
    label: plainLabel(cleanText(method.name, 120)),
    description: method.type === 'terminal' ? l10n.t('in a terminal') : '',
    detail: plainLabel(cleanText(method.description ?? '', 300)),
    method,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Sign In to {0}', title),
    placeHolder: l10n.t('How do you want to sign in?'),
  });
  return picked?.method;
}

function authenticate(agent: Agent, connection: Connection, method: AuthMethod): Promise<boolean> {
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
    vscode.window.withProgress(options, async (_progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        await connection.authenticate(method.id, abort.signal);
        return true;
      } catch (error) {
        if (abort.signal.aborted) {
          return false;
        }
        throw error;
      } finally {
        listening.dispose();
      }
    }),
  );
}

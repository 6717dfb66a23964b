import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { accountText } from '../../model/agents/accountWords';
import { loginCommandIn } from '../../model/agents/loginCommand';
import { describeProgram, loginProblem, type NamedProgram } from '../../model/agents/loginProgram';
import { joinedWords } from '../../model/calls/commandLine';
import { cleanText } from '../../model/text/titles';
import { realPath } from '../../platform/files/realPath';
import { findProgram } from '../../platform/loginTerminal';
import { tokenProblem } from '../../platform/storage/remoteSecrets';
import { showErrorMessage, showWarningMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import { plainLabel } from '../plainLabel';

/** A login method offered by a connection. */
export type AuthMethod = Awaited<ReturnType<Agent['connect']>>['authMethods'][number];
type MethodOf<Type extends AuthMethod['type']> = Extract<AuthMethod, { type: Type }>;

/** The command that an agent without methods has named when it refused a new session. */
export function namedLogin({ signInNeeded }: Agent): readonly AuthMethod[] {
  const description = signInNeeded?.said ?? '';
  const named = loginCommandIn(description);
  return named === undefined
    ? []
    : [{ type: 'terminal', id: '', name: named.command, ...named, env: {}, description }];
}

/** Asks for a login method; a single one is returned directly unless its description must be shown. */
export async function pickMethod(
  agent: Agent,
  methods: readonly AuthMethod[],
): Promise<AuthMethod | undefined> {
  const title = cleanText(agent.title, 60);
  const [first] = methods;
  if (first === undefined) {
    void showWarningMessage(
      l10n.t(
        '{0} offers no way to sign in from here. Log in with its own command in a terminal, then restart the agent.',
        title,
      ),
    );
    return undefined;
  }
  if (methods.length === 1 && (first.description === undefined || asksByItself(first))) {
    return first;
  }
  const account = accountText(agent);
  const items = methods.map((method) => ({
    label: plainLabel(cleanText(method.name, 120)),
    description: getKind(method),
    detail: plainLabel(cleanText(method.description ?? '', 300)),
    method,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Sign In to {0}', title),
    placeHolder:
      account === undefined
        ? l10n.t('How do you want to sign in?')
        : l10n.t('How do you want to sign in? Now: {0}', plainLabel(account)),
  });
  return picked?.method;
}

/** Whether the next step shows the description, too. */
function asksByItself(method: AuthMethod): boolean {
  return method.type === 'apiKey' || (method.type === 'terminal' && method.command !== undefined);
}

function getKind({ type }: AuthMethod): string {
  switch (type) {
    case 'terminal':
      return l10n.t('in a terminal');
    case 'apiKey':
      return l10n.t('with a key');
    case 'agent':
      return '';
  }
}

/** The key that the user enters; empty to remove the stored one, `undefined` if the user cancels. */
export async function askForKey(
  agent: Agent,
  { description, variable }: MethodOf<'apiKey'>,
): Promise<string | undefined> {
  const title = cleanText(agent.title, 60);
  const key = await vscode.window.showInputBox({
    title: l10n.t('Sign In to {0}', title),
    prompt: l10n.t(
      '{0} restarts with the key as {1}. VS Code stores it as a secret; leave this empty to remove the stored key.',
      title,
      variable,
    ),
    placeHolder: cleanText(description ?? '', 300),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /[\s\p{Cc}]/u.test(text.trim()) || text.length > maxKey
        ? l10n.t('A key has no spaces and at most {0} characters.', maxKey)
        : undefined,
  });
  return key?.trim();
}

/** The token that the server of an agent with an address requires; `undefined` if the user cancels. */
export async function askForToken(agent: Agent, url: string): Promise<string | undefined> {
  const token = await vscode.window.showInputBox({
    title: l10n.t('Sign In to {0}', cleanText(agent.title, 60)),
    prompt: l10n.t(
      'The token for {0}. It is sent to this address only, and VS Code stores it as a secret.',
      new URL(url).host,
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: tokenProblem,
  });
  return token?.trim() || undefined;
}

/** Maximum length in UTF-16 units: the key has to fit in an environment variable. */
const maxKey = 4096;

/**
 * The program to log in with: the agent's own, or one that the agent names and the user confirms each time.
 * `undefined` if it must not run; a refusal is reported to the user here.
 */
export async function findLoginProgram(
  agent: Agent,
  method: MethodOf<'terminal'>,
): Promise<string | undefined> {
  const problem = loginProblem(method);
  if (problem !== undefined) {
    void sayRefused(agent, problem);
    return undefined;
  }
  const { command } = method;
  return command === undefined ? agent.config.command : confirmed(agent, { ...method, command });
}

async function confirmed(
  agent: Agent,
  method: MethodOf<'terminal'> & { readonly command: string },
): Promise<string | undefined> {
  const program = await findProgram(method.command);
  const real = program && (await realPath(program));
  if (program === undefined || real === undefined) {
    const missing = l10n.t('Its program doesn’t exist: {0}.', cleanText(method.command, 200));
    if ((await sayRefused(agent, missing, copyCommand())) !== undefined) {
      await getCopyCommand(method);
    }
    return undefined;
  }
  const { args, env, description } = method;
  const own = await findProgram(agent.config.command);
  const agentPath = own && (await realPath(own));
  const named: NamedProgram = {
    ...{ command: program, args, env, description },
    realPath: real,
    agentPath,
  };
  const run = l10n.t('Run');
  const answer = await showWarningMessage(
    l10n.t('Run this program to sign in to {0}?', cleanText(agent.title, 60)),
    { modal: true, detail: describeProgram(named) },
    run,
    copyCommand(),
  );
  if (answer === copyCommand()) {
    await getCopyCommand(method);
  }
  return answer === run ? program : undefined;
}

function copyCommand(): string {
  return l10n.t('Copy Command');
}

async function getCopyCommand({ command, args }: MethodOf<'terminal'>): Promise<void> {
  await vscode.env.clipboard.writeText(literalLine(joinedWords([command, ...args]) ?? ''));
}

function sayRefused(
  agent: Agent,
  problem: string,
  ...actions: readonly string[]
): Thenable<string | undefined> {
  const title = cleanText(agent.title, 60);
  return showErrorMessage(
    l10n.t('Signing in to {0} was refused, and nothing was run. {1}', title, problem),
    ...actions,
  );
}

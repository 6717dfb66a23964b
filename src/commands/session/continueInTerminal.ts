import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findResumeCommand, isPlainId } from '../../model/agents/resumeCommand';
import { joinedWords } from '../../model/calls/commandLine';
import { isInside } from '../../model/files/roots';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { settingKeys, settingsSection } from '../../platform/ids';
import { findProgram, terminalStart } from '../../platform/loginTerminal';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import { isNetworkPath } from '../../util/networkPath';
import type { CommandServices } from './commandServices';
import { type CommandTarget, findOpenSession, findTarget } from './sessionTarget';

/**
 * "Continue in Terminal": runs the agent's own command line on a session, after showing the whole command. It runs
 * without a shell, so exactly what was shown is run, whatever shell the user has. The session is closed here first,
 * because two programs that write one session harm it.
 */
export async function continueInTerminal(
  services: CommandServices,
  argument: unknown,
): Promise<void> {
  const target = findTarget(services, argument);
  if (target === undefined) {
    return;
  }
  const { agent, info } = target;
  if (agent.config.remote !== undefined) {
    void showWarningMessage(
      l10n.t(
        '{0} runs on another machine. Continue the session in a terminal there.',
        cleanText(agent.title, 60),
      ),
    );
    return;
  }
  const words = findResumeCommand(agent.config, info.sessionId);
  if (words === undefined) {
    await offerSetting(cleanText(agent.title, 60));
    return;
  }
  const problem = findProblem(services, target);
  if (problem !== undefined) {
    void showWarningMessage(problem);
    return;
  }
  const open = findOpenSession(services, target);
  if (!(await agrees(target, words, open))) {
    return;
  }
  if (open !== undefined) {
    await services.panels.close(agent.id, info.sessionId);
    await open.close();
  }
  const program = await findProgram(words[0] ?? '');
  if (program === undefined) {
    void showWarningMessage(
      l10n.t('The program “{0}” wasn’t found. Install it, or set its path.', words[0] ?? ''),
    );
    return;
  }
  vscode.window
    .createTerminal({
      name: target.title,
      cwd: info.cwd,
      ...terminalStart(program, words.slice(1), agent.config.env),
      // Its environment may have secrets, which VS Code would store for the next window.
      isTransient: true,
    })
    .show();
}

/** Why the session can't be continued in a terminal, as a sentence for the user. */
function findProblem({ workspace }: CommandServices, { info }: CommandTarget): string | undefined {
  if (!workspace.trusted) {
    return l10n.t('Trust this workspace first: programs run only in workspaces that you trust.');
  }
  if (!isPlainId(info.sessionId)) {
    return l10n.t(
      'The agent gave this session an ID that can’t be passed to a program safely: {0}',
      literalLine(cleanText(info.sessionId, 100)),
    );
  }
  const folders = workspace.folders.map((folder) => folder.path);
  return isNetworkPath(info.cwd) && !isInside(info.cwd, folders)
    ? l10n.t('The session’s folder is on another machine: {0}', literalLine(info.cwd))
    : undefined;
}

async function agrees(
  { agent, info, title }: CommandTarget,
  words: readonly string[],
  open: Session | undefined,
): Promise<boolean> {
  const hasVariables = Object.keys(agent.config.env).length > 0;
  const detail = [
    literalLine(joinedWords(words) ?? ''),
    l10n.t('It runs in the folder {0}.', literalLine(info.cwd)),
    hasVariables && l10n.t('It gets the environment variables that are set for this agent.'),
    open !== undefined && describeHarm(open),
  ];
  const run = open === undefined ? l10n.t('Run') : l10n.t('Close Here and Run');
  const answer = await showInformationMessage(
    l10n.t('Continue “{0}” in a terminal?', cleanText(title, 100)),
    { modal: true, detail: detail.filter(Boolean).join('\n\n') },
    run,
  );
  return answer === run;
}

/** What becomes of a session that is open here. */
function describeHarm(session: Session): string {
  const title = cleanText(session.agent.title, 60);
  if (session.isLive && !session.agent.supports('close')) {
    return l10n.t(
      'It is open here, and {0} can’t close sessions: it keeps this one until it is stopped. Don’t continue it here as well, because two programs that write one session harm it.',
      title,
    );
  }
  return session.isBusy
    ? l10n.t(
        'It is open here and still working. It will be stopped and closed first, because two programs that write one session harm it.',
      )
    : l10n.t(
        'It is open here. It will be closed first, because two programs that write one session harm it.',
      );
}

async function offerSetting(title: string): Promise<void> {
  const openSettings = l10n.t('Open Settings');
  const setting = `${settingsSection}.${settingKeys.agents}`;
  const answer = await showInformationMessage(
    l10n.t(
      'It isn’t known how {0} continues a session in a terminal. Say so with "{1}" in its entry of the setting {2}.',
      title,
      'resumeCommand',
      setting,
    ),
    openSettings,
  );
  if (answer === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
  }
}

import * as l10n from '@vscode/l10n';
import { AcpError, type AcpErrorCode } from '../protocol/errors';
import type { Failure } from '../shared/failure';
import { cleanText } from './titles';

const unexpected: Failure = {
  code: 'internal',
  title: 'Something went wrong in ACP Sessions',
  detail: 'This is a fault of the extension, not of the agent. Try again; the log has the details.',
  actions: ['retry', 'showLog'],
};

/** Puts any error into words for a person; those of an agent by its code, never by its message (ER-5). */
export function describeFailure(error: unknown, agentTitle: string): Failure {
  if (!(error instanceof AcpError)) {
    return unexpected;
  }
  return descriptions[error.code](cleanText(agentTitle, 60), error);
}

/**
 * As `describeFailure`, for a session that couldn't be loaded (LOAD-11). Agents answer with many codes
 * when a session isn't there (T-14), so all of them lead to the same "not available".
 */
export function describeLoadFailure(error: unknown, agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  const code = error instanceof AcpError ? error.code : undefined;
  switch (code) {
    case 'gone':
    case 'invalidParams':
      return {
        code: 'gone',
        title: notAvailable,
        detail: `${agent} doesn't have it any more. It may have been deleted, or cleaned up after a while.`,
        actions: ['retry'],
      };
    case 'rpc':
      return {
        code: 'protocol',
        title: notAvailable,
        detail: `${agent} couldn't open it.${quote(error)} It may have been deleted; the log has the details.`,
        actions: ['retry', 'showLog'],
      };
    case 'unsupported':
      return {
        code: 'unsupported',
        title: `${agent} refused to open the session`,
        detail:
          'It says that it can open past sessions, but does not know the request. A newer version of the agent may.',
        actions: ['showLog'],
      };
    default:
      return describeFailure(error, agentTitle);
  }
}

const notAvailable = 'This session is not available';

/** The agent lists sessions and doesn't offer to load them (LIST-18, T-13). */
export function loadNotOffered(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'unsupported',
    title: `${agent} can't open past sessions`,
    detail: 'It lists its sessions, but has no way to show what was said in them.',
    actions: [],
  };
}

/** The agent was asked to go on with a session without its history, and can't (RES-1). */
export function resumeNotOffered(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'unsupported',
    title: `${agent} can't go on with past sessions`,
    detail: 'It neither replays them nor resumes them. Start a new session instead.',
    actions: [],
  };
}

/** The failure, with a word about the prompts that were waiting and won't be sent any more. */
export function withUnsentPrompts(failure: Failure, count: number): Failure {
  if (count === 0) {
    return failure;
  }
  const unsent = count === 1 ? 'One prompt was' : `${count} prompts were`;
  return { ...failure, detail: `${failure.detail} ${unsent} waiting and will not be sent.` };
}

/** The person, or a change of the settings, ended the agent of an open session. */
export function agentStopped(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'exited',
    title: `${agent} was stopped`,
    detail: 'What it sent until then is below. Try again to start it and to read the session anew.',
    actions: ['retry'],
  };
}

/** An open session's agent is no longer in the settings. */
export function agentRemoved(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'config',
    title: `${agent} is not configured any more`,
    detail: 'Add the agent to the settings again to open its sessions.',
    actions: ['editAgents'],
  };
}

type Describe = (agent: string, error: AcpError) => Failure;

const descriptions: Readonly<Record<AcpErrorCode, Describe>> = {
  folderGone: (_, { facts }) => ({
    code: 'folderGone',
    title: l10n.t('The folder of the session is not there'),
    detail: l10n.t(
      '“{0}” was moved, renamed or deleted, or its disk is not connected. Nothing was started.',
      cleanText(facts.missingFolder ?? '', 500),
    ),
    actions: ['locateFolder', 'retry'],
  }),
  notFound: (agent, error) => ({
    code: 'notFound',
    title: error.facts.missingFolder
      ? `${agent} has no folder to start in`
      : `${agent} was not found`,
    detail: error.facts.missingFolder
      ? `“${cleanText(error.facts.missingFolder, 200)}” is not there. Create it, or correct the folder in the settings.`
      : `${subject(error, 'Its command')} is not installed here, or not where it is looked for. Install it, or correct the command in the settings.`,
    actions: ['editAgents', 'retry', 'showLog'],
  }),
  notExecutable: (agent, error) => ({
    code: 'notExecutable',
    title: `${agent} can't be run`,
    detail: `${subject(error, 'Its command')} is there, but the system refuses to run it. Check its permissions, or correct the command in the settings.`,
    actions: ['editAgents', 'retry', 'showLog'],
  }),
  exited: (agent, error) => ({
    code: 'exited',
    title: `${agent} has ended`,
    detail: `Its process stopped by itself${exit(error)}. What it wrote last is in the log. Try again to start it anew.`,
    actions: ['retry', 'showLog'],
  }),
  timeout: (agent) => ({
    code: 'timeout',
    title: `${agent} didn't answer in time`,
    detail: 'It may be busy, or hang. Try again, or restart the agent.',
    actions: ['retry', 'showLog'],
  }),
  version: (agent, error) => ({
    code: 'version',
    title: `${agent} speaks another version of the protocol`,
    detail: `${subject(error, 'Its version')} is not one that this extension knows. Update the agent or the extension.`,
    actions: ['editAgents', 'retry', 'showLog'],
  }),
  authRequired: (agent) => ({
    code: 'authRequired',
    title: `${agent} needs you to log in`,
    detail: "Sign in, or log in with the agent's own command in a terminal, then try again.",
    actions: ['signIn', 'retry', 'showLog'],
  }),
  gone: (agent) => ({
    code: 'gone',
    title: `${agent} doesn't have this any more`,
    detail: 'It may have been deleted. Refresh the list to see what is there.',
    actions: ['retry'],
  }),
  unsupported: (agent) => ({
    code: 'unsupported',
    title: `${agent} can't do this`,
    detail: 'The agent does not offer it. A newer version of the agent may.',
    actions: ['showLog'],
  }),
  invalidParams: (agent, error) => ({
    code: 'protocol',
    title: `${agent} didn't accept the request`,
    detail: `It found something wrong with it.${quote(error)} The log has the details.`,
    actions: ['retry', 'showLog'],
  }),
  cancelled: (agent) => ({
    code: 'cancelled',
    title: 'Cancelled',
    detail: `${agent} was told to stop before it had finished.`,
    actions: ['retry'],
  }),
  malformed: (agent) => ({
    code: 'protocol',
    title: `${agent} sent an answer that can't be used`,
    detail:
      'It does not follow the protocol. A newer version of the agent may; the log has the answer.',
    actions: ['retry', 'showLog'],
  }),
  rpc: (agent, error) => ({
    code: 'protocol',
    title: `${agent} reported an error`,
    detail: `It couldn't do what was asked.${quote(error)} The log has the details.`,
    actions: ['retry', 'showLog'],
  }),
  untrusted: (agent) => ({
    code: 'untrusted',
    title: 'This workspace is not trusted',
    detail: `${agent} can read and change files and run commands, so it is not started until you trust the workspace.`,
    actions: ['manageTrust'],
  }),
};

function subject(error: AcpError, otherwise: string): string {
  const text = cleanText(error.facts.subject ?? '', 200);
  return text === '' ? otherwise : `“${text}”`;
}

function exit(error: AcpError): string {
  const text = cleanText(error.facts.exit ?? '', 80);
  return text === '' ? '' : ` (${text})`;
}

/** What an agent said about its error, in quotes (ER-4). Only an answer's message is in its words. */
function quote(error: unknown): string {
  const isAnswer = error instanceof AcpError && error.facts.rpcCode !== undefined;
  const said = isAnswer ? cleanText(error.message, 240) : '';
  return said === '' ? '' : ` It said: “${said}”.`;
}

import * as l10n from '@vscode/l10n';
import { AcpError, type AcpErrorCode } from '../../protocol/errors';
import { type Failure, isOfGuide, UserError } from '../../shared/failure';
import { cleanText } from '../text/titles';
import { quote, quoteError, quoteLast } from './agentWords';
import { lastWords, maxWordsLength, saysWhy } from './lastWords';
import { findMissingPart } from './missingPart';

const unexpected: Failure = {
  code: 'internal',
  title: l10n.t('Something went wrong in ACP Sessions'),
  detail: l10n.t(
    'This is an error in the extension, not in the agent. Try again, or look in the log for details.',
  ),
  actions: ['retry', 'showLog'],
};

/** A transcript has received more than can be kept, in pieces too small to be shortened. */
export function transcriptFull(): Failure {
  return {
    code: 'protocol',
    title: l10n.t('This session is too large to show more'),
    detail: l10n.t(
      'This session stays readable, but new updates are not shown. Continue in a new session.',
    ),
    actions: [],
  };
}

/** Describes any error for the user; an agent's error by its code, never by its message (ER-5). */
export function describeFailure(error: unknown, agentTitle: string): Failure {
  if (!(error instanceof AcpError)) {
    return error instanceof UserError ? error.failure : unexpected;
  }
  const agent = cleanText(agentTitle, 60);
  const { noise, words } = error.facts;
  const isAgent = noise === undefined || (error.code === 'exited' && saysWhy(error.facts));
  const part = findMissingPart(error);
  const described =
    part !== undefined
      ? needsPart(agent, part, error)
      : isAgent || words
        ? descriptions[error.code](agent, error)
        : notAcp(agent, error, noise);
  const failure = words === undefined ? described : ofRemote({ ...described, ...words });
  const said = quoteError(error);
  return said === '' ? failure : { ...quoting(failure, error), said };
}

/** Adds the agent's message as a quotation, whatever the description (ER-4). */
function quoting(failure: Failure, error: AcpError): Failure {
  const quoted = quote(error);
  return failure.detail.includes(quoted)
    ? failure
    : { ...failure, detail: sentences(failure.detail, quoted) };
}

/** Only an agent on another machine has words of its own. */
function ofRemote(failure: Failure): Failure {
  const helping = failure.actions.filter((action) => !isOfGuide(action));
  return { ...failure, actions: [...helping, 'learnRemote'] };
}

/** The id of the agent that an error is about, if known. */
export function findAgentId(error: unknown): string | undefined {
  return error instanceof AcpError ? error.agentId : undefined;
}

/** The agent is a wrapper of a program that isn't there. */
function needsPart(agent: string, part: string, error: AcpError): Failure {
  return {
    code: 'notFound',
    title: l10n.t('{0} needs “{1}”, which was not found', agent, part),
    detail: sentences(
      l10n.t(
        'The agent itself has started, but it works through “{0}”, which is not installed here, or not on the PATH. Install it, then restart the agent.',
        part,
      ),
      quoteLast(error),
    ),
    actions: ['retry', 'diagnose', 'showLog'],
  };
}

/** The program's output isn't ACP: most likely the wrong program, or one that lacks an argument. */
function notAcp(agent: string, error: AcpError, noise: string): Failure {
  return {
    code: 'protocol',
    title: l10n.t('{0} printed something that isn’t ACP', agent),
    detail: sentences(
      l10n.t(
        'Its output began with “{0}”, and it didn’t answer.',
        cleanText(noise, maxWordsLength),
      ),
      error.code === 'exited' ? l10n.t('Its process has stopped{0}.', exit(error)) : '',
      quoteLast(error),
      l10n.t(
        'Check its command in the settings: many agents need an argument such as --acp or --experimental-acp to speak the Agent Client Protocol.',
      ),
    ),
    actions: ['editAgents', 'retry', 'diagnose', 'showLog'],
  };
}

/**
 * Like `describeFailure`, for a session that couldn't be loaded (LOAD-11). Agents use various error
 * codes for a missing session (T-14), so all of them lead to the same "not available".
 */
export function describeLoadFailure(error: unknown, agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  const isPartMissing = error instanceof AcpError && findMissingPart(error) !== undefined;
  const code = error instanceof AcpError && !isPartMissing ? error.code : undefined;
  switch (code) {
    case 'gone':
    case 'invalidParams':
      return {
        code: 'gone',
        title: notAvailable,
        detail: sentences(
          l10n.t('{0} no longer has it. It may have been deleted or expired.', agent),
          quote(error),
        ),
        actions: ['retry'],
      };
    case 'rpc':
      return {
        code: 'protocol',
        title: notAvailable,
        detail: sentences(
          l10n.t('{0} couldn’t open it.', agent),
          quote(error),
          l10n.t('It may have been deleted. The log has the details.'),
        ),
        actions: ['retry', 'showLog'],
      };
    case 'unsupported':
      return {
        code: 'unsupported',
        title: l10n.t('{0} refused to open the session', agent),
        detail: l10n.t(
          'It reports that it can open past sessions, but it doesn’t support the request. A newer version of the agent may.',
        ),
        actions: ['showLog'],
      };
    default:
      return describeFailure(error, agentTitle);
  }
}

const notAvailable = l10n.t('This session is not available');

/** Adds an offer to forget a session that the agent doesn't have and only this window lists. */
export function offerToForget(failure: Failure): Failure {
  return failure.title === notAvailable
    ? {
        ...failure,
        detail: sentences(failure.detail, l10n.t('Forget it to remove it from the list.')),
        actions: [...failure.actions, 'forgetSession'],
      }
    : failure;
}

/** The agent lists sessions but can't load them (LIST-18, T-13). */
export function loadNotOffered(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'unsupported',
    title: l10n.t('{0} can’t open past sessions', agent),
    detail: l10n.t('It lists its sessions but can’t show their contents.'),
    actions: ['learnAbilities'],
  };
}

/** A session was to be continued without its history, but the agent can't resume (RES-1). */
export function resumeNotOffered(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'unsupported',
    title: l10n.t('{0} can’t resume past sessions', agent),
    detail: l10n.t('It can neither replay nor resume them. Start a new session instead.'),
    actions: [],
  };
}

/** Adds a sentence about queued prompts that won't be sent automatically. */
export function withUnsentPrompts(failure: Failure, count: number): Failure {
  if (count === 0) {
    return failure;
  }
  const unsent =
    count === 1
      ? l10n.t('One prompt was waiting. It was not sent and is kept below.')
      : l10n.t('{0} prompts were waiting. They were not sent and are kept below.', count);
  return { ...failure, detail: sentences(failure.detail, unsent) };
}

/** A turn that was running when its window was reloaded or closed, or the extension went away. */
export function turnInterrupted(agentTitle: string): Failure {
  return {
    code: 'cancelled',
    title: l10n.t('Interrupted: the window was reloaded or closed during this turn'),
    detail: l10n.t(
      'The output of {0} up to then is above. Send the prompt again, or say how to continue.',
      cleanText(agentTitle, 60),
    ),
    actions: [],
  };
}

/** The user, or a change of the settings, stopped the agent of an open session. */
export function agentStopped(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'exited',
    title: l10n.t('{0} was stopped', agent),
    detail: l10n.t(
      'Its output up to then is below. Try again to restart it and reload the session.',
    ),
    actions: ['retry'],
  };
}

/** The agent of an open session was removed from the settings. */
export function agentRemoved(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'config',
    title: l10n.t('{0} is no longer configured', agent),
    detail: l10n.t('Add the agent to the settings again to open its sessions.'),
    actions: ['editAgents'],
  };
}

/** A tab's URI names a session that was neither listed nor opened here. */
export function sessionUnknown(agentTitle: string): Failure {
  const agent = cleanText(agentTitle, 60);
  return {
    code: 'unsupported',
    title: l10n.t('Unknown session'),
    detail: l10n.t(
      '{0} hasn’t listed it, and it was never opened in this workspace, so nothing was requested. Find it in the ACP Sessions view, then try again.',
      agent,
    ),
    actions: ['retry'],
  };
}

/** A tab's URI doesn't name a session. */
export function uriUnreadable(): Failure {
  return {
    code: 'unsupported',
    title: l10n.t('This address doesn’t lead to a session'),
    detail: l10n.t(
      'It must name an agent, a session and a folder, and nothing else. Nothing was opened. Close this tab and open the session in the ACP Sessions view.',
    ),
    actions: [],
  };
}

type Describe = (agent: string, error: AcpError) => Failure;

const descriptions: Readonly<Record<AcpErrorCode, Describe>> = {
  removed: agentRemoved,
  folderGone: (_, { facts }) => ({
    code: 'folderGone',
    title: l10n.t('The session’s folder doesn’t exist'),
    detail: l10n.t(
      '“{0}” was moved, renamed or deleted, or its disk is not connected. Nothing was started.',
      cleanText(facts.missingFolder ?? '', 500),
    ),
    actions: ['locateFolder', 'retry'],
  }),
  notFound: (agent, error) => ({
    code: 'notFound',
    title: error.facts.missingFolder
      ? l10n.t('The working directory of {0} doesn’t exist', agent)
      : l10n.t('{0} was not found', agent),
    detail: error.facts.missingFolder
      ? l10n.t(
          '“{0}” doesn’t exist. Create it, or correct the folder in the settings.',
          cleanText(error.facts.missingFolder, 200),
        )
      : l10n.t(
          '{0} is not installed here, or not on the PATH. Install it, or correct the command in the settings.',
          subject(error, l10n.t('Its command')),
        ),
    actions: ['editAgents', 'retry', 'diagnose', 'showLog', 'learnSettings'],
  }),
  notExecutable: (agent, error) => ({
    code: 'notExecutable',
    title: l10n.t('{0} can’t be run', agent),
    detail: l10n.t(
      '{0} exists, but the system refuses to run it. Check its permissions, or correct the command in the settings.',
      subject(error, l10n.t('Its command')),
    ),
    actions: ['editAgents', 'retry', 'diagnose', 'showLog', 'learnSettings'],
  }),
  exited: (agent, error) => ({
    code: 'exited',
    title: l10n.t('{0} has ended', agent),
    detail: sentences(
      l10n.t('Its process ended unexpectedly{0}.', exit(error)),
      quoteLast(error) || l10n.t('The log may say why.'),
      isTooYoung(error)
        ? l10n.t(
            'npm is set to refuse versions that are too new (min-release-age or before): wait, or use an older version.',
          )
        : l10n.t('Try again to restart it.'),
    ),
    actions: ['retry', 'diagnose', 'showLog'],
  }),
  timeout: (agent, error) => ({
    code: 'timeout',
    title: l10n.t('{0} didn’t answer in time', agent),
    detail: sentences(
      l10n.t('It may be busy or not responding.'),
      quoteLast(error),
      l10n.t('Try again, or restart the agent.'),
    ),
    actions: ['retry', 'diagnose', 'showLog'],
  }),
  version: (agent, error) => ({
    code: 'version',
    title: l10n.t('{0} speaks another version of the protocol', agent),
    detail: /^[12]$/.test(error.facts.subject ?? '')
      ? l10n.t(
          'It speaks version {0}, which your settings don’t allow with it. Diagnose it to change that with one click, or set its "protocol" in the settings.',
          subject(error, ''),
        )
      : l10n.t(
          '{0} is not supported by this extension. Update the agent or the extension.',
          subject(error, l10n.t('Its version')),
        ),
    actions: ['editAgents', 'retry', 'diagnose', 'showLog', 'learnProtocol'],
  }),
  authRequired: (agent, error) => ({
    code: 'authRequired',
    title: l10n.t('{0} requires you to sign in', agent),
    detail: sentences(
      quote(error),
      l10n.t('Sign in here, or with the agent’s own command in a terminal, then try again.'),
    ),
    actions: ['signIn', 'retry', 'showLog', 'learnSignIn'],
  }),
  gone: (agent) => ({
    code: 'gone',
    title: l10n.t('{0} no longer has this', agent),
    detail: l10n.t('It may have been deleted. Refresh the list to see what is there.'),
    actions: ['retry'],
  }),
  held: (agent, error) => ({
    code: 'held',
    title: l10n.t('This session is open elsewhere'),
    detail: sentences(
      l10n.t('It is still there, but {0} has it open in another process.', agent),
      quote(error),
      l10n.t('Close it there, then try again. If it isn’t open anywhere, restart {0}.', agent),
    ),
    actions: ['retry', 'showLog'],
  }),
  unsupported: (agent) => ({
    code: 'unsupported',
    title: l10n.t('{0} can’t do this', agent),
    detail: l10n.t('The agent doesn’t support it. A newer version of the agent may.'),
    actions: ['showLog'],
  }),
  invalidParams: (agent, error) => ({
    code: 'protocol',
    title: l10n.t('{0} didn’t accept the request', agent),
    detail: sentences(
      l10n.t('It reported an error in the request.'),
      quote(error),
      l10n.t('The log has the details.'),
    ),
    actions: ['retry', 'showLog'],
  }),
  cancelled: (agent) => ({
    code: 'cancelled',
    title: l10n.t('Canceled'),
    detail: l10n.t('{0} was stopped before it finished.', agent),
    actions: ['retry'],
  }),
  malformed: (agent) => ({
    code: 'protocol',
    title: l10n.t('{0} sent an invalid answer', agent),
    detail: l10n.t(
      'The answer doesn’t follow the protocol. A newer version of the agent may fix this; the log has the answer.',
    ),
    actions: ['retry', 'diagnose', 'showLog'],
  }),
  rpc: (agent, error) => ({
    code: 'protocol',
    title: l10n.t('{0} reported an error', agent),
    detail: sentences(
      l10n.t('It couldn’t complete the request.'),
      quote(error),
      l10n.t('The log has the details.'),
    ),
    actions: ['retry', 'showLog'],
  }),
  untrusted: (agent) => ({
    code: 'untrusted',
    title: l10n.t('This workspace is not trusted'),
    detail: l10n.t(
      '{0} can read and change files and run commands, so it is not started until you trust the workspace.',
      agent,
    ),
    actions: ['manageTrust', 'learnTrust'],
  }),
};

/** npm's words for a version that exists, but that the user's npm doesn't install yet. */
function isTooYoung(error: AcpError): boolean {
  return / with a date before /.test(lastWords(error.facts));
}

function subject(error: AcpError, otherwise: string): string {
  const text = cleanText(error.facts.subject ?? '', 200);
  return text === '' ? otherwise : `“${text}”`;
}

function exit(error: AcpError): string {
  const text = cleanText(error.facts.exit ?? '', 80);
  return text === '' ? '' : ` (${text})`;
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}

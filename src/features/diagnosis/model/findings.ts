import path from 'node:path';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import { findMissingPart } from '../../../model/failures/missingPart';
import type { AgentConfig } from '../../../model/ports';
import type { AcpError } from '../../../protocol/errors';
import type { Diagnosis } from './diagnosis';
import type { Finding, Remedy } from './finding';
import type { NodeFacts } from './nodeLookup';
import { isOlder } from './programFacts';
import type { FoundProgram } from './programLookup';
import type { ReportWords } from './reportWords';
import { refusedVersion, versionFinding } from './versionFindings';

export type { Finding, Remedy };

/** Everything that is wrong with an agent, or that may be; the causes come before what follows from them. */
export function getFindings(diagnosis: Diagnosis, words: ReportWords): readonly Finding[] {
  const causes = [
    ...trustFindings(diagnosis),
    ...(diagnosis.config.remote === undefined ? commandFindings(diagnosis, words) : []),
    ...nodeFindings(diagnosis, words),
  ];
  const isExplained = causes.some(({ severity }) => severity === 'error');
  return [
    ...causes,
    ...startFindings(diagnosis, isExplained, words),
    ...answerFindings(diagnosis, words),
  ];
}

function trustFindings({ trusted }: Diagnosis): readonly Finding[] {
  return trusted
    ? []
    : [
        {
          severity: 'error',
          title: l10n.t('This workspace is not trusted'),
          detail: l10n.t(
            'An agent can read and change files and run commands, so nothing was started: neither the agent nor a shell.',
          ),
          remedy: 'manageTrust',
        },
      ];
}

function commandFindings(diagnosis: Diagnosis, words: ReportWords): readonly Finding[] {
  const { config, cwd = '', missingFolder, lookup, agent } = diagnosis;
  const found: Finding[] = [];
  if (missingFolder) {
    found.push({
      severity: 'error',
      title: l10n.t('The folder to start in doesn’t exist'),
      detail: l10n.t(
        '{0} is not there. Create it, or correct "cwd" in the settings.',
        words.code(cwd),
      ),
      remedy: 'editAgents',
    });
  }
  if (lookup.program !== undefined) {
    found.push(...placeFindings(lookup.program, words));
  } else if (lookup.refused !== undefined) {
    found.push({
      severity: 'error',
      title: l10n.t('The command can’t be run'),
      detail: l10n.t(
        '{0} exists, but isn’t a program that you may run. Check its permissions, or correct the command in the settings.',
        words.code(lookup.refused),
      ),
      remedy: 'editAgents',
    });
  } else if (agent === undefined) {
    found.push(notFound(config.command, diagnosis, words));
  }
  if (lookup.loginFailed && lookup.program === undefined) {
    found.push({
      severity: 'warning',
      title: l10n.t('The login shell gave no environment'),
      detail: l10n.t(
        'It failed or took longer than ten seconds, so programs that only its profile puts on the PATH aren’t found.',
      ),
    });
  }
  return found;
}

/** Programs that come with Node. */
const ofNode = /^(?:node|npx|npm)(?:\.exe|\.cmd)?$/i;

function notFound(command: string, { lookup }: Diagnosis, words: ReportWords): Finding {
  const title = l10n.t('The command was not found');
  if (lookup.elsewhere !== undefined) {
    return {
      severity: 'error',
      title,
      detail: l10n.t(
        '{0} is on no PATH, but is installed as {1}. Use that path as the command, or add its folder to the PATH of your login shell and reload the window.',
        words.code(command),
        words.code(lookup.elsewhere),
      ),
      remedy: 'editAgents',
    };
  }
  if (ofNode.test(command)) {
    return {
      severity: 'error',
      title: l10n.t('Node.js was not found'),
      detail: l10n.t(
        '{0} is a part of Node.js. Install Node.js, or use the whole path of the program as the command.',
        words.code(command),
      ),
      remedy: 'installNode',
    };
  }
  return {
    severity: 'error',
    title,
    detail: /[\\/]/.test(command)
      ? l10n.t('There is no file {0}. Correct the command in the settings.', words.code(command))
      : l10n.t(
          '{0} is neither on the PATH of VS Code nor on that of the login shell. Install it, or use its whole path as the command.',
          words.code(command),
        ),
    remedy: 'editAgents',
  };
}

function placeFindings(program: FoundProgram, words: ReportWords): readonly Finding[] {
  const found: Finding[] = [];
  if (process.platform === 'linux' && /^\/mnt\/[a-z]\//.test(program.realPath)) {
    found.push({
      severity: 'warning',
      title: l10n.t('The command is a program of Windows'),
      detail: l10n.t(
        '{0} belongs to Windows, but this window runs in WSL: folders have other names there. Install the agent in WSL.',
        words.code(program.realPath),
      ),
      remedy: 'editAgents',
    });
  }
  const { interpreter } = program;
  if (interpreter?.isNode === false && program.lacksInterpreter) {
    found.push({
      severity: 'error',
      title: l10n.t('The program that runs the command is missing'),
      detail: l10n.t(
        'The first line of {0} names {1}, which doesn’t exist.',
        words.code(program.file),
        words.code(interpreter.program),
      ),
      remedy: 'editAgents',
    });
  }
  return found;
}

function nodeFindings({ lookup, node }: Diagnosis, words: ReportWords): readonly Finding[] {
  const { program } = lookup;
  if (program === undefined || node === undefined) {
    return [];
  }
  if (node.file === undefined) {
    return [missingNode(program, node, words)];
  }
  if (node.version === undefined) {
    return [
      {
        severity: 'warning',
        title: l10n.t('Node.js doesn’t tell its version'),
        detail: l10n.t(
          '{0} failed when it was asked. A version manager may have no version selected.',
          words.code(node.file),
        ),
        remedy: 'installNode',
      },
    ];
  }
  const { package: of } = program;
  return of?.node !== undefined && isOlder(node.version, of.node)
    ? [
        {
          severity: 'error',
          title: l10n.t('Node.js is too old for this agent'),
          detail: l10n.t(
            '{0} needs {1}, and {2} is {3}.',
            words.code(of.name),
            words.code(of.node),
            words.code(node.file),
            words.code(node.version),
          ),
          remedy: 'installNode',
        },
      ]
    : [];
}

function missingNode(
  { file }: FoundProgram,
  { inLoginShell }: NodeFacts,
  words: ReportWords,
): Finding {
  return inLoginShell === undefined
    ? {
        severity: 'error',
        title: l10n.t('Node.js was not found'),
        detail: l10n.t(
          '{0} is a script that needs it. Install Node.js, or set up the program that manages its versions in the profile of your login shell.',
          words.code(path.basename(file)),
        ),
        remedy: 'installNode',
      }
    : {
        severity: 'error',
        title: l10n.t('Only the login shell finds Node.js'),
        detail: l10n.t(
          'The command is found without the login shell, so it doesn’t get its PATH, and the script doesn’t find {0}. Use that as the command, with the script as its first argument, or add its folder to "PATH" in "env".',
          words.code(inLoginShell),
        ),
        remedy: 'editAgents',
      };
}

function startFindings(
  { config, startError, noise, noiseFirst, agent }: Diagnosis,
  isExplained: boolean,
  words: ReportWords,
): readonly Finding[] {
  const [first] = noise;
  if (startError !== undefined) {
    const isKnown = isExplained && ['notFound', 'notExecutable'].includes(startError.code);
    const finding = isKnown ? undefined : startFinding(config, startError, first, words);
    return finding === undefined ? [] : [finding];
  }
  return first !== undefined && noiseFirst && agent !== undefined
    ? [
        {
          severity: 'warning',
          title: l10n.t('It prints text where only messages belong'),
          detail: l10n.t(
            'Before its first message, it printed {0} on standard output. Such lines are left out; a quieter version or argument of the agent would be better.',
            words.code(first),
          ),
          remedy: 'showLog',
        },
      ]
    : [];
}

/** The remedy for an error that comes with words of its own. */
function getRemedy({ code, facts }: AcpError): Remedy {
  if (code === 'version' && facts.subject === '2') {
    return 'useProtocol1';
  }
  return code === 'authRequired' ? 'signIn' : 'editAgents';
}

function startFinding(
  config: AgentConfig,
  error: AcpError,
  first: string | undefined,
  words: ReportWords,
): Finding | undefined {
  if (error.facts.words !== undefined) {
    const remedy = getRemedy(error);
    return { severity: 'error', ...error.facts.words, remedy };
  }
  const part = findMissingPart(error);
  if (part !== undefined) {
    return {
      severity: 'error',
      title: l10n.t('It needs a program that isn’t there'),
      detail: l10n.t(
        'It works through {0}, which is not installed here, or not on the PATH. Install it, then restart the agent.',
        words.code(part),
      ),
      remedy: 'editAgents',
    };
  }
  switch (error.code) {
    case 'cancelled':
    case 'untrusted':
      return undefined;
    case 'notFound':
    case 'notExecutable':
      return {
        severity: 'error',
        title: l10n.t('The system refused to start it'),
        detail: words.code(error.message),
        remedy: 'editAgents',
      };
    case 'authRequired':
      return signInFinding(error, words);
    case 'version':
      return versionFinding(config, error, words);
    default:
      return first === undefined ? silentFinding(config, error, words) : notAcp(first, words);
  }
}

function notAcp(first: string, words: ReportWords): Finding {
  return {
    severity: 'error',
    title: l10n.t('It printed something that isn’t ACP'),
    detail: l10n.t(
      'Its output began with {0}, and it didn’t answer. Many agents need an argument such as --acp or --experimental-acp to speak the Agent Client Protocol.',
      words.code(first),
    ),
    remedy: 'editAgents',
  };
}

function silentFinding(config: AgentConfig, error: AcpError, words: ReportWords): Finding {
  const { exit } = error.facts;
  if (error.code === 'exited' && exit !== undefined) {
    return {
      severity: 'error',
      title: l10n.t('It ended before it answered'),
      detail:
        exit === 'exit code 127'
          ? l10n.t(
              'It ended with {0}, which usually means that a script didn’t find a program that it needs. Its last output is below.',
              words.code(exit),
            )
          : l10n.t('It ended with {0}. Its last output is below.', words.code(exit)),
      remedy: 'showLog',
    };
  }
  if (error.code === 'timeout') {
    return {
      severity: 'error',
      title: l10n.t('It didn’t answer'),
      detail: l10n.t(
        'The process runs, but didn’t answer “initialize” in time. It may not speak the Agent Client Protocol without an argument such as --acp, wait for something, or still be downloading.',
      ),
      remedy: 'editAgents',
    };
  }
  const title = l10n.t('It answered “initialize” with an error');
  return (
    refusedVersion(config, error, title, words) ?? {
      severity: 'error',
      title,
      detail: words.code(error.message),
      remedy: 'showLog',
    }
  );
}

function answerFindings({ agent }: Diagnosis, words: ReportWords): readonly Finding[] {
  if (agent === undefined) {
    return [];
  }
  const { listError, capabilities } = agent;
  const found: Finding[] = [];
  if (listError?.code === 'authRequired') {
    found.push(signInFinding(listError, words));
  } else if (listError?.code === 'timeout') {
    found.push({
      severity: 'error',
      title: l10n.t('It didn’t list its sessions'),
      detail: l10n.t('It started, but didn’t answer “session/list” in time.'),
      remedy: 'showLog',
    });
  } else if (listError !== undefined && listError.code !== 'cancelled') {
    found.push({
      severity: 'error',
      title: l10n.t('It couldn’t list its sessions'),
      detail: words.code(listError.message),
      remedy: 'showLog',
    });
  }
  if (!capabilities.list) {
    found.push({
      severity: 'note',
      title: l10n.t('It can’t list its sessions'),
      detail: l10n.t(
        'Only sessions that were opened here are listed. Whether you are signed in shows when a session is opened.',
      ),
    });
  }
  if (!capabilities.load) {
    found.push({
      severity: 'note',
      title: l10n.t('It can’t load past sessions'),
      detail: l10n.t('Their conversations can’t be shown once they are closed.'),
    });
  }
  return found;
}

function signInFinding(error: AcpError, words: ReportWords): Finding {
  return {
    severity: 'error',
    title: l10n.t('You aren’t signed in'),
    detail: l10n.t(
      'It said: {0}. Sign in here, or with the agent’s own command in a terminal.',
      words.code(error.message),
    ),
    remedy: 'signIn',
  };
}

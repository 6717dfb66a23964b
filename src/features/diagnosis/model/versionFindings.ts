import * as l10n from '@vscode/l10n';
import type { AgentConfig } from '../../../model/ports';
import type { AcpError } from '../../../protocol/errors';
import type { Finding } from './finding';
import type { ReportWords } from './reportWords';

/** The agent speaks another version than it was asked for: one that only the settings forbid, or an unknown one. */
export function versionFinding(
  { protocol = '1' }: AgentConfig,
  { facts: { subject = '' } }: AcpError,
  words: ReportWords,
): Finding {
  const title = l10n.t('It speaks another version of the protocol');
  const isKnown = subject === '1' || subject === '2';
  return isKnown && protocol !== 'auto' && protocol !== subject
    ? {
        severity: 'error',
        title,
        detail: l10n.t(
          'It answered with version {0}, but was asked for {1}, because your settings allow no other with it. Version {0} can be used as well.',
          words.code(subject),
          words.code(protocol),
        ),
        remedy: subject === '1' ? 'useProtocol1' : 'useProtocol2',
      }
    : {
        severity: 'error',
        title,
        detail: l10n.t(
          'It answered with version {0}. Update the agent or this extension.',
          words.code(subject),
        ),
        remedy: 'editAgents',
      };
}

/** An agent that was asked for version 2 only and answered with an error; `undefined` for others. */
export function refusedVersion(
  { protocol }: AgentConfig,
  { message, facts }: AcpError,
  title: string,
  words: ReportWords,
): Finding | undefined {
  return protocol === '2' && facts.rpcCode !== undefined
    ? {
        severity: 'error',
        title,
        detail: l10n.t(
          '{0}. It was asked for version 2 of the protocol, which it may not know.',
          words.code(message),
        ),
        remedy: 'useProtocol1',
      }
    : undefined;
}

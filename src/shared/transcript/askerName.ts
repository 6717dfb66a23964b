import * as l10n from '@vscode/l10n';
import { literalLine } from '../literal';
import type { Asker } from './entries';

/** Who asks: the agent, or a subagent with the name of what started it (SUB-7). */
export function askerName(from: Asker | undefined, agentTitle: string): string {
  return from === undefined
    ? agentTitle
    : l10n.t(
        '{0} (subagent of {1})',
        literalLine(from.title),
        literalLine(from.parent ?? agentTitle),
      );
}

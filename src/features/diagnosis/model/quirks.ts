import * as l10n from '@vscode/l10n';
import type { Diagnosis } from './diagnosis';

/** Something that an agent does differently, as docs/interop.md has it. */
interface Quirk {
  /** The observation's id there. */
  readonly id: string;
  readonly text: string;
}

interface KnownBehavior {
  /** What a command, a package or the agent's own name contains. */
  readonly names: RegExp;
  /** The version in which the quirks were seen. */
  readonly seenIn: string;
  readonly quirks: readonly Quirk[];
}

const exactFolders: Quirk = {
  id: 'T-1',
  text: l10n.t(
    'It compares folders letter by letter, so a link or another spelling of a folder looks like a folder without sessions. Sessions are asked for in several spellings.',
  ),
};
const longTitles: Quirk = {
  id: 'T-6',
  text: l10n.t('The titles of its sessions are whole prompts. They are shortened.'),
};

const known: readonly KnownBehavior[] = [
  {
    names: /claude-(?:agent|code)-acp/i,
    seenIn: '0.100.0',
    quirks: [
      {
        id: 'SUB-3',
        text: l10n.t(
          'Its subagents have no sessions of their own. They are shown by the calls that started them.',
        ),
      },
      {
        id: 'T-42',
        text: l10n.t('A fork ends at a message, which is known only after a session was loaded.'),
      },
    ],
  },
  {
    names: /\bcodex\b/i,
    seenIn: '2.6.0',
    quirks: [
      {
        id: 'T-3',
        text: l10n.t(
          'Pages of its list can be empty although more follow. A bounded number is read at a time.',
        ),
      },
      {
        id: 'T-42',
        text: l10n.t('A fork ends at the end of the turn of its message.'),
      },
    ],
  },
  {
    names: /\bcopilot\b/i,
    seenIn: '1.0.102',
    quirks: [
      exactFolders,
      longTitles,
      {
        id: 'T-11',
        text: l10n.t(
          'It refuses to load a session that is open in its process (“already loaded”).',
        ),
      },
    ],
  },
  { names: /\bqwen\b/i, seenIn: '0.24.4', quirks: [exactFolders, longTitles] },
  { names: /\bpi-acp\b/i, seenIn: '0.0.34', quirks: [longTitles] },
  {
    names: /\bgemini\b/i,
    seenIn: '0.61.0',
    quirks: [
      {
        id: 'T-9',
        text: l10n.t(
          'Most of a loaded session arrives after its answer. It is shown all the same.',
        ),
      },
    ],
  },
];

/** What is known about this agent, and the version that it was seen in. */
export function findQuirks({
  config,
  lookup,
  agent,
}: Pick<Diagnosis, 'config' | 'lookup' | 'agent'>):
  | Pick<KnownBehavior, 'seenIn' | 'quirks'>
  | undefined {
  const { package: found, realPath = '' } = lookup.program ?? {};
  const names = [config.command, ...config.args, realPath, found?.name, agent?.info.title];
  return known.find((behavior) =>
    names.some((name) => name !== undefined && behavior.names.test(name)),
  );
}

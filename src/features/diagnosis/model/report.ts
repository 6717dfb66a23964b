import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentConfig } from '../../../model/ports';
import type { AgentCapabilities } from '../../../protocol/agentConnection';
import { type Diagnosis, type StepKind, stepKinds } from './diagnosis';
import { type Finding, getFindings, type Remedy } from './findings';
import { needsNode } from './nodeLookup';
import { findQuirks } from './quirks';
import { ReportWords } from './reportWords';
import { withoutHome } from './withoutHome';

/** What a report says about where the diagnosis ran, in fixed words. */
export interface ReportContext {
  readonly title: string;
  /** Names with versions: of this extension, of VS Code, of the system. */
  readonly versions: readonly string[];
  /** Removes what settings and sign-ins hold; those of the agent's own settings are removed in any case. */
  readonly withoutHeld?: (text: string) => string;
  /** What features say of the agent. */
  readonly facts?: readonly string[];
}

export interface Report {
  readonly markdown: string;
  /** What can be done about a finding, by the line of its heading, counted from 0. */
  readonly remedies: readonly { readonly line: number; readonly remedy: Remedy }[];
}

type StepNames = Readonly<Partial<Record<StepKind, string>>>;

const maxPathFolders = 100;
const maxVariables = 50;
const maxMethods = 20;

/** The report of a diagnosis, for an editor: what others have written is code in it, without secrets. */
export function getReport(diagnosis: Diagnosis, context: ReportContext): Report {
  const words = new ReportWords(diagnosis.config, context.withoutHeld);
  const findings = getFindings(diagnosis, words);
  const head = [
    `# ${l10n.t('Diagnosis of {0}', words.code(context.title, 80))}`,
    '',
    context.versions.map((version) => words.code(version, 100)).join(' · '),
    '',
    `## ${l10n.t('Findings')}`,
    '',
  ];
  const parts = findings.length === 0 ? [noFindings(diagnosis)] : findings.map(findingLines);
  const remedies = findings.flatMap(({ remedy }, index) => {
    const before = [...head, ...parts.slice(0, index).flat()];
    return remedy === undefined ? [] : [{ line: before.length, remedy }];
  });
  const lines = [
    ...head,
    ...parts.flat(),
    ...stepLines(diagnosis),
    ...commandLines(diagnosis, words),
    ...agentLines(diagnosis, words),
    ...section(
      l10n.t('Noticed in this window'),
      (context.facts ?? []).map((fact) => `- ${words.code(fact, 500)}`),
    ),
    ...outputLines(diagnosis, words),
    ...quirkLines(diagnosis, words),
  ];
  return { markdown: `${lines.join('\n').trimEnd()}\n`, remedies };
}

/** Returns a report for an issue: without the names of the user's folders. */
export function reportForIssue({ markdown }: Report, home: string): string {
  return withoutHome(markdown, home);
}

function noFindings({ steps, agent }: Diagnosis): readonly string[] {
  const isWhole = agent !== undefined && steps.every(({ outcome }) => outcome === 'done');
  return [isWhole ? l10n.t('No problem was found.') : l10n.t('The diagnosis was canceled.'), ''];
}

function findingLines({ severity, title, detail }: Finding): readonly string[] {
  const headings = {
    error: l10n.t('Error: {0}', title),
    warning: l10n.t('Warning: {0}', title),
    note: l10n.t('Note: {0}', title),
  };
  return [`### ${headings[severity]}`, '', detail, ''];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** What each step does, for the report and while it runs; an agent with an address has those of a program not. */
export function stepNames({ remote }: Pick<AgentConfig, 'remote'>): StepNames {
  const common = { initialize: l10n.t('Initialize'), list: l10n.t('List sessions') };
  return remote === undefined
    ? {
        command: l10n.t('Look up the command'),
        node: l10n.t('Ask Node.js for its version'),
        start: l10n.t('Start the agent'),
        ...common,
        end: l10n.t('End the agent'),
      }
    : { start: l10n.t('Connect'), ...common, end: l10n.t('Close the connection') };
}

function stepLines({ config, steps }: Diagnosis): readonly string[] {
  const names = stepNames(config);
  const outcomes = {
    done: l10n.t('done'),
    failed: l10n.t('failed'),
    canceled: l10n.t('canceled'),
  };
  const rows = stepKinds.flatMap((kind) => {
    const name = names[kind];
    const step = steps.find((one) => one.kind === kind);
    if (name === undefined) {
      return [];
    }
    return step === undefined
      ? `| ${name} | — | |`
      : `| ${name} | ${outcomes[step.outcome]} | ${Math.round(step.ms)} ms |`;
  });
  const head = `| ${l10n.t('Step')} | ${l10n.t('Result')} | ${l10n.t('Time')} |`;
  return section(l10n.t('Steps'), [head, '| --- | --- | ---: |', ...rows]);
}

function item(name: string, value: string): string {
  return `- ${name}: ${value}`;
}

function commandLines(diagnosis: Diagnosis, words: ReportWords): readonly string[] {
  const { config, cwd, lookup } = diagnosis;
  const variables = Object.keys(config.env).slice(0, maxVariables);
  const items = [
    config.remote === undefined
      ? item(l10n.t('Command'), words.command(config))
      : item(l10n.t('Address'), words.code(config.remote.url.replace(/\?.*$/, ''))),
    cwd === undefined ? '' : item(l10n.t('Folder'), words.code(cwd)),
    item(l10n.t('Protocol version that it is asked for'), askedVersion(config)),
    variables.length === 0
      ? ''
      : item(
          l10n.t('Variables, without their values'),
          variables.map((name) => words.code(name, 100)).join(', '),
        ),
    ...(config.remote === undefined ? programItems(diagnosis, words) : []),
  ].filter((line) => line !== '');
  return [
    ...section(config.remote === undefined ? l10n.t('Command') : l10n.t('Address'), items),
    ...pathLines(l10n.t('PATH of VS Code'), lookup.path, words),
    ...(lookup.loginPath === lookup.path
      ? []
      : pathLines(l10n.t('PATH with the login shell'), lookup.loginPath, words)),
  ];
}

function askedVersion({ protocol = '1' }: AgentConfig): string {
  return protocol === 'auto' ? l10n.t('{0}, otherwise {1}', 2, 1) : protocol;
}

function programItems(
  { lookup: { program }, node }: Diagnosis,
  words: ReportWords,
): readonly string[] {
  if (program === undefined) {
    return [item(l10n.t('Found'), l10n.t('no'))];
  }
  const { file, realPath, through, manager, package: of } = program;
  const ways = {
    path: l10n.t('on the PATH of VS Code'),
    loginPath: l10n.t('on the PATH of the login shell'),
    settings: l10n.t('by its path in the settings'),
  };
  return [
    item(l10n.t('Found'), `${words.code(file)}, ${ways[through]}`),
    file === realPath ? '' : item(l10n.t('A link to'), words.code(realPath)),
    of === undefined
      ? ''
      : item(l10n.t('Package'), words.code([of.name, of.version].filter(Boolean).join('@'))),
    manager === undefined ? '' : item(l10n.t('Installed by'), manager),
    /\.(?:cmd|bat)$/i.test(file) ? item(l10n.t('Run by'), '`cmd.exe`') : '',
    needsNode(program) && node?.file !== undefined
      ? item(
          'Node.js',
          [words.code(node.version ?? '?'), words.code(node.file), node.manager]
            .filter(Boolean)
            .join(', '),
        )
      : '',
  ];
}

function pathLines(
  title: string,
  folders: string | undefined,
  words: ReportWords,
): readonly string[] {
  const all = folders?.split(path.delimiter).filter((folder) => folder !== '') ?? [];
  const left = all.length - maxPathFolders;
  const lines = [...all.slice(0, maxPathFolders), ...(left > 0 ? [`… (${left})`] : [])];
  return all.length === 0 ? [] : section(title, [words.block(lines)]);
}

function agentLines({ agent }: Diagnosis, words: ReportWords): readonly string[] {
  if (agent === undefined) {
    return [];
  }
  const { protocolVersion, info, capabilities, authMethods, list } = agent;
  const methods = authMethods
    .slice(0, maxMethods)
    .map(({ name, id, type }) => `- ${words.code(name, 100)} (${words.code(id, 100)}, ${type})`);
  const names = Object.keys(capabilityUses) as (keyof AgentCapabilities)[];
  const rows = names.map(
    (name) =>
      `| \`${name}\` | ${capabilities[name] ? l10n.t('yes') : l10n.t('no')} | ${capabilityUses[name]} |`,
  );
  return [
    ...section(l10n.t('Agent'), [
      item(l10n.t('Name'), words.code(info.title ?? '', 100)),
      item(l10n.t('Version'), words.code(info.version ?? '', 100)),
      item(l10n.t('Protocol version that it speaks'), String(protocolVersion)),
      ...(list === undefined
        ? []
        : [item(l10n.t('Sessions on its first page'), formatCount(list))]),
    ]),
    ...section(l10n.t('Capabilities'), [
      `| ${l10n.t('Capability')} | ${l10n.t('Offered')} | ${l10n.t('What it is used for')} |`,
      '| --- | --- | --- |',
      ...rows,
    ]),
    ...section(l10n.t('Ways to sign in'), methods),
  ];
}

function formatCount({ sessions, hasMore }: { sessions: number; hasMore: boolean }): string {
  return hasMore ? l10n.t('{0}, and more pages', sessions) : String(sessions);
}

function outputLines({ noise, stderr }: Diagnosis, words: ReportWords): readonly string[] {
  return [
    ...(noise.length === 0
      ? []
      : section(l10n.t('First lines on standard output that aren’t ACP'), [words.block(noise)])),
    ...(stderr.length === 0
      ? []
      : section(l10n.t('Last lines on standard error'), [words.block(stderr)])),
  ];
}

function quirkLines(diagnosis: Diagnosis, words: ReportWords): readonly string[] {
  const known = findQuirks(diagnosis);
  if (known === undefined) {
    return [];
  }
  const { agent, lookup } = diagnosis;
  const version = agent?.info.version ?? lookup.program?.package?.version;
  return section(l10n.t('Known about this agent'), [
    version === undefined
      ? l10n.t('Seen in version {0}.', known.seenIn)
      : l10n.t('Seen in version {0}; yours is {1}.', known.seenIn, words.code(version, 100)),
    '',
    ...known.quirks.map(({ id, text }) => `- ${text} (${id})`),
  ]);
}

/** What this client can do with each capability of an agent, in the order in which a report has them. */
const capabilityUses: Readonly<Record<keyof AgentCapabilities, string>> = {
  list: l10n.t('Lists its sessions in the ACP Sessions view'),
  load: l10n.t('Shows the whole conversation of a past session'),
  resume: l10n.t('Continues a past session without its history'),
  close: l10n.t('Closes sessions, and reloads one that is open'),
  delete: l10n.t('Deletes sessions'),
  fork: l10n.t('Forks sessions'),
  archive: l10n.t('Archives sessions in the agent itself'),
  title: l10n.t('Renames sessions in the agent itself'),
  options: l10n.t('Tells the options of a session before there is one'),
  additionalDirectories: l10n.t('Works in more than one folder'),
  systemPrompt: l10n.t('Adds your text to its system prompt'),
  systemPromptOverride: l10n.t('Takes your text in place of its system prompt'),
  logout: l10n.t('Signs out'),
  prompt: l10n.t('Takes prompts, and new sessions'),
  steering: l10n.t('Takes prompts into the running turn (Send Now)'),
  promptImage: l10n.t('Takes images in prompts'),
  promptAudio: l10n.t('Takes audio in prompts'),
  promptEmbeddedContext: l10n.t('Takes the contents of files in prompts'),
  promptSkill: l10n.t('Takes skills by their names in prompts'),
  promptSkillInline: l10n.t('Takes skills anywhere in prompts'),
  mcpStdio: l10n.t('Starts MCP servers that are programs'),
  mcpHttp: l10n.t('Connects to MCP servers over HTTP'),
  mcpSse: l10n.t('Connects to MCP servers over SSE'),
  mcpAcp: l10n.t('Connects to MCP servers by its own connection'),
};

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
  type Diagnosis,
  diagnose,
  type StepKind,
} from '../../../../../src/features/diagnosis/model/diagnosis';
import { type Finding, getFindings } from '../../../../../src/features/diagnosis/model/findings';
import { getReport, type Report } from '../../../../../src/features/diagnosis/model/report';
import { ReportWords } from '../../../../../src/features/diagnosis/model/reportWords';
import type { Connect } from '../../../../../src/model/agents/connect';
import type { AgentConfig } from '../../../../../src/model/ports';
import { connectAgent } from '../../../../../src/protocol/connectAgent';
import { spawnAgent } from '../../../../../src/protocol/transport/stdio';
import { getVersions } from '../../../../../src/protocol/versions';
import type { Environment } from '../../../../../src/util/process/environment';
import { startProcess } from '../../../../../src/util/process/startProcess';
import { fakeAgent, type Scenario } from '../../../../fakeAgent/scenario';
import { temporaryFile } from '../../../../support/temporary';
import { TestLog } from '../../../protocol/peer';

export interface DiagnosisOptions {
  readonly config?: Partial<AgentConfig>;
  readonly cwd?: string;
  readonly listed?: string;
  readonly trusted?: boolean;
  readonly login?: Environment;
  /** The time limit for `initialize` of an agent that never answers it. */
  readonly initializeMs?: number;
  /** The time limit for `session/list` of an agent that never answers it. */
  readonly listMs?: number;
  readonly signal?: AbortSignal;
  readonly onStep?: (step: StepKind) => void;
}

export interface Diagnosed {
  readonly diagnosis: Diagnosis;
  readonly findings: readonly Finding[];
  readonly report: Report;
}

/** Diagnoses a real process, started as the extension starts it. */
export async function diagnosed(
  scenario: Scenario,
  options: DiagnosisOptions = {},
): Promise<Diagnosed> {
  const { signal = new AbortController().signal, trusted = true, initializeMs, listMs } = options;
  const { login = { PATH: process.env['PATH'] } } = options;
  const config: AgentConfig = {
    ...{ id: 'fake', title: 'Fake', env: {}, cwd: undefined },
    ...fakeAgent(scenario),
    ...options.config,
  };
  const loginEnvironment = () => Promise.resolve(login);
  const connect: Connect = async (
    { command, args, env, protocol = '1' },
    requests,
    aborted,
    signs,
    watch,
  ) => {
    const versions = getVersions(protocol);
    const start = { command, args, env, cwd: options.cwd, loginEnvironment, graceMs: 300 };
    const transport = spawnAgent(start);
    void transport.started?.then(
      () => watch?.onStarted(),
      () => undefined,
    );
    return connectAgent(transport, {
      ...{ clientVersion: '1.2.3', log: new TestLog(), versions, requests, authTerminal: true },
      ...signs,
      ...(watch && { onPrint: (line, from) => watch.onPrint(line, from) }),
      ...(initializeMs !== undefined && { initializeTimeoutMs: initializeMs }),
      ...(listMs !== undefined && { requestTimeoutMs: listMs }),
      signal: aborted,
    });
  };
  const diagnosis = await diagnose(
    {
      ...{ config, cwd: options.cwd, listed: options.listed ?? options.cwd, trusted, signal },
      home: path.dirname(temporaryFile('home')),
      onStep: options.onStep ?? (() => undefined),
    },
    { connect, startProcess, loginEnvironment },
  );
  return {
    diagnosis,
    findings: getFindings(diagnosis, new ReportWords(config)),
    report: getReport(diagnosis, { title: config.title, versions: ['Test 1.0.0'] }),
  };
}

/** The titles of what is wrong or may be. */
export function titles({ findings }: Diagnosed): string[] {
  return findings.map(({ severity, title }) => `${severity}: ${title}`);
}

let folders = 0;

/** A folder with programs of these names and texts, as a PATH. */
export function folderWith(files: Readonly<Record<string, string>>, mode = 0o755): string {
  const folder = temporaryFile(`programs-${++folders}`);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }
  return folder;
}

/** A program that hands over to the Node of this process. */
export function nodeProgram(): string {
  return `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
}

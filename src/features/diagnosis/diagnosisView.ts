import os from 'node:os';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import type { Connect } from '../../model/agents/connect';
import type { DiagnosisFacts } from '../../model/agents/diagnosisFacts';
import type { ProtocolChoice, Workspace } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { offeredCommandIds } from '../../platform/ids';
import type { PackageStarts } from '../../platform/packageStarts';
import { getCommand } from '../../platform/ui/failureActions';
import { showInformationMessage } from '../../platform/ui/messages';
import { withCancel } from '../../platform/ui/withCancel';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { loginShellEnvironment } from '../../util/process/loginShellEnvironment';
import { startProcess } from '../../util/process/startProcess';
import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import { tracesCommandIds } from '../traces/commandIds';
import { diagnosisCommandIds } from './commandIds';
import { type Diagnosis, diagnose, listedFolder } from './model/diagnosis';
import type { Remedy } from './model/findings';
import { getReport, type Report, reportForIssue, stepNames } from './model/report';

export interface DiagnosisServices {
  readonly connect: Connect;
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly packageStarts: Pick<PackageStarts, 'getPlace'>;
  readonly held: Pick<HeldSecrets, 'without'>;
  readonly documents: ReadOnlyDocuments;
  readonly diagnosisFacts: Pick<DiagnosisFacts, 'of'>;
  /** The version of this extension. */
  readonly version: string;
}

interface Shown {
  readonly agentId: string;
  readonly report: Report;
}

const nodePage = 'https://nodejs.org/en/download';

/**
 * Diagnoses agents, and shows each report as a read-only document with a CodeLens for what can be done about a finding.
 * The lenses are made from the findings, never from the text, so nothing that an agent says becomes a command.
 */
export class DiagnosisView implements Disposable, vscode.CodeLensProvider {
  readonly #services: DiagnosisServices;
  readonly #store = new DisposableStore();
  /** The shown diagnoses, by the address of their document. */
  readonly #shown = new Map<string, Shown>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(services: DiagnosisServices) {
    this.#services = services;
    this.#store.add(
      vscode.languages.registerCodeLensProvider({ pattern: '**/*.diagnosis.md' }, this),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const key = uri.toString();
        // A document whose language changes is closed and opened.
        if (vscode.workspace.textDocuments.every((open) => open.uri.toString() !== key)) {
          this.#shown.delete(key);
        }
      }),
    );
  }

  /** Diagnoses an agent. A second call waits for the first. */
  async diagnose(agent: Agent): Promise<void> {
    const running = this.#running.get(agent.id);
    if (running !== undefined) {
      return running;
    }
    const run = this.#diagnose(agent).finally(() => this.#running.delete(agent.id));
    this.#running.set(agent.id, run);
    return run;
  }

  async copyReport(argument: unknown): Promise<void> {
    const uri =
      argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const shown = this.#shown.get(uri?.toString() ?? '');
    if (shown === undefined) {
      void showInformationMessage(
        l10n.t('There is no report here. Run “Diagnose Agent…” again, then copy its report.'),
      );
      return;
    }
    await vscode.env.clipboard.writeText(reportForIssue(shown.report, os.homedir()));
    void showInformationMessage(
      l10n.t(
        'The report was copied, without your user folder and the values of variables. Read it before you post it.',
      ),
    );
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const shown = this.#shown.get(uri.toString());
    if (shown === undefined) {
      return [];
    }
    const { agentId, report } = shown;
    const lens = (line: number, command: vscode.Command): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
    return [
      lens(0, {
        title: l10n.t('Copy Report'),
        command: diagnosisCommandIds.copyReport,
        arguments: [uri],
      }),
      lens(0, {
        title: l10n.t('Diagnose Again'),
        command: offeredCommandIds.diagnoseAgent,
        arguments: [agentId],
      }),
      lens(0, {
        title: l10n.t('Record Trace…'),
        command: tracesCommandIds.recordTrace,
        arguments: [agentId],
      }),
      ...report.remedies.map(({ line, remedy }) => lens(line, commandFor(remedy, agentId))),
    ];
  }

  dispose(): void {
    this.#store.dispose();
    this.#shown.clear();
  }

  async #diagnose(agent: Agent): Promise<void> {
    const diagnosis = await this.#withProgress(agent);
    const { version, held, diagnosisFacts } = this.#services;
    const report = getReport(diagnosis, {
      title: agent.title,
      withoutHeld: held.without,
      facts: diagnosisFacts.of(agent.id),
      versions: [
        `ACP Sessions ${version}`,
        `${vscode.env.appName} ${vscode.version}`,
        `${os.type()} ${os.release()} ${process.arch}`,
        ...(vscode.env.remoteName === undefined ? [] : [vscode.env.remoteName]),
      ],
    });
    const uri = this.#services.documents.add(`${agent.title}.diagnosis.md`, report.markdown);
    this.#shown.set(uri.toString(), { agentId: agent.id, report });
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  async #withProgress(agent: Agent): Promise<Diagnosis> {
    const { connect, workspace, packageStarts } = this.#services;
    const { config } = agent;
    const place =
      config.remote === undefined
        ? await packageStarts.getPlace(config, workspace.folders[0]?.path)
        : undefined;
    const names = stepNames(config);
    return withCancel(l10n.t('Diagnosing {0}', cleanText(agent.title, 60)), (signal, report) =>
      diagnose(
        {
          config,
          cwd: place?.cwd,
          listed: listedFolder(config, workspace.folders),
          trusted: workspace.trusted,
          home: os.homedir(),
          signal,
          onStep: (step) => report(names[step] ?? ''),
        },
        { connect, startProcess, loginEnvironment: loginShellEnvironment },
      ),
    );
  }
}

function commandFor(remedy: Remedy, agentId: string): vscode.Command {
  switch (remedy) {
    case 'editAgents':
    case 'signIn':
    case 'showLog':
    case 'manageTrust':
      return getCommand(remedy, agentId);
    case 'useProtocol1':
      return useProtocol(agentId, '1');
    case 'useProtocol2':
      return useProtocol(agentId, '2');
    case 'installNode':
      return {
        title: l10n.t('Install Node.js'),
        command: 'vscode.open',
        arguments: [vscode.Uri.parse(nodePage)],
      };
  }
}

function useProtocol(agentId: string, protocol: ProtocolChoice): vscode.Command {
  return {
    title: l10n.t('Use Version {0}', protocol),
    command: diagnosisCommandIds.useProtocol,
    arguments: [{ agentId, protocol }],
  };
}

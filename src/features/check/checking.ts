import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { type CommandTarget, findKnown, findTarget } from '../../commands/session/sessionTarget';
import { isStartedHere } from '../../model/agent';
import type { Checks } from '../../model/checks/providedChecks';
import type { SessionPlaces } from '../../model/places/sessionPlaces';
import type { RealPath, WorkspaceFolder } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { settingsSection } from '../../platform/ids';
import type { TerminalViews } from '../../platform/terminals/terminalViews';
import { showInformationMessage } from '../../platform/ui/messages';
import { getRef, readSessionRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { checkText } from '../../views/checkWords';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { Agreement } from './agreement';
import { getWork, hasChanged, mayHaveChanged, type Work } from './model/agentWork';
import type { CheckRun, CheckRuns } from './model/checkRuns';
import { fixDraft } from './model/failedOutput';
import { findHomeFolder } from './model/homeFolder';
import { checkCommand, checkSettingKeys, checksAfterTurns, checkTimeLimit } from './settings';

export interface CheckingServices extends CommandServices {
  readonly realPath: RealPath;
  readonly places: Pick<SessionPlaces, 'placed'>;
  readonly admission: Pick<Admission, 'find'>;
  readonly terminalViews: Pick<TerminalViews, 'open'>;
  readonly runs: CheckRuns;
  readonly agreement: Agreement;
}

/** The session that is checked, with its folder. */
type Checked = Pick<CommandTarget, 'agent' | 'info'> & { readonly cwd: string };

/** Checks sessions on request and after turns, and says what became of it. */
export class Checking implements Checks, Disposable {
  readonly #services: CheckingServices;
  readonly #store = new DisposableStore();
  /** How far the sessions had come when their checks began. */
  readonly #before = new WeakMap<CheckRun['order'], Work>();
  readonly onDidChange: Checks['onDidChange'];

  constructor(services: CheckingServices) {
    this.#services = services;
    const { runs, sessions, reviews } = services;
    this.onDidChange = runs.onDidChange;
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind === 'turnEnded') {
          void runs.compare(getRef(session));
          void this.#turnEnded(session);
        }
      }),
    );
    this.#store.add(sessions.onDidDelete((session) => runs.forget(session)));
    this.#store.add(sessions.onDidChange((session) => this.#look(session)));
    this.#store.add(
      reviews.onDidChange(() => {
        for (const { session } of runs.all) {
          this.#look(sessions.find(session.agentId, session.sessionId));
        }
      }),
    );
  }

  of(agentId: string, sessionId: string): CheckRun | undefined {
    return this.#services.runs.of(agentId, sessionId);
  }

  async #run(checked: Checked): Promise<void> {
    const { workspace, agreement } = this.#services;
    if (!workspace.trusted) {
      void showInformationMessage(l10n.t('Checks only run in trusted workspaces.'));
    } else if (!isStartedHere(checked.agent)) {
      void showInformationMessage(
        l10n.t('The folder of this session isn’t on this machine, so it can’t be checked here.'),
      );
    } else {
      const home = await this.#findHome(checked);
      const command = home && checkCommand(vscode.Uri.file(home.path));
      if (home === undefined || command === undefined || command === '') {
        await offerSetting(home);
      } else if (await agreement.ask(command, home)) {
        await this.#begin(checked, home, command);
      }
    }
  }

  /** "Run Check…": runs it if none has run, otherwise asks what is to be done about the last one. */
  async open(argument: unknown): Promise<void> {
    const checked = this.#find(argument);
    const run = checked && this.of(checked.agent.id, checked.info.sessionId);
    if (checked === undefined) {
      return;
    }
    if (run === undefined) {
      await this.#run(checked);
      return;
    }
    const picked = await vscode.window.showQuickPick(actsOn(run), {
      title: checkText(run),
      placeHolder: cleanText([run.order.command, run.reason].filter(Boolean).join(' · '), 300),
    });
    switch (picked?.act) {
      case 'stop':
        this.#services.runs.stop(run.session);
        break;
      case 'output':
        this.#showOutput(run);
        break;
      case 'fix':
        await this.#fix(checked, run);
        break;
      case 'run':
        await this.#run(checked);
        break;
      case undefined:
    }
  }

  /** Puts the end of the output into the session's composer. Sends nothing. */
  async #fix(checked: Checked, run: CheckRun): Promise<void> {
    const draft = fixDraft(run);
    const panel = await this.#services.panels.open(checked.agent, checked.info);
    panel.edit(draft);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #showOutput({ terminal, order }: CheckRun): void {
    if (terminal === undefined) {
      void showInformationMessage(l10n.t('The check has no output.'));
    } else {
      this.#services.terminalViews.open(terminal, l10n.t('Check: {0}', order.command));
    }
  }

  /** What a command is about: a session that the page or another feature names, a row, or the active tab. */
  #find(argument: unknown): Checked | undefined {
    const services = this.#services;
    const named = readSessionRef(argument);
    const target = (named && findKnown(services, named)) ?? findTarget(services, argument);
    return target && { ...target, cwd: services.places.placed(target.agent.id, target.info).cwd };
  }

  #findHome({ cwd }: Pick<Checked, 'cwd'>): Promise<WorkspaceFolder | undefined> {
    const { workspace, realPath } = this.#services;
    return findHomeFolder(cwd, workspace.folders, realPath);
  }

  async #turnEnded(session: Session): Promise<void> {
    const { workspace, agreement } = this.#services;
    const { agent, info } = session;
    if (
      !workspace.trusted ||
      !isStartedHere(agent) ||
      !mayHaveChanged(session.transcript.entries)
    ) {
      return;
    }
    const home = await this.#findHome(info);
    const folder = home && vscode.Uri.file(home.path);
    if (home === undefined || folder === undefined || !checksAfterTurns(folder)) {
      return;
    }
    const command = checkCommand(folder);
    if (command !== '' && (await agreement.offer(command, home))) {
      await this.#begin({ agent, info, cwd: info.cwd }, home, command);
    }
  }

  async #begin({ agent, info, cwd }: Checked, home: WorkspaceFolder, command: string) {
    const { runs, sessions } = this.#services;
    const order = { command, cwd, limitMs: checkTimeLimit(vscode.Uri.file(home.path)) };
    const session = sessions.find(agent.id, info.sessionId);
    if (session !== undefined) {
      this.#before.set(order, getWork(session));
    }
    await runs.run({ agentId: agent.id, sessionId: info.sessionId }, order);
  }

  /** Notes that a session has changed files since its check began. */
  #look(session: Session | undefined): void {
    const { runs, reviews } = this.#services;
    const ref: SessionRef | undefined = session && getRef(session);
    const run = ref && this.of(ref.agentId, ref.sessionId);
    const before = run && this.#before.get(run.order);
    if (session === undefined || ref === undefined || before === undefined || run?.isStale) {
      return;
    }
    if (hasChanged(session, reviews.of(ref.agentId, ref.sessionId), before)) {
      runs.setStale(ref);
    }
  }
}

type Act = 'stop' | 'output' | 'fix' | 'run';

function actsOn(run: CheckRun): readonly (vscode.QuickPickItem & { readonly act: Act })[] {
  const output = { label: l10n.t('$(terminal) Show Output'), act: 'output' as const };
  const again = { label: l10n.t('$(play) Run Again'), act: 'run' as const };
  const shown = run.terminal === undefined ? [] : [output];
  switch (run.state) {
    case 'running':
      return [{ label: l10n.t('$(debug-stop) Stop Check'), act: 'stop' }, ...shown];
    case 'failed':
      return [...shown, { label: l10n.t('$(sparkle) Ask Agent to Fix…'), act: 'fix' }, again];
    case 'passed':
    case 'stopped':
      return [...shown, again];
  }
}

async function offerSetting(home: WorkspaceFolder | undefined): Promise<void> {
  if (home === undefined) {
    void showInformationMessage(
      l10n.t(
        'The folder of this session belongs to no folder of this window, whose settings would say how to check it. Open its repository in this window.',
      ),
    );
    return;
  }
  const open = l10n.t('Open Settings');
  const answer = await showInformationMessage(
    l10n.t(
      'No check is set for “{0}”. It is a command such as “npm test”, in the setting “acpSessions.check.command”.',
      cleanText(home.name, 100),
    ),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      `${settingsSection}.${checkSettingKeys.checkCommand}`,
    );
  }
}

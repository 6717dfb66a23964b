import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findRepository, type Repository } from '../../../model/places/repository';
import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import { showErrorMessage } from '../../../platform/ui/messages';
import { type FromComparison, parseFromComparison } from '../../../shared/comparison/comparison';
import { getRef } from '../../../shared/sessionRef';
import { mapAtOnce } from '../../../util/async';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { KnownSession } from '../../../views/transcript/tabs/admission';
import { pageHtml } from '../../../views/transcript/tabs/html';
import { applyHunks } from '../applying/applyHunks';
import { applyToWorkspace } from '../applying/applyToWorkspace';
import { getBase } from '../model/base';
import { readChangedLines } from '../model/lineCounts';
import { WorktreeTrouble } from '../model/trouble';
import { inBase, inWorktree, readChanges } from '../model/worktreeChanges';
import { remove } from '../removing/removing';
import { gitFor, type WorktreeServices, withFiles, withTrouble } from '../worktreeServices';
import { knownSessions, sessionsIn } from '../worktreeTarget';
import { type ComparedTree, comparedSessions } from './comparedSessions';
import { compareTarget } from './comparing';

/** A worktree to compare. */
export interface Compared {
  readonly place: Repository;
  readonly branch: string;
}

type ShownTree = ComparedTree & { readonly session?: Session; readonly closed?: KnownSession };

/** How often the page hears of running sessions, in ms, and how often their files are read. */
const lookInterval = 500;
const readInterval = 3_000;

/** The page that compares the sessions of one prompt, as long as it is open. It keeps nothing but which worktrees these are. */
export class ComparisonPage implements Disposable {
  readonly #services: WorktreeServices;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  readonly #reading = new AbortController();
  #trees: readonly Omit<ComparedTree, 'session' | 'closed' | 'check'>[];
  #all: readonly ShownTree[] = [];
  /** The last session of each worktree, by the top folder, open or not. */
  #known: ReadonlyMap<string, KnownSession> = new Map();
  /** What the page shows, as JSON; `undefined`: it isn't there. */
  #shown: string | undefined;
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #readAt = 0;

  constructor(
    services: WorktreeServices,
    extensionUri: vscode.Uri,
    panel: vscode.WebviewPanel,
    compared: readonly Compared[],
  ) {
    this.#services = services;
    this.#trees = compared.map((tree, index) => ({ key: `${index}`, ...tree }));
    this.#panel = panel;
    const resources = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    panel.webview.options = { enableScripts: true, localResourceRoots: [resources] };
    const { sessions, checks, worktrees } = services;
    const changed = (): void => this.#lookIn(lookInterval);
    this.#store.add(sessions.onDidChange(changed));
    this.#store.add(sessions.onDidHappen(() => this.#readSoon()));
    this.#store.add(checks.onDidChange(changed));
    this.#store.add(worktrees.onDidChange(() => this.#readSoon()));
    this.#store.add(
      this.#panel.onDidChangeViewState(({ webviewPanel }) => {
        // VS Code destroys the page of a hidden tab; a new one says that it is ready.
        if (!webviewPanel.visible) {
          this.#isReady = false;
          this.#shown = undefined;
        }
      }),
    );
    this.#store.add(
      this.#panel.webview.onDidReceiveMessage((message: unknown) => {
        const intent = parseFromComparison(message);
        if (intent !== undefined) {
          void withTrouble(services, () => this.#obey(intent)).catch(tell);
        }
      }),
    );
    this.#store.add(this.#panel.onDidDispose(() => this.dispose()));
    panel.webview.html = getHtml(panel.webview, resources);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#isReady = false;
    this.#reading.abort();
    this.#store.dispose();
  }

  #readSoon(): void {
    this.#readAt = 0;
    this.#lookIn(lookInterval);
  }

  #lookIn(time: number): void {
    if (this.#isReady) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#look().catch(tell);
      }, time);
    }
  }

  /** Shows what the sessions do, and from time to time what their files are. */
  async #look(): Promise<void> {
    if (Date.now() - this.#readAt >= readInterval) {
      await this.#read();
      this.#readAt = Date.now();
    }
    const { checks } = this.#services;
    this.#all = await Promise.all(
      this.#trees.map(async (tree) => {
        const session = await this.#findSession(tree.place);
        const closed = session === undefined ? this.#known.get(tree.place.top) : undefined;
        const { agent, info } = session ?? closed ?? {};
        const check = agent && info && checks.of(agent.id, info.sessionId);
        return {
          ...tree,
          ...(session && { session }),
          ...(closed && { closed }),
          ...(check && { check }),
        };
      }),
    );
    if (!this.#isReady) {
      return;
    }
    const message = comparedSessions(this.#all);
    const text = JSON.stringify(message);
    if (text !== this.#shown) {
      this.#shown = text;
      void this.#panel.webview.postMessage(message);
    }
    if (message.sessions.some(({ isRunning }) => isRunning)) {
      this.#lookIn(lookInterval);
    }
  }

  /** The session in a worktree that was prompted last. */
  async #findSession({ top }: Repository): Promise<Session | undefined> {
    const [first, ...rest] = await sessionsIn(this.#services, top);
    return rest.reduce(
      (last, session) =>
        last !== undefined && last.turns.promptedAt >= session.turns.promptedAt ? last : session,
      first,
    );
  }

  /** Reads the changes of all worktrees; one that is gone isn't compared any more. */
  async #read(): Promise<void> {
    const git = gitFor(this.#reading.signal);
    const read = await mapAtOnce(this.#trees, 2, async ({ key, place, branch }) => {
      if ((await findRepository(place.top, this.#services.realPath))?.top !== place.top) {
        return undefined;
      }
      try {
        return { key, place, branch, changes: await readChangedLines(git, place) };
      } catch (error) {
        if (error instanceof WorktreeTrouble) {
          return { key, place, branch, trouble: error.message };
        }
        throw error;
      }
    });
    this.#trees = read.filter((tree) => tree !== undefined);
    const tops = this.#trees.map(({ place }) => place.top);
    this.#known = await knownSessions(this.#services, tops);
  }

  async #obey(intent: FromComparison): Promise<void> {
    if (intent.type === 'ready') {
      this.#isReady = true;
      this.#shown = undefined;
      await this.#look();
      return;
    }
    if (intent.type === 'file') {
      await this.#showFile(intent.name);
      return;
    }
    const tree = this.#all.find(({ key }) => key === intent.key);
    if (tree !== undefined) {
      await this.#act(intent.type, tree);
    }
  }

  async #act(
    act: Exclude<FromComparison['type'], 'ready' | 'file'>,
    { place, session, closed }: ShownTree,
  ): Promise<void> {
    const services = this.#services;
    const target = { place, folder: place.top };
    const known = session ?? closed;
    switch (act) {
      case 'open':
        await (known && services.panels.open(known.agent, known.info));
        return;
      case 'stop':
        session?.turns.cancel();
        return;
      case 'check':
        await (known && services.checks.current?.open(getRef(known)));
        return;
      case 'changes':
        await withFiles(services, (files) => compareTarget(services, files, place));
        return;
      case 'apply':
        await applyToWorkspace(services, target);
        break;
      case 'hunks':
        await applyHunks(services, place);
        break;
      case 'discard':
        await remove(services, place);
    }
    this.#readSoon();
  }

  /** Shows a file that is in two worktrees side by side, and one of several as each has changed it. */
  async #showFile(name: string): Promise<void> {
    const trees = this.#all.filter(({ changes }) => changes?.has(name));
    const uriIn = ({ top }: Repository): vscode.Uri =>
      vscode.Uri.file(path.join(top, ...name.split('/')));
    const [one, other] = trees;
    if (one === undefined) {
      return;
    }
    const title = cleanText(name, 200);
    if (trees.length === 2 && other !== undefined && (await areThere(trees, name))) {
      const sides = `${title} (${cleanText(one.branch, 60)} ↔ ${cleanText(other.branch, 60)})`;
      await vscode.commands.executeCommand(
        'vscode.diff',
        ...[uriIn(one.place), uriIn(other.place), sides],
      );
      return;
    }
    const { documents } = this.#services;
    const git = gitFor(this.#reading.signal);
    await withFiles(this.#services, async (files) => {
      const resources = await mapAtOnce(trees, 2, async ({ place }) => {
        const uri = uriIn(place);
        const { changes } = await readChanges(git, place, await getBase(git, place));
        const change = changes.find((each) => each.name === name);
        const before = change && (await inBase(git, place, change));
        const text =
          before?.kind === 'file' ? await files.decode(uri.fsPath, before.bytes) : undefined;
        const old = text === undefined ? undefined : documents.addState(uri, text);
        return [uri, old, (await areThere([{ place }], name)) ? uri : undefined];
      });
      await vscode.commands.executeCommand('vscode.changes', title, resources);
    });
  }
}

async function areThere(
  trees: readonly { readonly place: Repository }[],
  name: string,
): Promise<boolean> {
  const found = await Promise.all(trees.map(({ place }) => inWorktree(place, name)));
  return found.every(({ kind }) => kind === 'file');
}

function getHtml(webview: vscode.Webview, resources: vscode.Uri): string {
  const uri = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(resources, name)).toString();
  return pageHtml(
    {
      cspSource: webview.cspSource,
      script: uri('comparison.js'),
      styles: [uri('comparison.css')],
    },
    {
      title: l10n.t('Comparison of Sessions'),
      policy: [`trusted-types 'none'`],
      texts: vscode.l10n.bundle && { language: vscode.env.language, bundle: vscode.l10n.bundle },
    },
  );
}

function tell(error: unknown): void {
  void showErrorMessage(error instanceof Error ? error.message : String(error));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionList, SessionRow } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import type { ProvidedReviews } from '../../model/changes/providedReviews';
import { sessionKey } from '../../model/list/sessionInfo';
import type { SessionMarks } from '../../model/marks/marks';
import type { Sessions } from '../../model/session/sessions';
import { commandIds, viewIds } from '../../platform/ids';
import { showErrorMessage } from '../../platform/ui/messages';
import {
  type AnswerSame,
  type FromGlance,
  type NewsKind,
  parseFromGlance,
  type ToGlance,
} from '../../shared/glance/glance';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Absence } from '../../views/attention/absence';
import type { Attention } from '../../views/attention/attention';
import type { TonePage, TonePages } from '../../views/attention/tonePages';
import type { Arrangement } from '../../views/sessions/nodes/arrangement';
import type { Admission } from '../../views/transcript/tabs/admission';
import { confirmStop } from '../../views/transcript/tabs/confirmStop';
import { pageHtml } from '../../views/transcript/tabs/html';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import { awayNews, newsOf } from './awayNews';
import { GlanceFeed } from './glanceFeed';
import { type Glanced, glanceItems } from './glanceItems';
import { glanceTasks } from './glanceTasks';
import { KeptTurns } from './lastTurn';
import { sameAnswers } from './sameRequests';

type TaskIntent = Extract<FromGlance, { readonly type: 'openTask' | 'stopTask' }>;

export interface GlanceServices {
  readonly extensionUri: vscode.Uri;
  readonly agents: Pick<Agents, 'get' | 'onDidChange' | 'onDidList'>;
  readonly sessions: Pick<Sessions, 'all' | 'find' | 'onDidChange' | 'onDidHappen'>;
  readonly attention: Pick<Attention, 'isUnread' | 'onDidChange'>;
  readonly arrangement: Pick<Arrangement, 'getFacts' | 'onDidChange'>;
  readonly marks: Pick<SessionMarks, 'get'>;
  readonly reviews: Pick<ProvidedReviews, 'all' | 'actions'>;
  readonly panels: Pick<TranscriptPanels, 'show' | 'open'>;
  readonly tree: { readonly lists: readonly SessionList[] };
  readonly admission: Pick<Admission, 'find'>;
  readonly tonePages: TonePages;
  readonly absence: Absence;
}

/** Maximum number of rows of each list that are looked at: what concerns the user is new, and at the top. */
const maxRows = 200;

/** Offers the view of all sessions at a glance. */
export function provideGlance(services: GlanceServices): Disposable {
  return vscode.window.registerWebviewViewProvider(viewIds.glance, {
    resolveWebviewView: (view) => {
      const store = new DisposableStore();
      store.add(new GlanceView(view, services));
      store.add(view.onDidDispose(() => store.dispose()));
    },
  });
}

/** The view of all sessions at a glance. It has no state of its own: the page shows what the sources say. */
class GlanceView implements Disposable {
  readonly #services: GlanceServices;
  readonly #store = new DisposableStore();
  readonly #feed: GlanceFeed;
  readonly #kept = new KeptTurns();
  readonly #tonePage: TonePage;
  /** Listed sessions that concern the user, until a list or a mark changes. */
  #rows: readonly SessionRow[] | undefined;

  constructor(view: vscode.WebviewView, services: GlanceServices) {
    this.#services = services;
    const { agents, sessions, attention, arrangement, extensionUri } = services;
    this.#feed = this.#store.add(
      new GlanceFeed(
        () => this.#look(),
        () => this.#lookBeside(),
        (message) => void view.webview.postMessage(message),
      ),
    );
    this.#tonePage = this.#store.add(
      services.tonePages.add(this.#feed, (message) => view.webview.postMessage(message)),
    );
    const changed = (): void => this.#feed.changed();
    const rowsChanged = (): void => {
      this.#rows = undefined;
      changed();
    };
    // The arrangement also says when a mark or a review has changed.
    this.#store.add(arrangement.onDidChange(rowsChanged));
    this.#store.add(agents.onDidList(rowsChanged));
    this.#store.add(agents.onDidChange(rowsChanged));
    this.#store.add(sessions.onDidChange(changed));
    this.#store.add(
      sessions.onDidHappen(({ session: { agent, info, transcript } }) =>
        this.#kept.note(sessionKey(agent.id, info.sessionId), transcript.entries),
      ),
    );
    this.#store.add(attention.onDidChange(changed));
    this.#store.add(services.absence.onDidChange(changed));
    this.#store.add(
      view.onDidChangeVisibility(() => {
        // VS Code destroys the page of a hidden view; a new one says that it is ready.
        if (!view.visible) {
          this.#feed.stop();
        }
      }),
    );
    this.#store.add(
      view.webview.onDidReceiveMessage((message: unknown) => {
        const intent = parseFromGlance(message);
        if (intent !== undefined) {
          void this.#obey(intent);
        }
      }),
    );
    const resources = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    view.webview.options = { enableScripts: true, localResourceRoots: [resources] };
    view.webview.html = getHtml(view.webview, resources);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(): readonly Glanced[] {
    this.#rows ??= this.#concerningRows();
    const { sessions, attention, agents, admission, reviews } = this.#services;
    return glanceItems({
      sessions: sessions.all,
      rows: this.#rows,
      reviews: reviews.all,
      isUnread: (session) => attention.isUnread(session),
      findAgent: (agentId) => agents.get(agentId),
      findAlias: (ref) => this.#findAlias(ref),
      findLastTurn: (key) => this.#kept.get(key),
      toInfo: (ref) => admission.find(ref),
    });
  }

  #lookBeside(): Pick<ToGlance, 'tasks' | 'away'> {
    const { sessions } = this.#services;
    const away = awayNews(this.#newsSources);
    const tasks = glanceTasks(sessions.all, (session) => this.#findAlias(getRef(session)));
    return { tasks, ...(away && { away }) };
  }

  get #newsSources(): Parameters<typeof awayNews>[0] {
    const { absence, reviews, sessions } = this.#services;
    const isAsking = ({ agentId, sessionId }: SessionRef): boolean =>
      (sessions.find(agentId, sessionId)?.requests.waiting.length ?? 0) > 0;
    return { absence, reviews: reviews.all, isAsking };
  }

  #findAlias({ agentId, sessionId }: SessionRef): string | undefined {
    return this.#services.marks.get(agentId, sessionId).alias;
  }

  /** Listed sessions that aren't open here. */
  #concerningRows(): readonly SessionRow[] {
    const { tree, arrangement } = this.#services;
    return tree.lists.flatMap(({ rows }) =>
      rows.slice(0, maxRows).filter((row) => {
        const { unread, archived, open } = arrangement.getFacts(row);
        const isAtWork = row.info.state === 'running' || row.info.state === 'requires_action';
        return !archived && !open && (unread || isAtWork);
      }),
    );
  }

  async #obey(intent: FromGlance): Promise<void> {
    switch (intent.type) {
      case 'ready':
        this.#feed.ready();
        return;
      case 'newSession':
        await vscode.commands.executeCommand(commandIds.newSession);
        return;
      case 'silent':
        this.#services.tonePages.play(intent.tone, this.#tonePage);
        return;
      case 'answerSame':
        this.#answerSame(intent);
        return;
      case 'seeNews': {
        const { absence } = this.#services;
        absence.see(absence.news.map(({ ref }) => ref));
        return;
      }
      case 'openNews':
        await this.#openNews(intent.kind);
        return;
      case 'openTask':
      case 'stopTask':
        await this.#actOnTask(intent);
        return;
      default:
        await this.#act(intent);
    }
  }

  /** Answers those that still wait, all of which are still the same. */
  #answerSame({ answer, requests }: AnswerSame): void {
    for (const { ref, requestId, optionId } of sameAnswers(this.#look(), answer, requests)) {
      const session = this.#services.sessions.find(ref.agentId, ref.sessionId);
      session?.requests.answerPermission(requestId, optionId);
    }
  }

  /** Opens the first session with this news, which is none any more then. */
  async #openNews(kind: NewsKind): Promise<void> {
    const [ref] = newsOf(this.#newsSources)[kind];
    if (ref === undefined) {
      return;
    }
    this.#services.absence.see([ref]);
    if (kind === 'toReview') {
      await (await this.#services.reviews.actions())?.show(ref);
    } else {
      await this.#open(ref);
    }
  }

  async #actOnTask({ type, key, id }: TaskIntent): Promise<void> {
    const session = this.#services.sessions.all.find(
      ({ agent, info }) => sessionKey(agent.id, info.sessionId) === key,
    );
    const task = session?.tasks.all?.listed.find((one) => one.id === id);
    if (session === undefined || task === undefined) {
      return;
    }
    if (type === 'openTask') {
      await this.#open(getRef(session), task.index);
    } else if (task.canStop && (await confirmStop(task.title))) {
      await session.tasks.stop(id);
    }
  }

  async #act(
    intent: Exclude<Extract<FromGlance, { readonly key: string }>, TaskIntent>,
  ): Promise<void> {
    const glanced = this.#feed.all.find(({ item }) => item.key === intent.key);
    if (glanced === undefined) {
      return;
    }
    const { ref, item } = glanced;
    const { sessions, reviews } = this.#services;
    const session = sessions.find(ref.agentId, ref.sessionId);
    switch (intent.type) {
      case 'open':
        await this.#open(ref);
        return;
      case 'stop':
        session?.turns.cancel();
        return;
      case 'answer':
        // Only what is shown in full may be answered here.
        if (intent.requestId === item.request?.requestId) {
          session?.requests.answerPermission(intent.requestId, intent.optionId);
        }
        return;
      case 'review': {
        await (await reviews.actions())?.show(ref);
      }
    }
  }

  /** Opens the session's transcript, at the entry with this index or, without one, at its question if it has one. */
  async #open({ agentId, sessionId }: SessionRef, index?: number): Promise<void> {
    const { agents, admission, panels, sessions } = this.#services;
    const agent = agents.get(agentId);
    const info = admission.find({ agentId, sessionId });
    if (agent === undefined || info === undefined) {
      void showErrorMessage(l10n.t('This session isn’t listed any more.'));
      return;
    }
    const place = index ?? sessions.find(agentId, sessionId)?.requests.waiting[0];
    try {
      const panel = await panels.open(agent, info);
      if (place !== undefined) {
        panel.reveal(place);
      }
    } catch (error) {
      // The user has closed the tab meanwhile.
      if (!(error instanceof vscode.CancellationError)) {
        throw error;
      }
    }
  }
}

function getHtml(webview: vscode.Webview, resources: vscode.Uri): string {
  const uri = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(resources, name)).toString();
  return pageHtml(
    { cspSource: webview.cspSource, script: uri('glance.js'), styles: [uri('glance.css')] },
    {
      title: l10n.t('Sessions at a Glance'),
      policy: [`trusted-types 'none'`],
      texts: vscode.l10n.bundle && { language: vscode.env.language, bundle: vscode.l10n.bundle },
    },
  );
}

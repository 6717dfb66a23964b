import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent, SessionList, SessionRow } from '../../model/agent';
import type { Agents } from '../../model/agents/agents';
import { type NamedAgent, sessionName } from '../../model/agents/whose';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import type { KeyedStorage, Log } from '../../model/ports';
import { getContextSession, type ProvidedContext } from '../../model/session/providedContext';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { promptLanguage } from '../../platform/ids';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { parsePrompt } from '../../shared/prompt/promptDocument';
import { promptSettings } from '../../shared/prompt/promptParts';
import type { PromptFacts } from '../../shared/prompt/promptProtocol';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import type { FileSearch } from '../../views/transcript/composer/fileSearch';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import { applySettings } from './applySettings';
import { type BoundSession, PromptBindings } from './bindings';
import { getDraft, type PromptTarget } from './draft';
import { promptLenses } from './lenses';
import { previewContext, suggestContexts } from './mentionedContexts';
import { findSessions, namedSession } from './namedSessions';
import { fillPlaceholders } from './placeholders';
import { PromptClient } from './promptClient';
import { PromptStatus } from './status';
import { writtenDraft } from './written';

/** The parts of the extension that prompts need. */
export interface PromptServices {
  readonly extensionUri: vscode.Uri;
  readonly state: KeyedStorage;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly tree: { readonly lists: readonly SessionList[] };
  readonly panels: TranscriptPanels;
  readonly fileSearch: Pick<FileSearch, 'search'>;
  readonly promptContext: Pick<ProvidedContext, 'find' | 'read' | 'suggest'>;
  readonly log: Log;
  /** Asks the user for a session, which may be a new one. */
  readonly chooseSession: () => Promise<Session | undefined>;
}

/** The target for which a saved prompt is filled in. */
interface Filled {
  readonly roots: readonly string[];
  readonly session: Parameters<typeof getContextSession>[0] & {
    readonly agent: Pick<Session['agent'], 'title' | 'isOnly' | 'supports'>;
  };
}

/** Prompts written in editors: their sessions, their editing support, and sending them. */
export class Prompts implements vscode.Disposable {
  readonly #services: PromptServices;
  readonly #bindings: PromptBindings;
  readonly #client: PromptClient;
  readonly #listening: vscode.Disposable;
  /** The facts sent to the server for each prompt, as JSON: most changes of a session don't affect them. */
  readonly #told = new Map<string, string>();
  readonly #enclosed = new Map<string, readonly Attachment[]>();
  readonly #enclosedChanged = new vscode.EventEmitter<vscode.Uri>();

  constructor(services: PromptServices) {
    this.#services = services;
    const { extensionUri, state, agents, sessions, fileSearch, promptContext, log } = services;
    this.#bindings = new PromptBindings(state);
    this.#client = new PromptClient({
      program: vscode.Uri.joinPath(extensionUri, 'dist', 'promptServer.js').fsPath,
      fileSearch,
      findSessions: (query, limit) => findSessions(services, query, limit),
      findContexts: (uri, query) => suggestContexts(promptContext, this.#openSession(uri), query),
      readContext: (uri, word) => previewContext(promptContext, this.#openSession(uri), word),
      log,
      onReady: () => {
        this.#told.clear();
        this.#tellAll();
      },
    });
    this.#listening = vscode.Disposable.from(
      this.#bindings,
      this.#client,
      this.#enclosedChanged,
      new PromptStatus(this.#bindings, agents),
      promptLenses({
        bindings: this.#bindings,
        agents,
        enclosures: (document) => this.#getEnclosures(document),
        onDidChange: this.#enclosedChanged.event,
      }),
      sessions.onDidChange((session) => this.#tellPromptsOf(session)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#tell(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#enclosed.delete(uri.toString());
        this.#told.delete(uri.toString());
      }),
      this.#bindings.onDidChange((uri) => this.#tellAbout(uri)),
    );
  }

  /** Opens the user's draft in an editor beside the session's tab. */
  async edit(session: BoundSession, draft: Draft): Promise<void> {
    const { content, enclosed } = writtenDraft(draft, session.cwd);
    // If the document is opened with its text, VS Code may show it before this does, and then it is there twice:
    // https://github.com/microsoft/vscode/issues/124539
    const document = await vscode.workspace.openTextDocument({ language: promptLanguage });
    this.#enclose(document.uri, enclosed);
    this.#bindings.set(document.uri, session);
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), content));
    const { end } = document.lineAt(document.lineCount - 1).range;
    editor.selection = new vscode.Selection(end, end);
  }

  /** Opens an empty prompt, for the session in use if there is one. */
  async create(session: BoundSession | undefined): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: promptLanguage });
    if (session !== undefined) {
      this.#bindings.set(document.uri, session);
    }
    await vscode.window.showTextDocument(document);
  }

  /** Asks for which session a prompt is written, and returns the focus to it. */
  async chooseSession(document: vscode.TextDocument): Promise<Session | undefined> {
    const { visibleTextEditors } = vscode.window;
    const editor = visibleTextEditors.find((visible) => visible.document === document);
    const session = await this.#services.chooseSession();
    if (session !== undefined) {
      this.#bindings.set(document.uri, toSavedTranscript(session));
    }
    if (editor !== undefined) {
      await vscode.window.showTextDocument(document, editor.viewColumn);
    }
    return session;
  }

  /**
   * Sends a prompt to its session, after applying its settings. Closes an untitled document afterward, but
   * not a file. Tells the user what prevents sending.
   */
  async send(document: vscode.TextDocument): Promise<void> {
    const session = (await this.#findSession(document)) ?? (await this.chooseSession(document));
    if (session === undefined) {
      return;
    }
    const text = await fillPlaceholders(document.getText(), session.agent);
    if (text === undefined) {
      return;
    }
    const enclosed = this.#getEnclosures(document.uri);
    if (await this.#submit(session, text, enclosed)) {
      (await this.#services.panels.show(session)).panel.reveal(undefined, true);
      await this.#finish(document);
    }
  }

  /** Fills in a saved prompt and sends it. */
  async run(prompt: vscode.Uri, session: Session): Promise<void> {
    const text = await fillSaved(prompt, session.agent);
    if (text !== undefined && (await this.#submit(session, text, []))) {
      await this.#services.panels.show(session);
    }
  }

  /** Fills in a saved prompt for the user to continue in the composer. */
  async fill(prompt: vscode.Uri, { roots, session }: Filled): Promise<Draft | undefined> {
    const text = await fillSaved(prompt, session.agent);
    return text === undefined
      ? undefined
      : getDraft(parsePrompt(text), {
          ...{ roots, takesImages: session.agent.supports('promptImage') },
          findContext: this.#contextsOf(session),
        });
  }

  /** Removes an attachment that isn't written in the prompt. */
  remove(document: vscode.Uri, name: string): void {
    this.#enclose(
      document,
      this.#getEnclosures(document).filter((attachment) => attachment.name !== name),
    );
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #submit(session: Session, text: string, enclosed: readonly Attachment[]): Promise<boolean> {
    await session.load();
    const name = sessionName(session);
    if (session.phase.kind === 'failed') {
      const { title, detail } = session.phase.failure;
      void showErrorMessage(
        l10n.t('The prompt was not sent to {0}. {1}. {2}', name, title, detail),
      );
      return false;
    }
    const takesImages = session.agent.supports('promptImage');
    const document = parsePrompt(text);
    const { attachments, ...draft } = await getDraft(document, {
      ...{ roots: session.roots, takesImages },
      findContext: this.#contextsOf(session),
    });
    const all = [...attachments, ...enclosed];
    if (draft.text === '' && all.length === 0) {
      void showInformationMessage(l10n.t('There is nothing to send yet.'));
      return false;
    }
    if (!takesImages && all.some(({ type }) => type === 'image')) {
      const agent = session.agent.title;
      void showErrorMessage(
        l10n.t('{0} doesn’t accept images. Remove them to send the prompt.', agent),
      );
      return false;
    }
    const problem = await applySettings(session, promptSettings(document));
    if (problem !== undefined) {
      void showErrorMessage(l10n.t('The prompt was not sent to {0}. {1}', name, problem));
      return false;
    }
    session.turns.submit({ ...draft, attachments: all });
    return true;
  }

  /** The session of a prompt, opened if necessary. */
  async #findSession(document: vscode.TextDocument): Promise<Session | undefined> {
    const named = promptSettings(parsePrompt(document.getText())).get('session');
    const bound = this.#bindings.get(document.uri);
    if (named !== undefined && named !== bound?.sessionId) {
      const session = namedSession(this.#services, named);
      if (session !== undefined) {
        this.#bindings.set(document.uri, toSavedTranscript(session));
      }
      return session && (await this.#opened(session.agent, session.info));
    }
    const agent = bound && this.#services.agents.get(bound.agentId);
    return agent && this.#opened(agent, bound);
  }

  #contextsOf(session: Filled['session']): PromptTarget['findContext'] {
    const asking = getContextSession(session);
    return (word) => this.#services.promptContext.find(word, asking);
  }

  async #opened(agent: Agent, info: SessionRow['info']): Promise<Session | undefined> {
    const { sessions, panels } = this.#services;
    if (sessions.find(agent.id, info.sessionId) === undefined) {
      await panels.open(agent, info, { where: 'side' });
    }
    return sessions.find(agent.id, info.sessionId);
  }

  async #finish(document: vscode.TextDocument): Promise<void> {
    this.#enclose(document.uri, []);
    if (!document.isUntitled) {
      return;
    }
    // VS Code asks whether to save an untitled document that isn't empty (seen in 1.139).
    const emptied = new vscode.WorkspaceEdit();
    emptied.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(emptied);
    await vscode.window.tabGroups.close(getTabs(document.uri));
    this.#bindings.set(document.uri, undefined);
  }

  #getEnclosures(document: vscode.Uri): readonly Attachment[] {
    return this.#enclosed.get(document.toString()) ?? [];
  }

  #enclose(document: vscode.Uri, attachments: readonly Attachment[]): void {
    this.#enclosed.set(document.toString(), attachments);
    this.#enclosedChanged.fire(document);
  }

  #tellAll(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.#tell(document);
    }
  }

  #tellAbout(uri: vscode.Uri): void {
    const document = vscode.workspace.textDocuments.find(
      (one) => one.uri.toString() === uri.toString(),
    );
    if (document !== undefined) {
      this.#tell(document);
    }
  }

  #tellPromptsOf(session: Session): void {
    for (const document of vscode.workspace.textDocuments) {
      const bound = this.#bindings.get(document.uri);
      if (bound?.agentId === session.agent.id && bound.sessionId === session.info.sessionId) {
        this.#tell(document);
      }
    }
  }

  /** The session that a prompt belongs to, if it is open. */
  #openSession(document: vscode.Uri | string): Session | undefined {
    const uri = typeof document === 'string' ? vscode.Uri.parse(document) : document;
    const bound = this.#bindings.get(uri);
    return bound && this.#services.sessions.find(bound.agentId, bound.sessionId);
  }

  /** A session that isn't open has no facts, so nothing in the prompt can be checked. */
  #tell({ uri, languageId }: vscode.TextDocument): void {
    if (languageId !== promptLanguage) {
      return;
    }
    const session = this.#openSession(uri);
    const facts = session ? getFacts(session) : null;
    const json = JSON.stringify(facts);
    if (json !== this.#told.get(uri.toString()) && this.#client.tell(uri, facts)) {
      this.#told.set(uri.toString(), json);
    }
  }
}

function getTabs(document: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === document.toString(),
    );
}

/** `undefined` if the file can't be read, or the user cancels. */
async function fillSaved(prompt: vscode.Uri, agent: NamedAgent): Promise<string | undefined> {
  // VS Code waits for a pipe until something is written to it, and reads a device without end:
  // https://github.com/microsoft/vscode/issues/148034
  if (prompt.scheme === 'file' && !(await stat(prompt.fsPath)).isFile()) {
    const name = cleanText(path.basename(prompt.fsPath), 100);
    void showWarningMessage(l10n.t('“{0}” is a pipe or a device and can’t be opened.', name));
    return undefined;
  }
  return fillPlaceholders((await vscode.workspace.openTextDocument(prompt)).getText(), agent);
}

/** The facts about a session that the language server needs (CM-1, CF-2, PR-2, DIR-10). */
function getFacts({ agent, facts, roots }: Session): PromptFacts {
  const { commands, configOptions, modes } = facts;
  return {
    roots,
    commands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { hint }),
    })),
    ...(modes !== undefined && { modes }),
    configOptions,
    takes: {
      image: agent.supports('promptImage'),
      audio: agent.supports('promptAudio'),
      embeddedContext: agent.supports('promptEmbeddedContext'),
    },
  };
}

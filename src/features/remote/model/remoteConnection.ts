import * as l10n from '@vscode/l10n';
import type {
  AgentConnection,
  ForkTarget,
  NewPlace,
  OpenedSession,
  SessionInfo,
  SessionPage,
  SessionPlace,
  SessionQuery,
  SessionSetup,
  SessionTarget,
  SessionUpdateEvent,
  SteeringOutcome,
} from '../../../protocol/agentConnection';
import type { AgentRequests } from '../../../protocol/agentRequests';
import { AcpError } from '../../../protocol/errors';
import { refusedRequests } from '../../../protocol/refusedRequests';
import type { TheirPaths } from '../../../protocol/transport/theirPaths';
import type { SessionUpdate, ToolCallPatch } from '../../../protocol/updates';
import type { Block, ToolContent } from '../../../shared/transcript/content';
import type { TurnUsage } from '../../../shared/transcript/entries';
import { decodedPart } from '../../../util/decodedPart';
import { Emitter } from '../../../util/emitter';

/**
 * A connection to an agent on another machine: the same, with all paths translated on their way. So nothing else needs
 * to know whose a path is, except that it must not open one that is elsewhere.
 */
export class RemoteConnection implements AgentConnection {
  readonly protocolVersion: number;
  readonly info: AgentConnection['info'];
  readonly authMethods: AgentConnection['authMethods'];
  readonly onUpdate: AgentConnection['onUpdate'];
  readonly onListChanged: AgentConnection['onListChanged'];
  readonly onPrint: AgentConnection['onPrint'];
  readonly onClosed: AgentConnection['onClosed'];
  readonly #inner: AgentConnection;
  readonly #paths: TheirPaths;
  readonly #updated = new Emitter<SessionUpdateEvent>();

  constructor(inner: AgentConnection, paths: TheirPaths) {
    this.#inner = inner;
    this.#paths = paths;
    this.protocolVersion = inner.protocolVersion;
    this.info = inner.info;
    // Its keys are variables of its environment, which is started there.
    this.authMethods = inner.authMethods.filter(({ type }) => type === 'agent');
    this.onUpdate = this.#updated.event;
    this.onListChanged = inner.onListChanged;
    this.onPrint = inner.onPrint;
    this.onClosed = inner.onClosed;
    inner.onUpdate((event) => {
      const update = inwardUpdate(event.update, paths);
      this.#updated.fire(update === event.update ? event : { ...event, update });
    });
  }

  get capabilities(): AgentConnection['capabilities'] {
    return this.#inner.capabilities;
  }

  async listSessions(query: SessionQuery, signal?: AbortSignal): Promise<SessionPage> {
    const { cwd, ...rest } = query;
    const theirs = cwd === undefined ? undefined : this.#paths.outward(cwd);
    if (cwd !== undefined && theirs === undefined) {
      return { sessions: [] };
    }
    const asked = theirs === undefined ? rest : { ...rest, cwd: theirs };
    const page = await this.#inner.listSessions(asked, signal);
    return { ...page, sessions: page.sessions.map((info) => this.#inwardInfo(info)) };
  }

  async loadSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    return this.#inner.loadSession({ ...target, ...this.#place(target) }, signal);
  }

  whenLoadsEnded(sessionId: string): Promise<void> {
    return this.#inner.whenLoadsEnded(sessionId);
  }

  closeSession(sessionId: string): Promise<void> {
    return this.#inner.closeSession(sessionId);
  }

  async newSession(place: NewPlace, signal?: AbortSignal): Promise<OpenedSession> {
    const { options } = place;
    return this.#inner.newSession({ ...this.#place(place), ...(options && { options }) }, signal);
  }

  async newSessionOptions(
    place: Pick<SessionPlace, 'cwd' | 'additionalDirectories'>,
    signal?: AbortSignal,
  ): Promise<SessionSetup> {
    return this.#inner.newSessionOptions(this.#place({ ...place, mcpServers: [] }), signal);
  }

  async resumeSession(target: SessionTarget, signal?: AbortSignal): Promise<SessionSetup> {
    return this.#inner.resumeSession({ ...target, ...this.#place(target) }, signal);
  }

  async forkSession(target: ForkTarget, signal?: AbortSignal): Promise<OpenedSession> {
    return this.#inner.forkSession({ ...target, ...this.#place(target) }, signal);
  }

  deleteSession(sessionId: string): Promise<void> {
    return this.#inner.deleteSession(sessionId);
  }

  setArchived(sessionId: string, archived: boolean): Promise<void> {
    return this.#inner.setArchived(sessionId, archived);
  }

  setTitle(sessionId: string, title: string): Promise<string> {
    return this.#inner.setTitle(sessionId, title);
  }

  prompt(
    sessionId: string,
    blocks: readonly Block[],
    inserted?: (messageId: string) => void,
    used?: (usage: TurnUsage) => void,
  ): Promise<string> {
    return this.#inner.prompt(sessionId, this.#outwardBlocks(blocks), inserted, used);
  }

  steer(sessionId: string, blocks: readonly Block[]): Promise<SteeringOutcome> {
    return this.#inner.steer(sessionId, this.#outwardBlocks(blocks));
  }

  cancel(sessionId: string): void {
    this.#inner.cancel(sessionId);
  }

  cancelWork(
    ...args: Parameters<AgentConnection['cancelWork']>
  ): ReturnType<AgentConnection['cancelWork']> {
    return this.#inner.cancelWork(...args);
  }

  setMode(sessionId: string, modeId: string): Promise<void> {
    return this.#inner.setMode(sessionId, modeId);
  }

  setModel(sessionId: string, modelId: string): Promise<void> {
    return this.#inner.setModel(sessionId, modelId);
  }

  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): ReturnType<AgentConnection['setConfigOption']> {
    return this.#inner.setConfigOption(sessionId, configId, value);
  }

  authenticate(methodId: string, signal?: AbortSignal): Promise<void> {
    return this.#inner.authenticate(methodId, signal);
  }

  logout(): Promise<void> {
    return this.#inner.logout();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  dispose(): void {
    this.#updated.dispose();
    this.#inner.dispose();
  }

  #inwardInfo(info: SessionInfo): SessionInfo {
    return {
      ...info,
      cwd: this.#paths.inward(info.cwd),
      additionalDirectories: info.additionalDirectories.map((folder) => this.#paths.inward(folder)),
    };
  }

  /** MCP servers are programs and secrets of this machine; only those that the connection itself leads to are neither. */
  #place({ cwd, additionalDirectories, mcpServers, systemPrompt }: SessionPlace): SessionPlace {
    const theirs = this.#paths.outward(cwd);
    if (theirs === undefined) {
      const words = wordsOfFolder(cwd);
      throw new AcpError('invalidParams', `No mapping covers ${cwd}`, { words });
    }
    const others = additionalDirectories.map((folder) => this.#paths.outward(folder));
    return {
      cwd: theirs,
      additionalDirectories: others.filter((folder) => folder !== undefined),
      mcpServers: mcpServers.filter(({ type }) => type === 'acp'),
      ...(systemPrompt && { systemPrompt }),
    };
  }

  #outwardBlocks(blocks: readonly Block[]): readonly Block[] {
    return blocks.map((block) => {
      if (block.type !== 'resource_link' && block.type !== 'resource') {
        return block;
      }
      const uri = this.#paths.outwardUri(block.uri);
      if (uri !== undefined) {
        return { ...block, uri };
      }
      // A file that isn't there: its content is sent, or its name as a text.
      const name = getName(block.uri);
      return block.type === 'resource'
        ? { ...block, uri: `attachment:${encodeURIComponent(name)}` }
        : { type: 'text', text: name };
    });
  }
}

/** The last name in the address of a file of ours, which needn't be a valid one; nothing of the folders that it is in. */
function getName(uri: string): string {
  const path = decodedPart(uri.replace(/#.*$/s, ''));
  // Half of a surrogate pair can't be encoded again.
  return path.replace(/^.*[\\/]/s, '').replace(/\p{Cs}/gu, '\ufffd');
}

/** The requests of an agent on another machine, with its paths as this machine writes them. */
export function inwardRequests(requests: AgentRequests, paths: TheirPaths): AgentRequests {
  return {
    ...refusedRequests('The agent is on another machine'),
    requestPermission: (request, signal) =>
      requests.requestPermission(
        { ...request, toolCall: inwardCall(request.toolCall, paths) },
        signal,
      ),
    elicit: (request, signal) => requests.elicit(request, signal),
    mcpMessage: (request, signal) => requests.mcpMessage(request, signal),
    unknownRequest: (request) => requests.unknownRequest(request),
    callNews: (news) => requests.callNews({ ...news, update: inwardUpdate(news.update, paths) }),
    elicitationCompleted: (id) => requests.elicitationCompleted(id),
    accountChanged: (account) => requests.accountChanged(account),
  };
}

/** The update itself if it has no path. */
function inwardUpdate(update: SessionUpdate, paths: TheirPaths): SessionUpdate {
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update':
      return { ...update, ...inwardCall(update, paths) };
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'session_message_chunk':
    case 'compaction_summary_chunk': {
      const content = inwardBlock(update.content, paths);
      return content === update.content ? update : { ...update, content };
    }
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
    case 'session_message':
      return update.content === undefined
        ? update
        : { ...update, content: update.content.map((block) => inwardBlock(block, paths)) };
    case 'compaction_update':
      return update.summary
        ? { ...update, summary: update.summary.map((block) => inwardBlock(block, paths)) }
        : update;
    case 'plan':
      return update.blocks === undefined
        ? update
        : {
            ...update,
            blocks: update.blocks.map((block) => inwardBlock(block, paths)),
            ...(update.path !== undefined && { path: paths.inward(update.path) }),
          };
    case 'terminal_update':
      return typeof update.cwd === 'string' ? { ...update, cwd: paths.inward(update.cwd) } : update;
    case 'tool_call_content_chunk':
      return { ...update, content: update.content.map((item) => inwardContent(item, paths)) };
    default:
      return update;
  }
}

function inwardCall<T extends ToolCallPatch>(call: T, paths: TheirPaths): T {
  const { locations, content } = call;
  return {
    ...call,
    ...(locations !== undefined && {
      locations: locations.map((place) => ({ ...place, path: paths.inward(place.path) })),
    }),
    ...(content !== undefined && { content: content.map((item) => inwardContent(item, paths)) }),
  };
}

function inwardContent(item: ToolContent, paths: TheirPaths): ToolContent {
  switch (item.type) {
    case 'diff':
      return { ...item, path: paths.inward(item.path) };
    case 'fileChange': {
      const { path, oldPath } = item;
      return {
        ...item,
        path: paths.inward(path),
        ...(oldPath !== undefined && { oldPath: paths.inward(oldPath) }),
      };
    }
    case 'content':
      return { ...item, block: inwardBlock(item.block, paths) };
    case 'terminal':
      return item;
  }
}

function inwardBlock(block: Block, paths: TheirPaths): Block {
  return block.type === 'resource_link' || block.type === 'resource'
    ? { ...block, uri: paths.inwardUri(block.uri) }
    : block;
}

/** Words for a session that is to begin in a folder of this machine, of which the agent's machine knows nothing. */
function wordsOfFolder(folder: string): { readonly title: string; readonly detail: string } {
  return {
    title: l10n.t('The agent’s machine doesn’t have this folder'),
    detail: l10n.t(
      'Nothing says what “{0}” is there. Name the folder for new sessions as “cwd” in the settings of the agent, or say with “pathMappings” which folders are the same.',
      folder.slice(0, 300),
    ),
  };
}

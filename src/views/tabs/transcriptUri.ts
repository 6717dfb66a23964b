import * as vscode from 'vscode';
import type { NamedAgent } from '../../model/agents/whose';
import { getFileName } from '../../model/files/fileName';
import {
  readTabQuery,
  type SessionAddress,
  writeTabQuery,
} from '../../model/session/sessionAddress';
import { cleanText } from '../../model/text/titles';

/**
 * The scheme of the tabs. It has no file system: VS Code would show the name of a file above the transcript, the one
 * with which the tab was opened, and that session may have another title by now.
 */
export const transcriptScheme = 'acp-transcript';
/** The scheme of the texts, which are files. */
export const transcriptTextScheme = 'acp-transcript-text';

const maxNameLength = 120;

type Named = Omit<SessionAddress, 'entry'> & { readonly title: string };

/**
 * The URI of a session's tab. Its query identifies the session. Its name is the title at that moment, which VS Code
 * shows until the tab is looked at: `TranscriptTabs` has the URI of an open tab. With several agents, its folder is named
 * after the session's agent: VS Code shows it on hover, and beside a name that two tabs share.
 */
export function transcriptUri(session: Named, agent: NamedAgent | undefined): vscode.Uri {
  return getUri(transcriptScheme, session, agent, labelName(session.title));
}

/** The URI of the tab of a session that hasn't begun, by its page's id. */
export function newPageUri(id: string, title: string): vscode.Uri {
  const path = `/${labelName(title)}`;
  return vscode.Uri.from({ scheme: transcriptScheme, path, query: `new=${id}` });
}

/** The id that such a URI names; `undefined` for other URIs. The URI may come from anywhere. */
export function readNewPageUri({ scheme, authority, query }: vscode.Uri): string | undefined {
  return scheme === transcriptScheme && authority === ''
    ? /^new=([0-9a-f-]{36})$/.exec(query)?.[1]
    : undefined;
}

/** The URI of a session's text, which is named like a file. */
export function transcriptTextUri(session: Named, agent: NamedAgent | undefined): vscode.Uri {
  return getUri(transcriptTextScheme, session, agent, getFileName(session.title, '.md'));
}

function getUri(
  scheme: string,
  session: Named,
  agent: NamedAgent | undefined,
  name: string,
): vscode.Uri {
  const folder = agent === undefined || agent.isOnly ? '' : `/${getFileName(agent.title, '')}`;
  return vscode.Uri.from({ scheme, path: `${folder}/${name}`, query: writeTabQuery(session) });
}

/** The title as one segment of a path: slashes, of which VS Code would show what follows the last one, have stand-ins. */
function labelName(title: string): string {
  const name = cleanText(title, maxNameLength).replaceAll('/', '\u2215').replaceAll('\\', '\u29f5');
  return /^\.*$/.test(name) ? `session ${name}`.trimEnd() : name;
}

/**
 * The session that a transcript's URI names; `undefined` for other URIs. The URI may come from
 * anywhere.
 */
export function readTranscriptUri({ scheme, authority, path, query }: vscode.Uri) {
  const isOurs = scheme === transcriptScheme || scheme === transcriptTextScheme;
  return isOurs && authority === '' && /^(?:\/[^/]+){1,2}$/.test(path)
    ? readTabQuery(query)
    : undefined;
}

/** The title from which a transcript's URI was made, as far as its name preserves it. */
export function titleInUri({ scheme, path }: vscode.Uri): string {
  const name = path.replace(/^.*\//, '');
  // Tabs of earlier versions have an ending, too.
  const title =
    scheme === transcriptScheme ? name.replace(/\.acp-session$/, '') : withoutEnding(name);
  return cleanText(title.replaceAll('\u2215', '/').replaceAll('\u29f5', '\\'), maxNameLength);
}

function withoutEnding(name: string): string {
  return name.replace(/\.[\w-]+$/, '');
}

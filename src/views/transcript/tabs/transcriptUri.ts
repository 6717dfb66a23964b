import * as vscode from 'vscode';
import type { NamedAgent } from '../../../model/agents/whose';
import { fileNameOf } from '../../../model/files/fileName';
import {
  readTabQuery,
  type SessionAddress,
  writeTabQuery,
} from '../../../model/session/sessionAddress';
import { cleanText } from '../../../model/text/titles';

export const transcriptScheme = 'acp-transcript';

/** The extensions of a transcript's name: for its editor, as in the manifest, and for plain text. */
const endings = { editor: '.acp-session', text: '.md' } as const;

type Named = Omit<SessionAddress, 'entry'> & { readonly title: string };

/**
 * The URI of a session's transcript. Its query identifies the session. Its name is for the user, and is the title at
 * that moment: `TranscriptTabs` has the URI of an open tab. With several agents, its folder is named after the
 * session's agent: VS Code shows it on hover, and beside a name that two tabs share.
 */
export function transcriptUri(
  session: Named,
  agent: NamedAgent | undefined,
  as: keyof typeof endings = 'editor',
): vscode.Uri {
  const folder = agent === undefined || agent.isOnly ? '' : `/${fileNameOf(agent.title, '')}`;
  return vscode.Uri.from({
    scheme: transcriptScheme,
    path: `${folder}/${fileNameOf(session.title, endings[as])}`,
    query: writeTabQuery(session),
  });
}

/**
 * The session that a transcript's URI names; `undefined` for other URIs. The URI may come from
 * anywhere.
 */
export function readTranscriptUri({ scheme, authority, path, query }: vscode.Uri) {
  const isOurs = scheme === transcriptScheme && authority === '' && /^(?:\/[^/]+){1,2}$/.test(path);
  return isOurs ? readTabQuery(query) : undefined;
}

/** The title from which a transcript's URI was made, as far as its name preserves it. */
export function titleInUri({ path }: vscode.Uri): string {
  return cleanText(path.replace(/^.*\//, '').replace(/\.[\w-]+$/, ''), 120);
}

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

/** How a transcript's name ends: that of its editor, as the manifest has it, or that of a text alone. */
const endings = { editor: '.acp-session', text: '.md' } as const;

type Named = Omit<SessionAddress, 'entry'> & { readonly title: string };

/**
 * The URI of a session's transcript. Its query is the session's identity; its name is for people, and is the
 * title of that moment: of an open tab, `TranscriptTabs` knows the URI. Where there are several agents, its folder is
 * named after the session's: VS Code shows it when one points at the tab, and beside a name that two tabs have.
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

/** What a transcript's URI names; it can come from anywhere. */
export function readTranscriptUri({ scheme, authority, path, query }: vscode.Uri) {
  const isOurs = scheme === transcriptScheme && authority === '' && /^(?:\/[^/]+){1,2}$/.test(path);
  return isOurs ? readTabQuery(query) : undefined;
}

/** The title that a transcript's URI was made with, as far as it is in its name. */
export function titleIn({ path }: vscode.Uri): string {
  return cleanText(path.replace(/^.*\//, '').replace(/\.[\w-]+$/, ''), 120);
}

import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { pathOfFileUri } from '../../../model/files/fileUri';
import { findOpenDocument } from '../../../platform/files/openDocuments';
import { showWarningMessage } from '../../../platform/ui/messages';
import { literalLine } from '../../../shared/literal';
import type { Attachment } from '../../../shared/transcript/prompt';
import type { Reply } from '../../../shared/transcript/questions';
import type { ToWebview } from '../../../shared/transcript/webviewMessages';
import { sessionFile } from '../../sessionFiles';
import type { PanelSession } from '../tabs/panelSession';

/** Number of files beyond which the user is asked about the oldest ones again. */
const maxOfferedFiles = 10_000;
/** Maximum number of paths in a question to the user. */
const maxNamedPaths = 10;

/** The files that were offered to the page of one tab to attach. It is trusted with no others. */
export class OfferedFiles {
  readonly #uris = new Set<string>();

  /** Call with each message to the page. */
  note(message: ToWebview): void {
    if (message.type === 'reply') {
      this.#noteReply(message);
    } else if (message.type === 'attach') {
      this.#add(message.attachments.flatMap(getUri));
    } else if (message.type === 'edit') {
      this.#add(message.draft.attachments.flatMap(getUri));
    }
  }

  /**
   * The `file:` URIs that may go to the agent: files that were offered, belong to the session or the
   * workspace, or are open in an editor. The user is asked once about all others.
   */
  async allowed(uris: readonly string[], session: PanelSession): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(uris)].filter((uri) => !this.#uris.has(uri));
    const own = await Promise.all(unknown.map((uri) => isKnown(uri, session)));
    const foreign = unknown.filter((_, index) => own[index] !== true);
    const here = foreign.filter((uri) => pathOfFileUri(uri) !== undefined);
    const isAgreed = here.length > 0 && (await askToAttach(here, session.agent.title));
    if (isAgreed) {
      this.#add(here);
    }
    const refused = new Set(isAgreed ? foreign.filter((uri) => !here.includes(uri)) : foreign);
    return new Set(uris.filter((uri) => !refused.has(uri)));
  }

  #noteReply(reply: Reply): void {
    if ('failed' in reply) {
      return;
    }
    if (reply.to === 'searchFiles') {
      this.#add(reply.value.map(({ uri }) => uri));
    } else if (reply.to === 'usePrompt') {
      this.#add(reply.value?.attachments.flatMap(getUri) ?? []);
    }
  }

  #add(uris: readonly string[]): void {
    for (const uri of uris) {
      this.#uris.delete(uri);
      this.#uris.add(uri);
    }
    for (const uri of this.#uris) {
      if (this.#uris.size <= maxOfferedFiles) {
        break;
      }
      this.#uris.delete(uri);
    }
  }
}

/** The files that are read when the prompt is sent; other attachments bring their contents along. */
export function getUri(attachment: Attachment): readonly string[] {
  return attachment.type === 'file' ? [attachment.uri] : [];
}

async function isKnown(uri: string, { acts }: PanelSession): Promise<boolean> {
  const file = pathOfFileUri(uri);
  return (
    file !== undefined &&
    ((await acts.reach.has(file)) ||
      (await sessionFile(file, { cwd: path.dirname(file), roots: [] })).kind !== 'outside' ||
      (await findOpenDocument(file)) !== undefined)
  );
}

async function askToAttach(uris: readonly string[], agentTitle: string): Promise<boolean> {
  const add = l10n.t('Add');
  const named = uris.slice(0, maxNamedPaths).map((uri) => literalLine(pathOfFileUri(uri) ?? uri));
  const more = uris.length - named.length;
  const answer = await showWarningMessage(
    l10n.t(
      'Let {0} read files that lie outside of this session’s folders?',
      literalLine(agentTitle),
    ),
    {
      modal: true,
      detail: [...named, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join('\n'),
    },
    add,
  );
  return answer === add;
}

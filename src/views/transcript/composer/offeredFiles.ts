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

/** Number beyond which the user is asked about the oldest ones again. */
const maxOffered = 10_000;
/** Maximum number of paths in a question to the user. */
const maxNamedPaths = 10;

/** The files and contexts that were offered to the page of one tab to attach. It is trusted with no others. */
export class OfferedFiles {
  /** By `getKeys`, the latest last. */
  readonly #offered = new Set<string>();

  /** Call with each message to the page. */
  note(message: ToWebview): void {
    if (message.type === 'reply') {
      this.#noteReply(message);
    } else if (message.type === 'attach') {
      this.#add(message.attachments.flatMap(getKeys));
    } else if (message.type === 'edit') {
      this.#add(message.draft.attachments.flatMap(getKeys));
    } else if (message.type === 'draft') {
      this.#add(message.draft.attachments.flatMap(getContextKey));
    }
  }

  /**
   * The `file:` URIs that may go to the agent: files that were offered, belong to the session or the
   * workspace, or are open in an editor. The user is asked once about all others.
   */
  async allowed(uris: readonly string[], session: PanelSession): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(uris)].filter((uri) => !this.#offered.has(uri));
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

  /** Whether an attachment is no context, or one that was offered: others would let a page read more than it was shown. */
  isOffered(attachment: Attachment): boolean {
    return getContextKey(attachment).every((key) => this.#offered.has(key));
  }

  #noteReply(reply: Reply): void {
    if ('failed' in reply) {
      return;
    }
    if (reply.to === 'searchMentions') {
      this.#add(
        reply.value.flatMap((each) =>
          'source' in each ? getContextKey({ type: 'context', ...each }) : [each.uri],
        ),
      );
    } else if (reply.to === 'usePrompt') {
      this.#add(reply.value?.attachments.flatMap(getKeys) ?? []);
    }
  }

  #add(keys: readonly string[]): void {
    for (const key of keys) {
      this.#offered.delete(key);
      this.#offered.add(key);
    }
    for (const key of this.#offered) {
      if (this.#offered.size <= maxOffered) {
        break;
      }
      this.#offered.delete(key);
    }
  }
}

/** The files that are read when the prompt is sent; other attachments bring their contents along. */
export function getUri(attachment: Attachment): readonly string[] {
  return attachment.type === 'file' ? [attachment.uri] : [];
}

function getContextKey(attachment: Attachment): readonly string[] {
  return attachment.type === 'context' ? [`context:${attachment.source}:${attachment.about}`] : [];
}

function getKeys(attachment: Attachment): readonly string[] {
  return [...getUri(attachment), ...getContextKey(attachment)];
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

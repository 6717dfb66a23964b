import { getContextSession, type ProvidedContext } from '../../model/session/providedContext';
import type { ContextText, FoundContext } from '../../shared/prompt/promptProtocol';
import { getBeginning } from '../../util/textParts';

type Contexts = Pick<ProvidedContext, 'find' | 'read' | 'suggest'>;
type Asking = Parameters<typeof getContextSession>[0];

/** UTF-16 units of a preview. */
const maxPreview = 2000;

/** What a prompt for this session can mention, beginning with this; nothing without a session. */
export async function suggestContexts(
  contexts: Contexts,
  session: Asking | undefined,
  query: string,
): Promise<readonly FoundContext[]> {
  const found = session ? await contexts.suggest(query, getContextSession(session)) : [];
  return found.map(({ mention, name, detail }) => ({ mention, name, detail }));
}

/** What a mention stands for now; `undefined` if that can't be known. */
export async function previewContext(
  contexts: Contexts,
  session: Asking | undefined,
  word: string,
): Promise<ContextText | undefined> {
  if (session === undefined) {
    return undefined;
  }
  const asking = getContextSession(session);
  const context = await contexts.find(word, asking);
  const parts = context === undefined ? [] : await contexts.read(context, asking);
  const text = parts.map((part) => part.text).join('\n\n');
  return (
    context && {
      name: context.name,
      size: Buffer.byteLength(text),
      text: getBeginning(text, maxPreview),
    }
  );
}

import { pathToFileURL } from 'node:url';
import type { CancellationToken, DocumentLink } from 'vscode-languageserver/node';
import type { Segment } from '../../../shared/prompt/promptDocument';
import { getLineFragment } from '../../../shared/prompt/promptMention';
import { asString, isObject } from '../../../util/json';
import type { OpenPrompts, Prompt } from './openPrompts';
import { type Folders, findFile, getFolders, getPlace } from './pathTargets';
import type { PromptSearch } from './promptSearch';

/** Maximum links per prompt. */
const most = 1_000;

/** Links to the files that a prompt mentions or attaches, and that are inside its folders. */
export async function getLinks(
  prompt: Prompt,
  findsSymbols: boolean,
): Promise<readonly DocumentLink[]> {
  const folders = await getFolders(prompt.roots);
  const isNamed = (segment: Segment): boolean =>
    findFile(segment) !== undefined || (findsSymbols && isSymbol(segment));
  const named = prompt.content.segments.filter(isNamed).slice(0, most);
  const links = await Promise.all(named.map((segment) => findLink(segment, folders, prompt)));
  return links.filter((link) => link !== undefined);
}

/** Resolves the link of a symbol's mention to the location that the client finds. */
export async function symbolLink(
  link: DocumentLink,
  prompts: OpenPrompts,
  search: PromptSearch,
  token: CancellationToken,
): Promise<DocumentLink> {
  const data: unknown = link.data;
  const uri = isObject(data) ? asString(data['uri']) : undefined;
  const name = isObject(data) ? asString(data['name']) : undefined;
  const prompt = uri === undefined ? undefined : prompts.get(uri);
  if (!prompt || name === undefined) {
    return link;
  }
  const found = await search.symbol(prompt, name, token);
  return found ? { ...link, target: `${found.uri}#L${found.line}` } : link;
}

async function findLink(
  segment: Segment,
  folders: Folders,
  { document }: Prompt,
): Promise<DocumentLink | undefined> {
  const range = {
    start: document.positionAt(segment.start),
    end: document.positionAt(segment.end),
  };
  if (segment.kind === 'mention' && segment.target.kind === 'symbol') {
    return { range, data: { uri: document.uri, name: segment.target.name } };
  }
  const named = findFile(segment);
  const place = named && (await getPlace(named.path, folders));
  if (place?.kind !== 'found' || !place.isFile) {
    return undefined;
  }
  const fragment = named?.lines === undefined ? '' : getLineFragment(named.lines);
  return { range, target: `${pathToFileURL(place.path).href}${fragment}` };
}

function isSymbol(segment: Segment): boolean {
  return segment.kind === 'mention' && segment.target.kind === 'symbol';
}

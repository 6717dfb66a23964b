import { pathToFileURL } from 'node:url';
import type { DocumentLink } from 'vscode-languageserver/node';
import type { Segment } from '../shared/promptDocument';
import type { LineRange } from '../shared/promptMention';
import { type Folders, foldersOf, placeOf } from './paths';
import type { Prompt } from './prompts';

/** More links of one prompt aren't made. */
const most = 1_000;

/** The files that a prompt mentions or attaches, to be opened; only those inside of its folders. */
export async function linksOf(prompt: Prompt): Promise<readonly DocumentLink[]> {
  const folders = await foldersOf(prompt.roots);
  const named = prompt.content.segments.filter((segment) => pathOf(segment)).slice(0, most);
  const links = await Promise.all(named.map((segment) => linkOf(segment, folders, prompt)));
  return links.filter((link) => link !== undefined);
}

async function linkOf(
  segment: Segment,
  folders: Folders,
  { document }: Prompt,
): Promise<DocumentLink | undefined> {
  const named = pathOf(segment);
  const place = named && (await placeOf(named.path, folders));
  if (place?.kind !== 'found' || !place.isFile) {
    return undefined;
  }
  const range = {
    start: document.positionAt(segment.start),
    end: document.positionAt(segment.end),
  };
  return { range, target: `${pathToFileURL(place.path).href}${fragmentOf(named?.lines)}` };
}

function pathOf(segment: Segment): { path: string; lines?: LineRange } | undefined {
  if (segment.kind === 'image') {
    return { path: segment.path };
  }
  return segment.kind === 'mention' && segment.target.kind === 'file' ? segment.target : undefined;
}

function fragmentOf(lines: LineRange | undefined): string {
  if (lines === undefined) {
    return '';
  }
  return lines.first === lines.last ? `#L${lines.first}` : `#L${lines.first}-L${lines.last}`;
}

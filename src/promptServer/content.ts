import { pathToFileURL } from 'node:url';
import { type PromptPart, promptParts, promptSettings } from '../shared/promptParts';
import type { PromptContent, PromptContentPart } from '../shared/promptProtocol';
import { isImage } from './fileFindings';
import { type Folders, foldersOf, placeOf } from './paths';
import type { Prompt } from './prompts';

/** What is to be sent of a prompt, with the files that it names. */
export async function contentOf(prompt: Prompt): Promise<PromptContent> {
  const { document, content, roots } = prompt;
  const { version } = document;
  const folders = await foldersOf(roots);
  const takesImages = prompt.facts?.takes.image === true;
  const parts = promptParts(content).map((part) => resolved(part, folders, takesImages));
  const settings = [...promptSettings(content)].map(([key, value]) => ({ key, value }));
  return { version, settings, parts: await Promise.all(parts) };
}

async function resolved(
  part: PromptPart,
  folders: Folders,
  takesImages: boolean,
): Promise<PromptContentPart> {
  const { text } = part;
  if (part.kind === 'text') {
    return part;
  }
  const target =
    part.kind === 'mention' ? part.target : { kind: 'image' as const, path: part.path };
  if (target.kind === 'symbol') {
    return { kind: 'symbol', text, name: target.name };
  }
  const place = await placeOf(target.path, folders);
  if (place.kind !== 'found') {
    return { kind: 'text', text };
  }
  const uri = pathToFileURL(place.path).href;
  const { isFolder, isFile } = place;
  if (part.kind === 'image' && takesImages && isFile && isImage(part.path)) {
    return { kind: 'image', text, uri, alt: part.alt };
  }
  const lines = target.kind === 'file' ? target.lines : undefined;
  return { kind: 'file', text, uri, isFolder, ...(lines && { lines }) };
}

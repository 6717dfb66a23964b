import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import { getSegments, type SegmentOf } from '../../../shared/prompt/promptDocument';
import type { PromptProblem } from '../../../shared/prompt/promptProtocol';
import { imageTypes } from '../../../shared/transcript/parseDraft';
import type { Prompt } from './openPrompts';
import { type Folders, getFolders, getPlace, type PathTarget } from './pathTargets';
import { oneLine } from './plainText';
import type { PromptFinding } from './promptFinding';

/** Limits the disk accesses for one prompt; further paths aren't checked. */
const maxPaths = 1_000;
const maxPathLength = 120;

/** Problems with the files that a prompt mentions or attaches. */
export async function checkFiles(prompt: Prompt): Promise<readonly PromptFinding[]> {
  if (prompt.roots.length === 0) {
    return [];
  }
  const mentions = getSegments(prompt.content, 'mention');
  const images = getSegments(prompt.content, 'image');
  const written = mentions.flatMap(({ target }) => (target.kind === 'file' ? [target.path] : []));
  const paths = [...new Set([...written, ...images.map((image) => image.path)])];
  const places = await getPlaces(paths.slice(0, maxPaths), await getFolders(prompt.roots));
  return [
    ...mentions.flatMap((mention) => checkMention(mention, places, prompt)),
    ...images.flatMap((image) => checkImage(image, places, prompt)),
  ];
}

async function getPlaces(
  paths: readonly string[],
  folders: Folders,
): Promise<ReadonlyMap<string, PathTarget>> {
  const places = await Promise.all(paths.map((written) => getPlace(written, folders)));
  return new Map(
    paths.flatMap((written, index) => {
      const place = places[index];
      return place ? [[written, place] as const] : [];
    }),
  );
}

function checkMention(
  { target, start, end }: SegmentOf<'mention'>,
  places: ReadonlyMap<string, PathTarget>,
  { facts }: Prompt,
): readonly PromptFinding[] {
  const place = target.kind === 'file' ? places.get(target.path) : undefined;
  if (target.kind !== 'file' || !place) {
    return [];
  }
  const name = oneLine(target.path, maxPathLength);
  // A bare name may also refer to a person or a decorator.
  const severity = /[./\\ ]/.test(target.path)
    ? DiagnosticSeverity.Warning
    : DiagnosticSeverity.Information;
  const warn = (code: PromptProblem, message: string): readonly PromptFinding[] => [
    { code, severity, start, end, message },
  ];
  switch (place.kind) {
    case 'found':
      return [];
    case 'missing':
      return warn('mention-missing', l10n.t('There is no file or folder “{0}”.', name));
    case 'outside':
      return facts
        ? warn('mention-outside', l10n.t('“{0}” is outside the session’s folders.', name))
        : [];
  }
}

function checkImage(
  image: SegmentOf<'image'>,
  places: ReadonlyMap<string, PathTarget>,
  { facts }: Prompt,
): readonly PromptFinding[] {
  const { start, end } = image;
  const place = places.get(image.path);
  const name = oneLine(image.path, maxPathLength);
  const warn = (code: PromptProblem, message: string): readonly PromptFinding[] => [
    { code, severity: DiagnosticSeverity.Warning, start, end, message },
  ];
  if (place?.kind === 'missing') {
    return warn('image-missing', l10n.t('There is no file “{0}”.', name));
  }
  if (place?.kind === 'outside' && facts) {
    return warn('image-outside', l10n.t('“{0}” is outside the session’s folders.', name));
  }
  if (!isImage(image.path) || (place?.kind === 'found' && !place.isFile)) {
    const message = l10n.t(
      '“{0}” can’t be attached as an image. Use PNG, JPEG, GIF or WebP.',
      name,
    );
    return warn('image-type', message);
  }
  if (facts?.takes.image === false) {
    return warn('image-unsupported', l10n.t('The agent doesn’t accept images.'));
  }
  return [];
}

/** Whether the file extension is one of an image format that agents accept. */
function isImage(file: string): boolean {
  const ending = path.extname(file).slice(1).toLowerCase();
  return imageTypes.includes(`image/${ending === 'jpg' ? 'jpeg' : ending}`);
}

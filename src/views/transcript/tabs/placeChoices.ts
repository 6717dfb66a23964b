import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import type { Choice } from '../../../shared/transcript/config';
import type { WantedPlace } from './wantedPlace';

const maxPath = 500;
/** Before the path of the folder that a place is made for; no path begins like that. */
const made = 'made:';

/** What stands for a folder, or for a place that is made for it, among the choices. */
export function placeValue({ path }: WorkspaceFolder, isMade: boolean): string {
  return isMade ? `${made}${path}` : path;
}

/** The path of the folder that a choice stands for, and whether a place is made for it. */
export function readPlaceValue(value: string): { readonly path: string; readonly isMade: boolean } {
  const isMade = value.startsWith(made);
  return { path: isMade ? value.slice(made.length) : value, isMade };
}

/** The folders as choices. */
export function folderChoices(folders: readonly WorkspaceFolder[]): readonly Choice[] {
  return folders.map((folder) => ({
    value: placeValue(folder, false),
    name: folder.name || cleanText(folder.path, maxPath),
    description: cleanText(folder.path, maxPath),
  }));
}

/** The places that can be made for folders, as choices. */
export function madeChoices(
  folders: readonly WorkspaceFolder[],
  place: Pick<WantedPlace, 'nameFor'>,
): readonly Choice[] {
  const description = l10n.t('Made when the first prompt is sent');
  return folders.flatMap((folder) => {
    const name = place.nameFor(folder);
    return name === undefined ? [] : [{ value: placeValue(folder, true), name, description }];
  });
}

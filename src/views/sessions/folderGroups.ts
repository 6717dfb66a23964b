import type { WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/titles';
import type { RowGroup } from './nodes';

/** The group of a session's folder: named from the workspace folder on, or in full when it lies elsewhere. */
export function folderGroup(cwd: string, { path, name }: WorkspaceFolder): RowGroup {
  const below = cwd.startsWith(path) ? cwd.slice(path.length) : undefined;
  const inside = below !== undefined && /^[\\/]./u.test(below) ? below.slice(1) : undefined;
  const label = below === '' ? name : (inside ?? cwd);
  return { key: `folder:${cwd}`, label: cleanText(label, 200) || name, icon: 'folder' };
}

import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../vocabulary/requestErrors';

/** The only folder, inside a session's folder, in which the agent changes files by itself. */
export const workFolderName = 'demo-agent';

/** Files that the agent changes by itself. Every name is checked: no link leads out of the folder. */
export class WorkFolder {
  readonly path: string;

  private constructor(folder: string) {
    this.path = folder;
  }

  /** Creates nothing: the folder appears with the first file in it. */
  static async open(cwd: string): Promise<WorkFolder> {
    return new WorkFolder(path.join(await realpath(cwd), workFolderName));
  }

  /** The file's absolute path, whether it exists or not; throws if it is a link, or if a link is on the way to it. */
  async file(name: string): Promise<string> {
    const file = path.join(this.path, ...name.split('/'));
    if ((await realPlace(file)) !== file) {
      throw new Error(`${file} leads to another folder, so I leave it alone.`);
    }
    const found = await lstat(file).catch(undefinedIfMissing);
    if (found !== undefined && !found.isFile()) {
      throw new Error(`${workFolderName}/${name} isn’t an ordinary file, so I leave it alone.`);
    }
    return file;
  }

  /** `undefined` if there is no such file. */
  async read(name: string): Promise<string | undefined> {
    return readFile(await this.file(name), 'utf8').catch(undefinedIfMissing);
  }

  async write(name: string, content: string): Promise<void> {
    const file = await this.file(name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** The file's place without links; the file itself and folders above it may be missing. */
export async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const folder = path.dirname(file);
    if (!isMissing(error) || folder === file) {
      return file;
    }
    return path.join(await realPlace(folder), path.basename(file));
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) {
    throw error;
  }
}

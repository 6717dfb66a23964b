import { link, mkdir, open, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../../model/files/roots';
import { isPlainName } from '../../../../util/plainName';
import { UnpackError } from './unpackError';

export interface UnpackLimits {
  /** The bytes of all files together. */
  readonly bytes: number;
  readonly entries: number;
}

export interface PlacementOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly limits: UnpackLimits;
}

interface Place {
  /** The name, as the archive writes it. */
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'link';
}

const deepest = 40;
const maxNameLength = 255;
const maxPathLength = 1000;

/**
 * Places the entries of an archive in a folder, and refuses an archive in which any would be elsewhere, would replace
 * another one, or isn't a file, a folder or a link. Links are made once everything else is there, so nothing is ever
 * written through one.
 */
export class Placement {
  readonly #options: PlacementOptions;
  /** The places by path, in the same case: some file systems don't distinguish them. */
  readonly #places = new Map<string, Place>();
  readonly #links = new Map<string, string>();
  #entries = 0;
  #bytes = 0;

  constructor(options: PlacementOptions) {
    this.#options = options;
  }

  async folder(name: string): Promise<void> {
    const names = this.#getNames(name);
    if (names.length > 0) {
      await this.#makeFolders(names);
    }
  }

  /**
   * Writes a file. Its mode only says whether it can be run: neither other rights nor whose rights it runs with are
   * kept.
   */
  async file(name: string, mode: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await this.#claim(name, 'file');
    const handle = await open(file, 'wx', (mode & 0o111) === 0 ? 0o644 : 0o755);
    try {
      for await (const chunk of content) {
        this.#bytes += chunk.byteLength;
        if (this.#bytes > this.#options.limits.bytes) {
          throw new UnpackError('tooLarge', `more than ${this.#options.limits.bytes} bytes`);
        }
        // Unlike `write`, it continues after a part of it.
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Another name of a file that is there already. */
  async hardLink(name: string, target: string): Promise<void> {
    const names = this.#getNames(target);
    const place = this.#places.get(getKey(names));
    if (place?.kind !== 'file' || place.name !== names.join('/')) {
      throw unsafe(`“${name}” is another name of “${target}”, which is no file of the archive`);
    }
    const file = await this.#claim(name, 'file');
    await link(path.join(this.#options.folder, ...names), file);
  }

  async link(name: string, target: string): Promise<void> {
    const { platform } = this.#options;
    const names = this.#getNames(name);
    const isText = target !== '' && target.length <= maxPathLength && !/[\p{Cc}\\]/u.test(target);
    const to = path.posix.join(...names.slice(0, -1), target);
    if (
      platform === 'win32' ||
      !isText ||
      path.posix.isAbsolute(target) ||
      to === '..' ||
      to.startsWith('../')
    ) {
      throw unsafe(`“${name}” is a link to “${target}”`);
    }
    const file = await this.#claim(name, 'link');
    this.#links.set(file, target);
  }

  /** Makes the links, and checks where they really lead. */
  async finish(): Promise<void> {
    const root = await realpath(this.#options.folder);
    for (const [file, target] of this.#links) {
      await symlink(target, file);
    }
    for (const [file, target] of this.#links) {
      const real = await realpath(file).catch(() => undefined);
      if (real === undefined || real === root || !isInside(real, [root])) {
        throw unsafe(`“${path.basename(file)}” is a link to “${target}”, which leads out`);
      }
    }
  }

  /** The path of a new file or link, whose folders are there then. */
  async #claim(name: string, kind: Place['kind']): Promise<string> {
    const names = this.#getNames(name);
    if (names.length === 0 || this.#places.has(getKey(names))) {
      throw unsafe(`“${name}” is there twice, or differs from another name by case only`);
    }
    await this.#makeFolders(names.slice(0, -1));
    this.#places.set(getKey(names), { name: names.join('/'), kind });
    return path.join(this.#options.folder, ...names);
  }

  async #makeFolders(names: readonly string[]): Promise<void> {
    for (const depth of names.keys()) {
      const above = names.slice(0, depth + 1);
      const name = above.join('/');
      const place = this.#places.get(getKey(above));
      if (place !== undefined && (place.kind !== 'folder' || place.name !== name)) {
        throw unsafe(`“${name}” goes through “${place.name}”, or differs from it by case only`);
      }
      if (place === undefined) {
        this.#places.set(getKey(above), { name, kind: 'folder' });
        await mkdir(path.join(this.#options.folder, ...above), { mode: 0o755 });
      }
    }
  }

  /** The names in a path of the archive; none for its own folder. */
  #getNames(text: string): readonly string[] {
    const { platform, limits } = this.#options;
    if (++this.#entries > limits.entries) {
      throw new UnpackError('tooLarge', `more than ${limits.entries} entries`);
    }
    const names = text
      .replace(/\/+$/, '')
      .split('/')
      .filter((name, at) => !(name === '.' && at === 0));
    if (text.startsWith('/') || text.length > maxPathLength || names.length > deepest) {
      throw unsafe(`“${text.slice(0, maxPathLength)}” isn’t a path in the archive`);
    }
    if (names.length === 1 && names[0] === '') {
      return [];
    }
    const isUsable = (name: string): boolean =>
      name !== '' &&
      name !== '.' &&
      name !== '..' &&
      !/[\p{Cc}\\]/u.test(name) &&
      Buffer.byteLength(name) <= maxNameLength &&
      (platform !== 'win32' || isPlainName(name));
    if (!names.every(isUsable)) {
      throw unsafe(`“${text}” has a name that a file here can’t have`);
    }
    return names;
  }
}

function unsafe(message: string): UnpackError {
  return new UnpackError('unsafe', message);
}

/** Returns the key of a path, which is one for all spellings that a file system may take for the same. */
function getKey(names: readonly string[]): string {
  return names.join('/').normalize('NFC').toUpperCase().toLowerCase();
}

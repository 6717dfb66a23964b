import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { markElsewhere } from '../../../util/elsewhere';

/** A folder of the agent's machine, and the folder of this machine with the same files. Both are absolute. */
export interface PathMapping {
  readonly theirs: string;
  readonly ours: string;
}

type PathStyle = typeof path.posix;

/** Translates paths between this machine and an agent's: the longest mapping counts; what no mapping covers is marked. */
export class TheirPaths {
  readonly #host: string;
  readonly #mappings: readonly PathMapping[];

  constructor(host: string, mappings: readonly PathMapping[]) {
    this.#host = host;
    this.#mappings = mappings;
  }

  /** One of their paths, as this machine writes it. A path that isn't absolute stays as it is. */
  inward(theirs: string): string {
    const style = styleOf(theirs);
    if (style === undefined) {
      return theirs;
    }
    const whole = style.normalize(theirs);
    const best = this.#longest('theirs', whole, style);
    return best === undefined
      ? markElsewhere(this.#host, whole)
      : path.join(best.ours, ...split(style.relative(best.theirs, whole), style));
  }

  /** One of our paths, as the agent's machine writes it; `undefined` if it has no such path. */
  outward(ours: string): string | undefined {
    const marked = markElsewhere(this.#host, '');
    if (ours.startsWith(marked)) {
      const theirs = ours.slice(marked.length);
      return /^\/[A-Za-z]:/.test(theirs) ? theirs.slice(1) : theirs || '/';
    }
    const best = path.isAbsolute(ours)
      ? this.#longest('ours', path.normalize(ours), path)
      : undefined;
    const style = best && styleOf(best.theirs);
    return style?.join(best?.theirs ?? '', ...split(path.relative(best?.ours ?? '', ours), path));
  }

  /** The address of one of their files, as this machine writes it; other addresses stay as they are. */
  inwardUri(uri: string): string {
    const file = fileOf(uri, isDriveUri(uri));
    return file === undefined ? uri : pathToFileURL(this.inward(file)).href;
  }

  /** The address of one of our files, as the agent's machine writes it; `undefined` if it has no such file. */
  outwardUri(uri: string): string | undefined {
    if (!isFileUri(uri)) {
      return uri;
    }
    const file = fileOf(uri, process.platform === 'win32');
    const theirs = file === undefined ? undefined : this.outward(file);
    return theirs === undefined
      ? undefined
      : pathToFileURL(theirs, { windows: styleOf(theirs) === path.win32 }).href +
          (/#.*$/s.exec(uri)?.[0] ?? '');
  }

  #longest(side: keyof PathMapping, whole: string, style: PathStyle): PathMapping | undefined {
    return this.#mappings
      .filter((mapping) => side === 'ours' || styleOf(mapping.theirs) === style)
      .filter((mapping) => isWithin(style.relative(mapping[side], whole), style))
      .sort((a, b) => style.normalize(b[side]).length - style.normalize(a[side]).length)[0];
  }
}

/** `undefined` for a path that isn't absolute in either style. */
function styleOf(file: string): PathStyle | undefined {
  if (path.posix.isAbsolute(file) && !file.startsWith('//')) {
    return path.posix;
  }
  return /^(?:[A-Za-z]:[\\/]|[\\/]{2})/.test(file) ? path.win32 : undefined;
}

function isWithin(relative: string, style: PathStyle): boolean {
  return relative !== '..' && !relative.startsWith(`..${style.sep}`) && !style.isAbsolute(relative);
}

function split(relative: string, style: PathStyle): readonly string[] {
  return relative.split(style.sep);
}

function isFileUri(uri: string): boolean {
  return /^file:/i.test(uri);
}

function isDriveUri(uri: string): boolean {
  return /^file:\/\/(?:\/[A-Za-z](?::|%3A)|[^/])/i.test(uri);
}

function fileOf(uri: string, windows: boolean): string | undefined {
  if (!isFileUri(uri)) {
    return undefined;
  }
  try {
    return fileURLToPath(uri.replace(/#.*$/s, ''), { windows });
  } catch {
    return undefined;
  }
}

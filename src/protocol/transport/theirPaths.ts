import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { markElsewhere } from '../../util/elsewhere';
import { isPlainName } from '../../util/plainName';

/** A folder of the agent's machine, and the folder of this machine with the same files. Both are absolute. */
export interface PathMapping {
  readonly theirs: string;
  readonly ours: string;
}

type PathStyle = typeof path.posix;

/** A folder, and how its machine writes paths. */
interface Place {
  readonly folder: string;
  readonly style: PathStyle;
}

/** Translates paths between this machine and an agent's: the longest mapping counts; what no mapping covers is marked. */
export class TheirPaths {
  readonly #host: string;
  readonly #mappings: readonly PathMapping[];
  readonly #here: PathStyle;

  /** `here`: how this machine writes paths. */
  constructor(host: string, mappings: readonly PathMapping[], here: PathStyle = path) {
    this.#host = host;
    this.#mappings = mappings;
    this.#here = here;
  }

  /**
   * One of their paths, as this machine writes it: marked, too, if a name in it would be another place here. A path that
   * is relative on every system stays as it is.
   */
  inward(theirs: string): string {
    const style = findStyle(theirs);
    if (style === undefined) {
      return isRelative(theirs) ? theirs : this.#marked(path.win32.normalize(theirs));
    }
    const whole = style.normalize(theirs);
    const best = this.#longest('theirs', whole, style);
    const ours =
      best &&
      moved(whole, { folder: best.theirs, style }, { folder: best.ours, style: this.#here });
    return ours ?? this.#marked(whole);
  }

  /** A path of ours, as the agent's machine writes it; `undefined` if it has no such path. */
  outward(ours: string): string | undefined {
    const marked = markElsewhere(this.#host, '');
    if (ours.startsWith(marked)) {
      const theirs = ours.slice(marked.length);
      return /^\/[A-Za-z]:/.test(theirs) ? theirs.slice(1) : theirs || '/';
    }
    const here = this.#here;
    if (!here.isAbsolute(ours)) {
      return undefined;
    }
    const whole = here.normalize(ours);
    const best = this.#longest('ours', whole, here);
    const style = best && findStyle(best.theirs);
    return (
      style && moved(whole, { folder: best.ours, style: here }, { folder: best.theirs, style })
    );
  }

  /**
   * The address of one of their files, as this machine writes it: one that can't be read names what its text says.
   * Other addresses stay as they are.
   */
  inwardUri(uri: string): string {
    if (!isFileUri(uri)) {
      return uri;
    }
    const file = findFile(uri, isDriveUri(uri));
    const ours = file === undefined ? this.#marked(`/${uri}`) : this.inward(file);
    return pathToFileURL(ours, { windows: this.#here === path.win32 }).href;
  }

  /** The address of one of our files, as the agent's machine writes it; `undefined` if it has no such file. */
  outwardUri(uri: string): string | undefined {
    if (!isFileUri(uri)) {
      return uri;
    }
    const file = findFile(uri, this.#here === path.win32);
    const theirs = file === undefined ? undefined : this.outward(file);
    return theirs === undefined
      ? undefined
      : pathToFileURL(theirs, { windows: findStyle(theirs) === path.win32 }).href +
          (/#.*$/s.exec(uri)?.[0] ?? '');
  }

  /** Whichever of the two separators is read as one, nothing leads out of the mark. */
  #marked(whole: string): string {
    const slashed = whole.replaceAll('\\', '/');
    return markElsewhere(
      this.#host,
      slashed.split('/').includes('..') ? path.posix.normalize(`/${slashed}`) : whole,
    );
  }

  #longest(side: keyof PathMapping, whole: string, style: PathStyle): PathMapping | undefined {
    return this.#mappings
      .filter((mapping) => side === 'ours' || findStyle(mapping.theirs) === style)
      .filter((mapping) => isWithin(whole, { folder: mapping[side], style }))
      .sort((a, b) => style.normalize(b[side]).length - style.normalize(a[side]).length)[0];
  }
}

/** `undefined` for a path that isn't absolute in either style. */
function findStyle(file: string): PathStyle | undefined {
  if (path.posix.isAbsolute(file) && !file.startsWith('//')) {
    return path.posix;
  }
  return /^(?:[A-Za-z]:[\\/]|[\\/]{2})/.test(file) ? path.win32 : undefined;
}

/** Windows also has paths below the current folder of a drive (`C:x`), and below the current drive (`\x`). */
function isRelative(file: string): boolean {
  return !/^(?:[A-Za-z]:|\\)/.test(file);
}

/** Returns the path of a file below the folder of the other machine; `undefined` if a name in it is none there. */
function moved(file: string, from: Place, to: Place): string | undefined {
  const names = from.style.relative(from.folder, file).split(from.style.sep);
  const there = to.style.join(to.folder, ...names);
  return names.every((name) => isName(name, to.style)) && isWithin(there, to) ? there : undefined;
}

/** Empty for the folder itself. A backslash is also a separator for those who read both styles. */
function isName(name: string, style: PathStyle): boolean {
  return style === path.win32 ? name === '' || isPlainName(name) : !/[\\\0]/.test(name);
}

function isWithin(file: string, { folder, style }: Place): boolean {
  const relative = style.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${style.sep}`) && !style.isAbsolute(relative);
}

/** Whether it is a file's URI, read as by parsers of addresses, which leave out white space and control characters. */
function isFileUri(uri: string): boolean {
  return /^[\0- ]*file:/i.test(uri.replace(/[\t\n\r]/g, ''));
}

function isDriveUri(uri: string): boolean {
  const { href } = URL.canParse(uri) ? new URL(uri) : { href: uri };
  return /^file:\/\/(?:\/[A-Za-z](?::|%3A)|[^/])/i.test(href);
}

function findFile(uri: string, windows: boolean): string | undefined {
  try {
    return fileURLToPath(uri.replace(/#.*$/s, ''), { windows });
  } catch {
    return undefined;
  }
}

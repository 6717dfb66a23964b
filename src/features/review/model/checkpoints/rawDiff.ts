import path, { type PlatformPath } from 'node:path';
import { isPlainName } from '../../../../util/plainName';
import { gitlink } from './gitIndex';

/** A side of a difference. */
export interface RawSide {
  /** 0: there is no file. */
  readonly mode: number;
  readonly id: string;
}

export interface RawChange {
  /** Relative to the top, with `/`. */
  readonly name: string;
  readonly movedFrom?: string;
  readonly before: RawSide;
  readonly after: RawSide;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads what `git diff-tree -r -z --raw` prints. Counts the files whose names can't be used. */
export function readRawDiff(output: Buffer): {
  readonly changes: readonly RawChange[];
  readonly leftOut: number;
} {
  const parts = output.toString('latin1').split('\0');
  const changes: RawChange[] = [];
  let leftOut = 0;
  for (let at = 0; at + 1 < parts.length; ) {
    const [, mode0, mode1, id0, id1, status] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(parts[at] ?? '') ?? [];
    if (mode0 === undefined || mode1 === undefined || id0 === undefined || id1 === undefined) {
      throw new Error('git diff-tree printed something unexpected');
    }
    const isMove = status === 'R';
    const names = parts.slice(at + 1, at + (isMove ? 3 : 2)).map((part) => plainName(part));
    at += isMove ? 3 : 2;
    const name = names.at(-1);
    const movedFrom = isMove ? names[0] : undefined;
    if (name === undefined || names.includes(undefined)) {
      leftOut++;
      continue;
    }
    const before = getSide(mode0, id0);
    const after = getSide(mode1, id1);
    if (before.mode !== 0 || after.mode !== 0) {
      changes.push({ name, before, after, ...(movedFrom === undefined ? {} : { movedFrom }) });
    }
  }
  return { changes, leftOut };
}

/** A nested repository isn't one of the files. */
function getSide(mode: string, id: string): RawSide {
  const bits = Number.parseInt(mode, 8);
  return { mode: bits === gitlink ? 0 : bits, id };
}

/**
 * The name that is written in these bytes, given in Latin 1. `undefined`: not UTF-8, or a path that leads elsewhere,
 * which an index may contain if it is hostile.
 */
export function plainName(bytes: string, paths: PlatformPath = path): string | undefined {
  try {
    const name = utf8.decode(Buffer.from(bytes, 'latin1'));
    const parts = name.split('/');
    const isPlain = parts.every((part) => !/^(?:|\.|\.\.|\.git)$/i.test(part));
    // `GIT~1` is a short name of `.git`.
    const isHere =
      paths.sep === '/' || parts.every((part) => isPlainName(part) && !/^git~\d+$/i.test(part));
    return isPlain && isHere ? name : undefined;
  } catch {
    return undefined;
  }
}

import os from 'node:os';
import path from 'node:path';
import { readRegularFile } from '../../../../model/files/regularFile';
import { runGit } from '../../../../model/git/gitProcess';
import { AcpError } from '../../../../protocol/errors';
import type { ObjectFormat } from './gitIndex';

/** What the user's configuration says about a folder. */
export interface UserFacts {
  /** Git may hold other bytes than the files on the disk, by configuration. */
  readonly converts: boolean;
  /** The file with the user's own ignore rules; it may be missing. */
  readonly excludesFile: string;
  /** The file with the user's own attributes; it may be missing. */
  readonly attributesFile: string;
  readonly isSparse: boolean;
  /** What the disk can do, if a repository has found out. */
  readonly fileMode: boolean | undefined;
  readonly symlinks: boolean | undefined;
  readonly format: ObjectFormat;
}

const wanted = ['autocrlf', 'eol', 'excludesfile', 'attributesfile', 'sparsecheckout'];
const disk = ['filemode', 'symlinks'];
const pattern = `^(core\\.(${[...wanted, ...disk].join('|')})|extensions\\.objectformat)$`;
const limitMs = 10_000;
/** Maximum size of an attributes file in bytes; Git itself ignores attributes in larger ones. */
const maxAttributesBytes = 1024 * 1024;
const converting = /\b(?:text|eol|crlf|filter|ident|working-tree-encoding)\b/;

/**
 * Reads the user's configuration with git, in the user's own environment, which only reads files
 * and runs nothing. If that fails, what is assumed costs time, but never loses anything.
 */
export async function readUserFacts(
  git: string,
  folder: string,
  signal: AbortSignal,
): Promise<UserFacts> {
  const own = Object.entries(process.env).filter(([name]) => /^GIT_CONFIG/i.test(name));
  const { code, output } = await runGit({
    git,
    args: ['config', '-z', '--get-regexp', pattern],
    cwd: folder,
    environment: Object.fromEntries(own),
    limitMs,
    signal,
  });
  const values = new Map<string, string | true>();
  for (const text of output.toString('utf8').split('\0').slice(0, -1)) {
    const end = text.indexOf('\n');
    values.set(end < 0 ? text : text.slice(0, end), end < 0 ? true : text.slice(end + 1));
  }
  const flag = (name: string): boolean | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : value === true || /^(?:true|yes|on|1)$/i.test(value);
  };
  const file = (name: string, otherwise: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? absolute(value, folder) : otherwise;
  };
  const autocrlf = values.get('core.autocrlf');
  return {
    // 1: nothing of this is configured.
    converts:
      (code !== 0 && code !== 1) ||
      (autocrlf !== undefined && flag('core.autocrlf') !== false) ||
      /^input$/i.test(String(autocrlf)) ||
      values.has('core.eol'),
    excludesFile: file('core.excludesfile', path.join(configFolder(), 'git', 'ignore')),
    attributesFile: file('core.attributesfile', path.join(configFolder(), 'git', 'attributes')),
    isSparse: flag('core.sparsecheckout') === true,
    fileMode: flag('core.filemode'),
    symlinks: flag('core.symlinks'),
    format: values.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
  };
}

/**
 * Whether one of these files tells git to convert contents. `mustExist`: a missing one is doubtful,
 * because git then reads it elsewhere.
 */
export async function mayConvert(files: readonly string[], mustExist: boolean): Promise<boolean> {
  for (const file of files) {
    try {
      const bytes = await readRegularFile(file, { maxBytes: maxAttributesBytes });
      if (converting.test(bytes.toString('latin1'))) {
        return true;
      }
    } catch (error) {
      if (mustExist || !(error instanceof AcpError && error.code === 'gone')) {
        return true;
      }
    }
  }
  return false;
}

function configFolder(): string {
  return process.env['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config');
}

function absolute(file: string, folder: string): string {
  return path.resolve(
    folder,
    file.replace(/^~(?=[/\\]|$)/, () => os.homedir()),
  );
}

export interface AddComplaint {
  /** All complaints are about files that git leaves as they were recorded before. */
  readonly isHarmless: boolean;
  /** A file was changed or deleted while git read it. */
  readonly isPassing: boolean;
  /** Repositories without a commit, relative to the top; git can't add them. */
  readonly emptyRepositories: readonly string[];
}

const withoutCommit = /^error: '(.+)\/' does not have a commit checked out$/;
/** Complaints about files that git leaves as they were recorded before. */
const harmless = [
  withoutCommit,
  /^error: open\(".*"\): Permission denied$/,
  /^error: unable to index file '.*'$/,
  /^error: .*: can only add regular files, symbolic links or git-directories$/,
  /^error: invalid path '.*'$/,
  /^warning: /,
  /^hint: /,
];
/** Files that are changed or deleted while git reads them. */
const passing = /No such file or directory|unable to stat|short read|read error/;

/** What `git add --ignore-errors` complains about, in English. */
export function readComplaint(text: string): AddComplaint {
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    isHarmless: lines.every((line) => harmless.some((pattern) => pattern.test(line))),
    isPassing: lines.some((line) => passing.test(line)),
    emptyRepositories: lines.flatMap((line) => withoutCommit.exec(line)?.[1] ?? []),
  };
}

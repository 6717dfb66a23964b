/** What each line of an error of npm begins with, besides its words. */
const label =
  /^(?:E[A-Z][A-Z0-9_]{2,}(?!:)|\d{3}|notarget|network|engine|notsup|enoent|nospc|rofs|audit|gyp|sillyGone|peerinvalid|shasum)(?:\s+|$)/;
/** Facts, and words that follow in any case. */
const boilerplate =
  /^(?:code|errno|syscall|path|dest|cwd|file|command|host|hostname|address|port|workspace|location|process|signal|type|pkgid|lifecycle|in|node_modules\S*) ?\S*$|^(?:code|errno|syscall|path|dest|cwd|command|location|in workspace:) \S|^\s|^[^\p{L}\p{N}]*$|A complete log of this run|^Log files were not written|^You can rerun|^In most cases|^Note that you can|^tarball, folder|^If you are behind|^This is (?:a problem|related|probably|an? (?:error|issue))|^The developer of this package has specified|^Invalid devEngines\.|^Lifecycle script|^Unsupported engine$|^Not compatible with your version|^(?:current|required): |^The operation was rejected|^It is likely you do not|^If you believe|^permissions of the file|^the command again|^command failed|^(?:\d{3} )?Not Found - (?:GET|HEAD) |^There appears to be|^Please try running|^Fix the upstream|^this command with|^to accept an|^See \S+ for|^For a full report/u;

/** Why npm has failed, by its lines without what they all begin with; `undefined` if it says only that a program has. */
export function npmReason(lines: readonly string[]): string | undefined {
  const all = lines.map((line) => line.replace(label, '').replace(label, ''));
  const words = all.filter((line) => !boilerplate.test(line));
  const [first] = words;
  if (first?.startsWith('Required: ') === true) {
    return [
      'Unsupported engine.',
      ...words.filter((line) => /^(?:Required|Actual):/.test(line)),
    ].join(' ');
  }
  return (
    first?.trim() ??
    all.find((line) => /^Not Found - |^There appears|^The operation was/.test(line)) ??
    findCode(lines)
  );
}

/** A code by name says something, that of a program's exit doesn't. */
function findCode(lines: readonly string[]): string | undefined {
  const [, code] = lines.map((line) => /^code (E\w+)$/.exec(line)).find((found) => found) ?? [];
  return code;
}

/**
 * Paths in the Windows Subsystem for Linux, in which the same file has a name for Linux and one for
 * Windows.
 */

/** The share by which Windows sees the files of a distribution; it has two names. */
const share = /^[\\/]{2}(?:wsl\.localhost|wsl\$)[\\/]+(?<distro>[^\\/]+)(?<rest>(?:[\\/].*)?)$/is;
/** A drive of Windows, where case makes no difference. */
const drive = /^\/mnt\/[a-z](?=\/|$)/;

/**
 * The distribution that this process runs in. Containers share its kernel, but not this variable, nor
 * its drives.
 */
export function ownDistro(): string | undefined {
  return process.platform === 'linux' ? process.env['WSL_DISTRO_NAME'] || undefined : undefined;
}

/**
 * The path inside of `distro` of a file that Windows' name is given for; any other path, also one in
 * another distribution, unchanged.
 */
export function withoutShare(text: string, distro: string): string {
  const { distro: named, rest = '' } = share.exec(text)?.groups ?? {};
  return named?.toLowerCase() === distro.toLowerCase() ? rest.replaceAll('\\', '/') || '/' : text;
}

/** Whether a normalized path is on a drive of Windows. */
export function isOnDrive(path: string): boolean {
  return drive.test(path);
}

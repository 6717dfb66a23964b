/**
 * Whether a path begins like that of a file on another machine (`\\host\share`). Windows logs in to
 * that machine on the slightest access, even a lookup, and so reveals the user to it: nobody but the
 * user may choose it. Device paths (`\\.\`, `\\?\`) have the same form, or that of the kernel
 * (`\??\`); on other systems, no path needs it.
 */
export function isNetworkPath(path: string): boolean {
  return /^[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}

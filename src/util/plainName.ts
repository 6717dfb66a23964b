/** Names that Windows reserves for devices, whatever follows their first dot. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/i;

/** Whether Windows takes a name for that of a device. */
export function isDeviceName(name: string): boolean {
  return devices.test(name);
}

/**
 * Whether a name of a file or folder stands for itself, also on Windows: it isn't that of a device or of a stream in a
 * file, has no wildcards, and no dots or spaces at its end, which most programs leave out.
 */
export function isPlainName(name: string): boolean {
  return !/[<>:"/\\|?*\p{Cc}]|[. ]$/u.test(name) && !isDeviceName(name);
}

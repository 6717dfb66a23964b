import path from 'node:path';

/** The kinds of archives that agents come in; a `program` is no archive. */
export type ArchiveKind = 'zip' | 'tarGzip' | 'tarBzip2' | 'program';

const endings: readonly (readonly [RegExp, ArchiveKind])[] = [
  [/\.zip$/i, 'zip'],
  [/\.(?:tar\.gz|tgz)$/i, 'tarGzip'],
  [/\.(?:tar\.bz2|tbz2)$/i, 'tarBzip2'],
];
/** Installers and archives that nothing here unpacks. */
const unknown =
  /\.(?:7z|apk|appimage|br|bz2|cab|deb|dmg|gz|iso|jar|lz4?|lzma|msix?|pkg|rar|rpm|tar|tbz|txz|vsix|whl|xz|zst)$/i;

/** The kind that an address names; `undefined` if it isn't one of these. */
export function kindOfAddress(address: string): ArchiveKind | undefined {
  const name = path.posix.basename(new URL(address).pathname);
  const [, kind] = endings.find(([ending]) => ending.test(name)) ?? [];
  return kind ?? (unknown.test(name) ? undefined : 'program');
}

/** The bytes that `kindOfBytes` looks at. */
export const headBytes = 4;

/** How programs begin: ELF, Mach-O for one or several processors, PE, and scripts. */
const programs = ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe', '4d5a', '2321'];

/** The kind that a file has by its first bytes; `undefined` if it is none of these. */
export function kindOfBytes(head: Uint8Array): ArchiveKind | undefined {
  const hex = Buffer.from(head).toString('hex');
  if (/^504b(?:0304|0506)/.test(hex)) {
    return 'zip';
  }
  if (hex.startsWith('1f8b')) {
    return 'tarGzip';
  }
  if (hex.startsWith('425a68')) {
    return 'tarBzip2';
  }
  return programs.some((magic) => hex.startsWith(magic)) ? 'program' : undefined;
}

import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** An entry of an archive, as it is written: nothing is checked. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly mode?: number;
  /** The letter of its kind in a tar archive; by default a file. */
  readonly type?: string;
  readonly target?: string;
}

/** A tar archive in the format `ustar`. */
export function tarOf(...entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [tarHeader(entry, content.length), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function tarGzipOf(...entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(tarOf(...entries));
}

function tarHeader(
  { name, mode = 0o644, type = '0', target = '' }: ArchiveEntry,
  size: number,
): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  header.write(name, 0, 100);
  header.write(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(size, 11)}\0${octal(0, 11)}\0        ${type}`, 124);
  header.write(target, 157, 100);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** A zip archive as Unix writes it; `lie` changes the directory's word on the size of each file. */
export function zipOf(
  entries: readonly ArchiveEntry[],
  lie: (size: number) => number = (size) => size,
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644 } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const text = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(lie(bytes.length), 18);
    facts.writeUInt16LE(text.length, 22);
    const end = Buffer.alloc(14);
    end.writeUInt32LE((mode << 16) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    const part = Buffer.concat([Buffer.from('PK\x03\x04'), facts, text, packed]);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), facts, end, text);
    parts.push(part);
    offset += part.length;
  }
  const listed = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06');
  last.writeUInt16LE(entries.length, 8);
  last.writeUInt16LE(entries.length, 10);
  last.writeUInt32LE(listed.length, 12);
  last.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, last]);
}

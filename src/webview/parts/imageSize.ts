export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The longest image header that is read, in bytes; leaves room for a photo's camera metadata. */
const maxHeaderBytes = 300_000;

/** The pixel size of a PNG, GIF, JPEG or WebP, read from its header; `undefined` for any other format. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = decode(base64);
  if (bytes === undefined) {
    return undefined;
  }
  const view = new DataView(bytes.buffer);
  try {
    return readPng(view) ?? readGif(view) ?? readJpeg(view) ?? readWebp(view);
  } catch (error) {
    // The data ends inside its header.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    // Whole groups of four characters, wherever the text has line breaks.
    const text = base64.slice(0, (maxHeaderBytes / 3) * 4).replace(/[\s=]+/g, '');
    return Uint8Array.from(atob(text.slice(0, text.length & ~3)), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}

function startsWith(view: DataView, at: number, text: string): boolean {
  for (let offset = 0; offset < text.length; offset++) {
    if (view.getUint8(at + offset) !== text.charCodeAt(offset)) {
      return false;
    }
  }
  return true;
}

function readPng(view: DataView): ImageSize | undefined {
  return startsWith(view, 0, '\x89PNG') && startsWith(view, 12, 'IHDR')
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : undefined;
}

function readGif(view: DataView): ImageSize | undefined {
  return startsWith(view, 0, 'GIF8')
    ? { width: view.getUint16(6, true), height: view.getUint16(8, true) }
    : undefined;
}

/** The size is in the first frame header (SOF), which follows any number of other segments. */
function readJpeg(view: DataView): ImageSize | undefined {
  if (view.getUint16(0) !== 0xffd8) {
    return undefined;
  }
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    // A segment's length includes its own two bytes; a marker may be preceded by fill bytes.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readWebp(view: DataView): ImageSize | undefined {
  if (!startsWith(view, 0, 'RIFF') || !startsWith(view, 8, 'WEBPVP8')) {
    return undefined;
  }
  switch (String.fromCharCode(view.getUint8(15))) {
    case 'X': {
      const size = (at: number): number =>
        1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
      return { width: size(24), height: size(27) };
    }
    case 'L': {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
    }
    default:
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
  }
}

const sampleRate = 8000;
const seconds = 0.35;
const headerBytes = 44;

/** Two short notes as a WAV file (8 bits, mono) in base64. */
export function tone(): string {
  const count = Math.round(sampleRate * seconds);
  const file = Buffer.alloc(headerBytes + count);
  writeHeader(file, count);
  for (let at = 0; at < count; at++) {
    const hertz = at < count / 3 ? 660 : 880;
    const fade = 1 - at / count;
    const level = Math.sin((2 * Math.PI * hertz * at) / sampleRate) * fade;
    file.writeUInt8(Math.round(128 + 90 * level), headerBytes + at);
  }
  return file.toString('base64');
}

function writeHeader(file: Buffer, dataBytes: number): void {
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
}

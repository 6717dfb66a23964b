import { type FileHandle, open } from 'node:fs/promises';

/**
 * Does the work on a disk that takes at most so many bytes at a time, as a system may, and is full after so many in
 * all. Only what is written with `FileHandle.write` is counted.
 */
export async function withDisk<T>(
  { atOnce, room }: { readonly atOnce: number; readonly room: number },
  work: () => Promise<T>,
): Promise<T> {
  const handles = await prototypeOfHandles();
  const real = Reflect.get(handles, 'write') as (...all: readonly unknown[]) => Promise<unknown>;
  let left = room;
  const write = function (
    this: FileHandle,
    bytes: Uint8Array,
    from = 0,
    length: number | undefined = bytes.length - from,
    at: number | null = null,
  ): Promise<unknown> {
    const taken = Math.min(length, atOnce, left);
    left -= taken;
    return taken === 0 && length > 0
      ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
      : real.call(this, bytes, from, taken, at);
  };
  Object.assign(handles, { write });
  try {
    return await work();
  } finally {
    Object.assign(handles, { write: real });
  }
}

async function prototypeOfHandles(): Promise<FileHandle> {
  const handle = await open(process.execPath);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

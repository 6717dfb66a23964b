import { Emitter } from './emitter';

const failed = new Emitter<unknown>();

/** Fires with the error whenever a part couldn't be loaded. */
export const onDidFailToLoad = failed.event;

/**
 * Loads a part of the extension, which is a file of its own, when it is first needed: `load` has the `import()`. Rejects
 * with the error if that fails; the next call tries again.
 */
export function part<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      failed.fire(error);
      throw error;
    }
  };
}

// @ts-check

/** Loaded by each process of a parallel run: ends the extension if a test file has activated it without VS Code. */
export const mochaHooks = {
  async afterAll() {
    const { endTestedExtension } = /** @type {{ endTestedExtension?: () => Promise<void> }} */ (
      globalThis
    );
    await endTestedExtension?.();
  },
};

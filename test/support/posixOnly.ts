/** For tests of what Windows doesn't have. */
export const posixOnly = process.platform === 'win32' ? it.skip : it;

/** Whether the page runs on macOS, whose shortcuts are others. */
export const isMac = /Mac/.test(navigator.userAgent);

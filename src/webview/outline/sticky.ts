/** Height of the sticky line in pixels, as in the style sheet. */
export const stickyHeight = 28;

/** Height of the sticky line in pixels, with its border; the same as in `styles/outline.css`. */
export const stickyHeight = 28;

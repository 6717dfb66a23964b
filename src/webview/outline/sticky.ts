/** Height of the sticky line, in pixels, as the style sheet has it. */
export const stickyHeight = 28;

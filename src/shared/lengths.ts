/** UTF-16 units of the longest path that any supported system accepts (Windows). */
export const maxPathLength = 32_767;
/** UTF-16 units of a link that is opened: the user couldn't judge a longer one when asked about it. */
export const maxHrefLength = 4000;
/** UTF-16 units of what the user enters into a field of an agent's form. */
export const maxAnswerLength = 100_000;

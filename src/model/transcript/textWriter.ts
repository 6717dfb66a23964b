import { part } from '../../util/part';

/** What writes transcripts as Markdown and as JSON Lines, and reads Markdown. */
export const textWriter = part(() => import('./transcriptText'));

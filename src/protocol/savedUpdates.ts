/** Transcripts are saved as updates of version 1, which every reader knows, whichever version the agent speaks. */
export { entryUpdates, titleUpdate } from './v1/entryUpdates';

import { createLowlight } from 'lowlight';

/** A chunk of its own, fetched with the first language. A module, because what a dynamic import names is not shaken. */
export const lowlight = createLowlight();

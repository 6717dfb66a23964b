/**
 * Where an entry is in a session: the index of an entry of the session itself, or, for one of a
 * subagent, that subagent's number and the index in its transcript, as one number. Later entries of a
 * transcript have larger places.
 */

/** Number of places for each transcript: more than it can have entries. */
const placesEach = 2 ** 32;

/** `number`: the subagent's, from 1; 0 for the session itself. */
export function placeIn(number: number, index: number): number {
  return number * placesEach + index;
}

export function numberAt(place: number): number {
  return Math.floor(place / placesEach);
}

export function indexAt(place: number): number {
  return place - numberAt(place) * placesEach;
}

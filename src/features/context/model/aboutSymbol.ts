import { asString, isObject, parseJson } from '../../../util/json';

/** A symbol by its name; in this file, if the user chose it there. */
export interface AboutSymbol {
  readonly name: string;
  readonly path?: string;
}

export function aboutSymbol({ name, path }: AboutSymbol): string {
  return JSON.stringify({ name, path });
}

/** `undefined` if it isn't written by `aboutSymbol`. */
export function readAboutSymbol(about: string): AboutSymbol | undefined {
  const read = parseJson(about);
  const name = isObject(read) ? asString(read['name']) : undefined;
  const path = isObject(read) ? asString(read['path']) : undefined;
  return name === undefined ? undefined : { name, ...(path !== undefined && { path }) };
}

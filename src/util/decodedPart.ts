/** A part of a URI as text, or as it is if it can't be decoded: then it is only a name, as the `%zz` of an agent's URI. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

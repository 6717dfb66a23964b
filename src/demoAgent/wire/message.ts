export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

type JsonObject = { readonly [key: string]: Json };

/** A request or a notification from the client. */
export interface ClientMessage {
  readonly method: string;
  readonly params: JsonObject;
  /** Absent for a notification. */
  readonly id: Json | undefined;
}

/** `{ result }` or `{ error }`. */
export type AnswerBody = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

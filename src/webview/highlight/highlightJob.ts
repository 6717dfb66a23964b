import type { LanguageName } from './languages';

/** Code with its scopes: the part of lowlight's hast tree that is used. */
export type HighlightNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'scope'; readonly scope: string; readonly children: readonly HighlightNode[] };

/** A request to the worker, which answers each with nodes, in order. */
export interface HighlightJob {
  readonly code: string;
  readonly language: LanguageName;
}

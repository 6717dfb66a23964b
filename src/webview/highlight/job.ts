import type { LanguageName } from './languages';

/** Code with its scopes: the part of a hast tree that lowlight makes. */
export type HighlightNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'scope'; readonly scope: string; readonly children: readonly HighlightNode[] };

/** What the worker is asked for. It answers with its `HighlightAnswer`, in the order of the jobs. */
export interface HighlightJob {
  readonly code: string;
  readonly language: LanguageName;
}

export type HighlightAnswer =
  /** Its script has run. */
  | { readonly type: 'ready' }
  /** Nothing when the language's rules failed. */
  | { readonly type: 'done'; readonly nodes: readonly HighlightNode[] | undefined };

/** A formula as a tree of MathML elements with their text; the worker has checked every name in it. */
export type MathNode =
  | string
  | {
      readonly tag: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly style: Readonly<Record<string, string>>;
      readonly children: readonly MathNode[];
    };

/** A request to the worker: a formula in LaTeX, as a part of a line or on lines of its own. */
export interface MathJob {
  readonly source: string;
  readonly isBlock: boolean;
}

import { type GitRun, runGit } from '../../../../model/git/gitProcess';

/**
 * A git process that is there already, and looks at the folder only when it is asked: to start one takes longer than a
 * prompt should wait.
 */
export class WaitingCheck {
  readonly #answer: Promise<boolean>;
  #ask: (() => void) | undefined;

  /** `paths` are those to look at. */
  constructor(
    run: (args: readonly string[], input: Promise<string>) => GitRun,
    paths: readonly string[],
  ) {
    const input = new Promise<string>((resolve) => {
      this.#ask = () => resolve(paths.map((name) => `${name}\0`).join(''));
    });
    const args = ['add', '-A', '--dry-run', '--pathspec-from-file=-', '--pathspec-file-nul'];
    // It tells what it would add. Before version 2.25, it doesn't know these arguments and fails at once.
    this.#answer = runGit(run(args, input)).then(
      ({ code, output }) => code === 0 && output.length === 0,
      () => false,
    );
  }

  /** Whether everything is as in the index now; `false` also if that can't be told. */
  isUnchanged(): Promise<boolean> {
    this.#ask?.();
    return this.#answer;
  }
}

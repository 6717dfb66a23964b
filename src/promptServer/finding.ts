import type { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { PromptProblem } from '../shared/prompt/promptProtocol';

/** Something that is wrong with a prompt; `end` is behind it. */
export interface Finding {
  readonly code: PromptProblem;
  readonly severity: DiagnosticSeverity;
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

import type { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { PromptProblem } from '../../../shared/prompt/promptProtocol';

/** A problem in a prompt; `end` is exclusive. */
export interface PromptFinding {
  readonly code: PromptProblem;
  readonly severity: DiagnosticSeverity;
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

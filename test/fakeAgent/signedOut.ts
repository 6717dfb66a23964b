import fs from 'node:fs';
import { inProject } from '../support/project';
import type { Json, Scenario, Step } from './scenario';

interface Line {
  readonly agent: string;
  /** The method of the request that these steps answer. */
  readonly on?: string;
  readonly result?: Json;
  readonly error?: Extract<Step, { readonly error: unknown }>['error'];
  /** A further message, or a line that isn't one, after the preceding answer. */
  readonly send?: Json;
  readonly raw?: string;
}

function lines(): readonly Line[] {
  const text = fs.readFileSync(inProject('test/fixtures/signedOut.jsonl'), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** The behavior of real agents while the user isn't signed in, each as a scenario. */
export function signedOut(agent: string): Scenario {
  const on: Record<string, Step[]> = {};
  let method = 'initialize';
  for (const line of lines().filter((other) => other.agent === agent)) {
    method = line.on ?? method;
    on[method] = [...(on[method] ?? []), stepOf(line)];
  }
  return { on };
}

function stepOf({ result, error, send, raw }: Line): Step {
  if (error !== undefined) {
    return { error };
  }
  if (raw !== undefined) {
    return { line: raw };
  }
  return send === undefined ? { result: result ?? null } : { send };
}

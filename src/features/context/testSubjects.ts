import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isObject } from '../../util/json';
import { type FailedTest, failedTestText } from './model/failedTest';
import type { Subject } from './model/subject';

/** Suites above a test. */
const maxParents = 20;

/** The message of a failed test that a menu was opened on, as VS Code passes it. */
export function aboutFailedTest(argument: unknown): Subject | undefined {
  const test = isObject(argument) ? argument['test'] : undefined;
  const message = isObject(argument) ? argument['message'] : undefined;
  if (!isObject(test) || !isObject(message)) {
    return undefined;
  }
  const failed = readFailed(test, message);
  const name = failed.names.at(-1) ?? '';
  const text = failedTestText(failed);
  return {
    ask: l10n.t('About the failed test “{0}”: ', name),
    explain: l10n.t('Explain why the test “{0}” fails.', name),
    attachments: [
      {
        type: 'text',
        uri: 'acp-sessions:test.txt',
        name: l10n.t('Failed test'),
        text,
        detail: name,
      },
    ],
  };
}

/** The test may be another extension's. */
function readFailed(
  test: Readonly<Record<string, unknown>>,
  message: Readonly<Record<string, unknown>>,
): FailedTest {
  const { expectedOutput, actualOutput } = message;
  const words = message['message'];
  const text = isObject(words) ? words['value'] : words;
  return {
    names: namesOf(test),
    place: placeOf(message['location']) ?? placeOf(test),
    message: typeof text === 'string' ? text : '',
    ...(typeof expectedOutput === 'string' && { expected: expectedOutput }),
    ...(typeof actualOutput === 'string' && { actual: actualOutput }),
  };
}

function namesOf(test: Readonly<Record<string, unknown>>): readonly string[] {
  const names: string[] = [];
  for (let at: unknown = test; isObject(at) && names.length < maxParents; at = at['parent']) {
    names.unshift(typeof at['label'] === 'string' ? at['label'] : '');
  }
  return names.filter((name) => name !== '');
}

/** `/src/cart.test.ts:12` */
function placeOf(value: unknown): string | undefined {
  if (!isObject(value) || !(value['uri'] instanceof vscode.Uri)) {
    return undefined;
  }
  const { uri, range } = value;
  const file = vscode.workspace.asRelativePath(uri).replaceAll(path.sep, '/');
  return range instanceof vscode.Range ? `${file}:${range.start.line + 1}` : file;
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type NamedAgent, titleAbout } from '../../model/agents/whose';
import { plainMessage } from '../../platform/ui/messages';
import { getSegments, parsePrompt } from '../../shared/prompt/promptDocument';

/** Asks the user for the value of every `${1:name}` and fills them in; `undefined` if the user cancels. */
export async function fillPlaceholders(
  text: string,
  agent: NamedAgent,
): Promise<string | undefined> {
  const places = getSegments(parsePrompt(text), 'placeholder');
  const names = new Map<number, string>();
  for (const { number, name } of places) {
    names.set(number, names.get(number) || name);
  }
  const values = new Map<number, string>();
  for (const [number, name] of [...names].sort(([a], [b]) => a - b)) {
    const value = await vscode.window.showInputBox({
      title: titleAbout(
        l10n.t('Fill In the Prompt ({0} of {1})', values.size + 1, names.size),
        agent,
      ),
      prompt: name === '' ? l10n.t('Value {0}', number) : plainMessage(name),
      ignoreFocusOut: true,
    });
    if (value === undefined) {
      return undefined;
    }
    values.set(number, value);
  }
  let filled = '';
  let end = 0;
  for (const place of places) {
    filled += text.slice(end, place.start) + (values.get(place.number) ?? '');
    end = place.end;
  }
  return filled + text.slice(end);
}

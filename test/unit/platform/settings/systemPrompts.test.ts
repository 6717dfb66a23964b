import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readSystemPrompt, systemPrompts } from '../../../../src/platform/settings/systemPrompts';

describe('acpSessions.systemPrompts', () => {
  it('V2-NEW-4: an entry is a text to add, or has a mode; one without a text is none', () => {
    assert.deepEqual(readSystemPrompt('In French.'), { mode: 'append', text: 'In French.' });
    assert.deepEqual(readSystemPrompt({ text: 'x' }), { mode: 'append', text: 'x' });
    assert.deepEqual(readSystemPrompt({ mode: 'odd', text: 'x' }), { mode: 'append', text: 'x' });
    assert.deepEqual(readSystemPrompt({ mode: 'override', text: 'x' }), {
      ...{ mode: 'override', text: 'x' },
    });
    for (const none of ['', '  ', null, 7, [], {}, { mode: 'override' }, { text: 7 }]) {
      assert.equal(readSystemPrompt(none), undefined);
    }
  });

  it('V2-NEW-4: a text of twice the size is cut', () => {
    assert.equal(readSystemPrompt('x'.repeat(200_000))?.text.length, 100_000);
  });

  it('V2-NEW-4: is looked up by the agent and the folder', async () => {
    const settings = vscode.workspace.getConfiguration('acpSessions');
    const write = (value: unknown) =>
      settings.update('systemPrompts', value, vscode.ConfigurationTarget.Global);
    await write({ claude: 'In French.' });
    try {
      assert.equal((await systemPrompts.find('claude', '/w'))?.text, 'In French.');
      assert.equal((await systemPrompts.find('claude', '////w//x'))?.text, 'In French.');
      assert.equal(await systemPrompts.find('codex', '/w'), undefined);
      assert.equal(await systemPrompts.find('constructor', '/w'), undefined);
    } finally {
      await write(undefined);
    }
  });
});

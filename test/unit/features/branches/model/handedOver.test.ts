import assert from 'node:assert/strict';
import {
  changedFiles,
  conversationOf,
  filesOf,
  summaryOf,
} from '../../../../../src/features/branches/model/handedOver';
import type { PendingFile } from '../../../../../src/model/changes/reviews';
import type { Entry } from '../../../../../src/shared/transcript/entries';

const header = { title: 'The first', agentTitle: 'Writer', cwd: '/work', sessionId: 's1' };

function said(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

describe('what another agent gets of a session', () => {
  it('SEC-345: is the end of a conversation of any length, and says what is left out', async () => {
    const short = await conversationOf({ header, entries: [said('Hello')] }, 'It');
    assert.ok(short.text.includes('Hello') && short.detail === undefined);
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
    const entries: Entry[] = [
      { kind: 'user', blocks: [image] },
      said('x\n'.repeat(200_000)),
      said('The end'),
    ];
    const long = await conversationOf({ header, entries }, 'It');
    assert.equal(long.detail, 'without its beginning, without its images');
    assert.ok(long.text.length < 200_100 && long.text.trimEnd().endsWith('The end'));
    assert.match(long.text, /^\(The first \d+ characters are left out\.\)/);
    assert.ok(summaryOf('y'.repeat(400_000), 'Writer').text.length < 200_100);
  });

  it('SEC-346: names the changed files in the folder, each once, and counts the others', () => {
    const file = (path: string) => ({ path, added: 2, removed: 1 });
    const pending: PendingFile[] = [
      {
        file: '/work/a.ts',
        kind: 'modified',
        turns: [1],
        added: 5,
        removed: 0,
        form: 'text',
        isMixed: false,
        isOutside: false,
      },
    ];
    const files = changedFiles(
      { pending },
      [file('a.ts'), file('b\n`.ts'), file('/etc/x')],
      '/work',
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ['/work/a.ts', 'b\n`.ts', '/etc/x'],
    );
    const named = filesOf(files, '/work');
    assert.match(
      named?.text ?? '',
      /- "a\.ts" \(\+5 −0\)\n- "b\\n`\.ts" \(\+2 −1\)\n- Outside .*: 1 more/,
    );
    assert.equal(named?.detail, 'without the names of 1 files');
    const many = Array.from({ length: 1_000 }, (_, at) => file(`f${at}.ts`));
    const bounded = filesOf(many, '/work');
    assert.match(bounded?.text ?? '', /"f499\.ts".*\n- .*: 500 more files\n$/);
    assert.equal(filesOf([], '/work'), undefined);
  });
});

import assert from 'node:assert/strict';
import { touchedFile } from '../../../../src/model/transcript/touchedFile';
import type { FileChange, ToolContent } from '../../../../src/shared/transcript/content';

const diff = (path: string): ToolContent => ({ type: 'diff', path, oldText: '', newText: 'new' });
const change = (
  operation: FileChange['operation'],
  path: string,
  more: Partial<FileChange> = {},
): ToolContent => ({ type: 'fileChange', operation, path, ...more });

describe('the file that a call touched', () => {
  it('is where the call says that it is, with the line', () => {
    const locations = [{ path: 'a.ts' }, { path: 'b.ts', line: 3 }];
    assert.deepEqual(touchedFile({ locations, content: [diff('c.ts')] }), locations[1]);
  });

  it('is otherwise the last text that it changed', () => {
    const content = [diff('a.ts'), diff('b.ts'), { type: 'terminal', terminalId: 't' } as const];
    assert.deepEqual(touchedFile({ locations: [], content }), { path: 'b.ts' });
    assert.equal(touchedFile({ locations: [], content: [] }), undefined);
  });

  it('is the new place of a file that was moved or copied', () => {
    const moved = change('move', 'new.ts', { oldPath: 'old.ts', fileType: 'text' });
    assert.deepEqual(touchedFile({ locations: [], content: [moved] }), { path: 'new.ts' });
    const copied = change('copy', 'copy.ts', { oldPath: 'old.ts' });
    const locations = [{ path: 'old.ts' }];
    assert.deepEqual(touchedFile({ locations: [], content: [copied] }), { path: 'copy.ts' });
    assert.deepEqual(touchedFile({ locations, content: [moved] }), { path: 'new.ts' });
    assert.deepEqual(touchedFile({ locations, content: [copied] }), { path: 'old.ts' });
  });

  it('is none that was deleted, and no picture, link or folder', () => {
    const others = [
      change('delete', 'gone.ts'),
      change('modify', 'logo.png', { fileType: 'binary' }),
      change('add', 'latest', { fileType: 'symlink' }),
      change('add', 'drafts', { fileType: 'directory' }),
    ];
    const locations = [{ path: 'gone.ts' }];
    assert.equal(touchedFile({ locations, content: others }), undefined);
    assert.deepEqual(touchedFile({ locations, content: [diff('a.ts'), ...others] }), {
      path: 'a.ts',
    });
  });
});

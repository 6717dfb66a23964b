import assert from 'node:assert/strict';
import { hitItem, touchItem } from '../../../../src/features/search/hitItems';
import type { TouchAct } from '../../../../src/features/search/model/searchIndex';

const where = {
  agents: { get: () => undefined },
  workspace: { folders: [{ name: 'project', path: '/project' }] },
};
const session = {
  agentId: 'claude',
  sessionId: 's1',
  title: 'Fix the $(bug)',
  cwd: '/project',
  additionalDirectories: [],
};

describe('rows of matches', () => {
  it('show the text without the marks around code', () => {
    const label = (snippet: string): string => hitItem({ session, entry: 1, snippet }, where).label;
    assert.equal(
      label('Like so:\n```ts title="a"\nconst pin = 1;\n```\nDone'),
      'Like so: const pin = 1; Done',
    );
    assert.equal(label('…~~~\nconst pin = 1;'), '…const pin = 1;'.replace('…', '… '));
    assert.equal(label('Run ```npm test``` first'), 'Run ```npm test``` first', 'that is no fence');
    assert.equal(label('```'), 'An entry without text');
  });

  it('say what a session did to a file, and to which', () => {
    const item = (act: TouchAct, added = 0, removed = 0) =>
      touchItem({ session, entry: 1, act, added, removed }, where);
    assert.equal(item('edited', 3, 1).description, 'edited +3 −1');
    assert.equal(item('edited').description, 'edited');
    assert.equal(item('read').description, 'read');
    assert.equal(item('read').label, '$(eye) Fix the $\u200b(bug)');
    assert.equal(item('read').detail, 'claude');
  });
});

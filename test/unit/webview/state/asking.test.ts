import assert from 'node:assert/strict';
import type { Asked } from '../../../../src/shared/transcript/questions';
import { Asking } from '../../../../src/webview/state/asking';

describe('what the page asks its host', () => {
  let posted: Asked[];
  let asking: Asking;
  beforeEach(() => {
    posted = [];
    asking = new Asking((asked) => posted.push(asked));
  });
  const find = (text: string) => asking.ask({ type: 'findFiles', texts: [text] });
  const said = (reply: Promise<unknown>) =>
    reply.then(String, (error: unknown) => (error as Error).message);

  it('gets the reply to each question, in any order', async () => {
    const [first, second] = [find('a.ts'), find('b.ts')];
    assert.deepEqual(posted, [
      { type: 'findFiles', id: 1, texts: ['a.ts'] },
      { type: 'findFiles', id: 2, texts: ['b.ts'] },
    ]);
    asking.receive({ type: 'reply', id: 2, to: 'findFiles', value: ['b.ts'] });
    asking.receive({ type: 'reply', id: 1, to: 'findFiles', value: [] });
    assert.deepEqual([await first, await second], [[], ['b.ts']]);
  });

  it('takes no reply to something else, and none twice', async () => {
    const reply = find('a.ts');
    asking.receive({ type: 'reply', id: 7, to: 'findFiles', value: ['c.ts'] });
    asking.receive({ type: 'reply', id: 1, to: 'searchMentions', failed: true });
    asking.receive({ type: 'reply', id: 1, to: 'findFiles', value: ['a.ts'] });
    asking.receive({ type: 'reply', id: 1, to: 'findFiles', failed: true });
    assert.deepEqual(await reply, ['a.ts']);
  });

  it('says so if there is no answer, and gives up the oldest of too many questions', async () => {
    const failed = said(find('a.ts'));
    asking.receive({ type: 'reply', id: 1, to: 'findFiles', failed: true });
    assert.equal(await failed, 'This failed. See the log for details.');
    const all = Array.from({ length: 101 }, (_, at) => said(find(`${at}.ts`)));
    assert.equal(await all[0], 'This failed. See the log for details.');
    asking.receive({ type: 'reply', id: 3, to: 'findFiles', value: ['1.ts'] });
    assert.equal(await all[1], '1.ts');
  });
});

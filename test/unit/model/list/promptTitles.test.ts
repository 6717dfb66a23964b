import assert from 'node:assert/strict';
import {
  findPromptTitle,
  isTitledByPrompt,
  PromptTitles,
} from '../../../../src/model/list/promptTitles';
import type { Session } from '../../../../src/model/session/session';
import type { SessionInfo } from '../../../../src/protocol/agentConnection';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { until } from '../../../support/until';
import { memento } from '../fakePlatform';
import { allCapabilities, folder, session as info } from '../fakes';
import { draft, type SessionsBench, sessionsBench } from '../sessionBench';

/** A window with an agent that lists these sessions, and gives none of them a title of its own accord. */
function window(storage = memento(), listed: readonly SessionInfo[] = []): SessionsBench {
  return sessionsBench(
    ['demo'],
    (connection) => {
      connection.capabilities = allCapabilities;
      connection.list = () => ({ sessions: listed });
    },
    {},
    storage,
  );
}

async function rowOf({ agents }: SessionsBench, sessionId: string) {
  const list = agents.all[0]!.lists.of(folder);
  await list.load();
  const row = list.find(sessionId);
  assert.ok(row);
  return row;
}

/** A session that was begun here with this prompt, whose turn still runs. */
async function begin({ agents, sessions, connections }: SessionsBench, text: string) {
  const session = await sessions.create(agents.all[0]!, folder);
  session.turns.submit(draft(text));
  await until(() => connections[0]!.prompts.length > 0);
  return session;
}

function say(
  { connections }: SessionsBench,
  { info: { sessionId } }: Session,
  title: string | null,
) {
  connections[0]!.send(sessionId, { sessionUpdate: 'session_info_update', title });
}

function prompt(...texts: readonly string[]): Entry {
  return { kind: 'user', blocks: texts.map((text) => ({ type: 'text', text })) };
}

describe('titles from the first prompt (T-6)', () => {
  it('stand for the title that the agent hasn’t given, in the row and in the tab, and say so', async () => {
    const made = window();
    const list = made.agents.all[0]!.lists.of(folder);
    await list.load();
    const session = await begin(made, 'Find the\nleak  in the parser');
    assert.equal(session.title, 'Find the leak in the parser');
    const row = list.find(session.info.sessionId)!;
    assert.equal(row.title, session.title);
    assert.ok(isTitledByPrompt(row.info));
    assert.equal(row.info.title, undefined);
  });

  it('are there in the next window, before the session is opened', async () => {
    const storage = memento();
    await begin(window(storage), 'Find the leak');
    const next = window(storage, [info('new1'), info('other')]);
    assert.equal((await rowOf(next, 'new1')).title, 'Find the leak');
    assert.equal((await rowOf(next, 'other')).title, 'Untitled session');
  });

  it('come from the first message of a session that was loaded', async () => {
    const made = window(memento(), [info('s1')]);
    const { info: listed } = await rowOf(made, 's1');
    made.connections[0]!.replay = ({ sessionId }) => {
      for (const [id, text] of ['First words', 'Second'].entries()) {
        const content = { type: 'text' as const, text };
        const messageId = `${id}`;
        made.connections[0]!.send(sessionId, {
          sessionUpdate: 'user_message_chunk',
          ...{ messageId, content },
        });
      }
    };
    const session = made.sessions.open(made.agents.all[0]!, listed);
    await session.load();
    assert.equal(session.title, 'First words');
    assert.equal((await rowOf(made, 's1')).title, 'First words');
  });

  it('give way to the agent’s title, and come back when it takes that away', async () => {
    const made = window();
    const session = await begin(made, 'First words');
    const ref = { agentId: 'demo', sessionId: session.info.sessionId };
    for (const title of ['Given', null, 'Given again', ' \u202e ', 'At last']) {
      say(made, session, title);
      const shown = title?.startsWith('Given') || title === 'At last' ? title : 'First words';
      assert.equal(session.title, shown);
      assert.equal((await rowOf(made, ref.sessionId)).title, shown);
      assert.equal(isTitledByPrompt(session.info), shown === 'First words');
      assert.equal(made.promptTitles.of(ref), shown === 'First words' ? shown : undefined);
    }
  });

  it('give way to a title in the agent’s list', async () => {
    const storage = memento();
    const listed = [info('new1')];
    await begin(window(storage), 'First words');
    const next = window(storage, listed);
    await rowOf(next, 'new1');
    listed[0] = info('new1', { title: 'Listed' });
    await next.agents.all[0]!.lists.of(folder).refresh();
    assert.equal((await rowOf(next, 'new1')).title, 'Listed');
  });

  it('are those of all windows', async () => {
    const storage = memento();
    const [one, other] = [new PromptTitles(storage), new PromptTitles(storage)];
    const [a, b] = [
      { agentId: 'demo', sessionId: 'a' },
      { agentId: 'demo', sessionId: 'b' },
    ];
    await one.set(a, 'One');
    await other.set(b, 'Other');
    assert.deepEqual([one.of(b), other.of(a)], ['Other', 'One']);
  });

  it('go with the session', async () => {
    const made = window();
    const session = await begin(made, 'First words');
    const ref = { agentId: 'demo', sessionId: session.info.sessionId };
    assert.equal(made.promptTitles.of(ref), 'First words');
    await made.sessions.delete(made.agents.all[0]!, session.info);
    assert.equal(made.promptTitles.of(ref), undefined);
  });

  it('SEC-189: are one short line without what may not be shown or kept', () => {
    const titles = [
      ['a\u202eb\u0000\u001b[31mc\r\n\td\u200b', 'abc d'],
      ['   \u2800\n', undefined],
      ['Use sk-ant-api03-Zb7Qw3Er5Ty7Ui9Op1As3Df5Gh7Jk9Lz1Xc3Vb5Nm7 here', 'Use ‹hidden› here'],
      ['<command-name>/init</command-name>', '/init'],
    ] as const;
    for (const [text, title] of titles) {
      assert.equal(findPromptTitle([prompt(text)]), title);
    }
    const long = findPromptTitle([prompt('wörter '.repeat(300_000))]);
    assert.equal(long?.length, 121);
    assert.equal(findPromptTitle([prompt(' '), prompt('Second')]), 'Second');
    assert.equal(findPromptTitle([prompt('Why?', 'Failed test: ```\n12\n```')]), 'Why?');
  });

  it('SEC-189: are bounded in number and size: the oldest go first', async () => {
    const storage = memento();
    const titles = new PromptTitles(storage);
    const kept = () => storage.get('sessions.promptTitles') as readonly { sessionId: string }[];
    for (let index = 0; index < 1_000; index++) {
      await titles.set({ agentId: 'demo', sessionId: `s${index}` }, 'Title');
    }
    assert.deepEqual([kept().length, kept()[0]?.sessionId], [500, 's500']);
    for (let index = 0; index < 200; index++) {
      await titles.set({ agentId: 'demo', sessionId: `${index}-${'x'.repeat(1_000)}` }, 'Title');
    }
    assert.ok(JSON.stringify(kept()).length < 110_000);
    assert.ok(kept().at(-1)?.sessionId.startsWith('199-'));
  });

  it('SEC-69: are read with care', () => {
    const good = { agentId: 'demo', sessionId: 'ok', title: 'Good' };
    const storage = memento();
    const titles = new PromptTitles(storage);
    const bad = [
      ...[null, 7, 'x', {}, { ...good, title: 1 }, { ...good, sessionId: '' }],
      ...[
        { ...good, sessionId: 'a\0b' },
        { ...good, title: 'x'.repeat(500) },
      ],
    ];
    for (const value of ['nonsense', bad]) {
      void storage.update('sessions.promptTitles', value);
      assert.equal(titles.of(good), undefined);
    }
    void storage.update('sessions.promptTitles', [...bad, good]);
    assert.equal(titles.of(good), 'Good');
  });
});

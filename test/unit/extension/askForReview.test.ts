import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgreedDeletions } from '../../../src/features/review/files/agreedDeletions';
import { VsCodeReviewFiles } from '../../../src/features/review/files/vsCodeReviewFiles';
import { askAnotherAgent } from '../../../src/features/review/reviewCommands';
import { Reviewing } from '../../../src/features/review/reviewing';
import { OwnWrites } from '../../../src/platform/files/ownWrites';
import { ableInitialize } from '../../fakeAgent/scenario';
import { type FakeReview, FakeReviews } from '../../support/fakeReviews';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

describe('asking another agent to review a change', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let folder: string;
  let reviews: FakeReviews;
  let review: FakeReview;
  let end: (() => void)[];
  useBench((made1, user) => {
    bench = made1;
    dialogs = user;
  });
  beforeEach(async () => {
    folder = path.join(workspaceFolder(), 'reviewed');
    await mkdir(folder);
    const files = new VsCodeReviewFiles({
      own: new OwnWrites(),
      folders: () => [folder],
      mayDeleteForGood: () => Promise.resolve(false),
    });
    reviews = new FakeReviews(files);
    await writeFile(path.join(folder, 'a.txt'), 'one\nTWO\n');
    review = reviews.add('writer', 's1', [
      { file: path.join(folder, 'a.txt'), before: 'one\ntwo\n', after: 'one\nTWO\n' },
      { file: bench.file('outside.txt'), before: 'secret\n', after: 'SECRET\n' },
    ]);
    end = [() => files.dispose()];
    const { promptCapabilities: _, ...capabilities } = ableInitialize.agentCapabilities;
    const scenario = { sessions: [listed('s1', 'The first')], replays: { '*': [] } };
    await bench.setAgents({
      writer: fakeEntry('Writer', { ...scenario, initialize: ableInitialize }),
      embeds: fakeEntry('Embeds', { initialize: ableInitialize, record: bench.file('embeds') }),
      plain: fakeEntry('Plain', {
        initialize: { ...ableInitialize, agentCapabilities: capabilities },
        record: bench.file('plain'),
      }),
    });
  });
  afterEach(async () => {
    for (const each of end) {
      each();
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(reviewer: string, argument: unknown): Promise<void> {
    const reviewing = new Reviewing({
      ...bench.api,
      reviews,
      agreedDeletions: new AgreedDeletions(),
    });
    end.push(() => reviewing.dispose());
    dialogs.answer = ({ kind }) => (kind === 'pick' ? reviewer : undefined);
    await askAnotherAgent(reviewing, bench.api, argument);
  }

  /** Sends the draft as the user would, and returns the blocks of the prompt. */
  async function sent(agentId: string): Promise<readonly Record<string, unknown>[]> {
    const { session } = await waitFor(() => {
      const { active } = bench.api.panels;
      return active?.session.first !== undefined && active;
    }, 'the page of a new session');
    assert.deepEqual([session.agent.id, session.info.cwd], [agentId, workspaceFolder()]);
    const isSent = async () =>
      (await bench.received(agentId)).find(({ method }) => method === 'session/prompt');
    assert.equal(await isSent(), undefined, 'the user sends it');
    const { draft } = bench.api.work.getDraft(agentId, session.info.sessionId);
    session.turns.submit(draft);
    const found = (await waitFor(isSent, 'the prompt')) as {
      params?: { prompt?: readonly Record<string, unknown>[] };
    };
    return found.params?.prompt ?? [];
  }

  it('SEC-270: puts the diff of a row’s session into the composer of a new one, without what is outside', async () => {
    await ask('Embeds', await bench.session('The first'));
    const [asked] = dialogs.asked;
    assert.deepEqual(asked?.choices, ['Embeds', 'Plain', 'Writer'], 'the others first');
    const [question, change] = await sent('embeds');
    assert.match(String(question?.['text']), /^Review this change\./);
    const { uri, text } = change?.['resource'] as Record<string, unknown>;
    assert.equal(uri, 'acp-sessions:changes.diff');
    assert.match(String(text), /^--- a\/reviewed\/a\.txt\n[^]*\n-two\n\+TWO\n/);
    assert.match(String(text), /\(Also changed, but outside .*: 1\)\n$/);
    assert.doesNotMatch(String(text), /secret|outside\.txt/i);
  });

  it('is a text for an agent that takes no embedded context', async () => {
    await ask('Plain', await bench.session('The first'));
    const [, change] = await sent('plain');
    assert.equal(change?.['type'], 'text');
    assert.match(String(change['text']), /```\n--- a\/reviewed\/a\.txt\n/);
  });

  it('asks about the turn whose menu it was, in the state in which the turn left the files', async () => {
    review.turnFiles.set(1, [
      { file: path.join(folder, 'a.txt'), kind: 'modified', form: 'text', isAsLeft: false },
    ]);
    await vscode.commands.executeCommand(
      'acpSessions.session.open',
      await bench.session('The first'),
    );
    await waitFor(() => bench.api.panels.active, 'the tab');
    await ask('Embeds', { webviewSection: 'entry', entry: 0, acpSessionsReviewed: 1 });
    const [, change] = await sent('embeds');
    const { text } = change?.['resource'] as Record<string, unknown>;
    assert.match(String(text), /\n-a\.txt before turn 1\n[^]*\+a\.txt after turn 1\n/);
  });

  it('says so if nothing waits', async () => {
    await review.keep({ type: 'all' });
    await ask('Embeds', await bench.session('The first'));
    assert.deepEqual(dialogs.texts('information'), ['No changes of this session wait for review.']);
    assert.deepEqual(dialogs.texts('pick'), []);
  });
});

import assert from 'node:assert/strict';
import type { ListMessage, SessionsNode } from '../../../../src/views/sessions/nodes/nodes';
import { findTooltip } from '../../../../src/views/sessions/nodes/tooltips';
import { FakeModel, failure } from './fakes';
import { look } from './look';

describe('lines about a list', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = new FakeModel('a');
  });
  afterEach(() => model.tree.dispose());

  function messageNode(message: ListMessage): SessionsNode {
    const list = model.list();
    return { kind: 'message', id: 'm', parent: undefined, list, message };
  }

  it('AUTH-13: offers to sign in where a list needs it', () => {
    const failed = look(
      messageNode({
        kind: 'failed',
        failure: {
          ...failure,
          code: 'authRequired',
          actions: ['signIn', 'retry', 'showLog', 'learnSignIn'],
        },
      }),
    );
    assert.equal(failed.click, 'signIn');
    assert.deepEqual(failed.words, ['message', 'signIn', 'retry', 'showLog']);
  });

  it('says what to do about each failure', () => {
    const failed = look(messageNode({ kind: 'failed', failure }));
    assert.equal(failed.label, 'Agent has ended');
    assert.equal(failed.click, 'retry');
    assert.deepEqual(failed.words, ['message', 'retry', 'showLog']);
    const config = look(
      messageNode({
        kind: 'failed',
        failure: { ...failure, actions: ['editAgents', 'retry', 'showLog'] },
      }),
    );
    assert.equal(config.click, 'explain', 'nobody’s settings are edited by a click');
    const trust = look(
      messageNode({ kind: 'failed', failure: { ...failure, actions: ['manageTrust'] } }),
    );
    assert.equal(trust.click, 'manageTrust');
    const more = messageNode({ kind: 'moreFailed', failure });
    assert.deepEqual([look(more).label, look(more).click], ['Couldn’t load more. Retry', 'retry']);
    assert.match(findTooltip(more) ?? '', /Agent has ended\nTry again\./);
  });

  it('T-33: says that an agent is downloaded first, and how to cancel that', () => {
    const list = model.list();
    list.agent.state = { kind: 'starting', fetches: true };
    list.state = { kind: 'loading' };
    const [node] = model.tree.children();
    assert.ok(node?.kind === 'message');
    assert.equal(look(node).label, 'Downloading Agent a…');
    assert.match(findTooltip(node) ?? '', /Stop Agent cancels it/);
    const agent = look({ kind: 'agent', id: 'a', parent: undefined, agent: list.agent });
    assert.equal(agent.description, 'downloading…');
    assert.ok(agent.words.includes('running'), 'it can be stopped');
  });

  it('T-33: says that a start waits for another one, and how to cancel that', () => {
    const list = model.list();
    list.agent.state = { kind: 'starting', waits: true };
    list.state = { kind: 'loading' };
    const [node] = model.tree.children();
    assert.ok(node?.kind === 'message');
    assert.equal(look(node).label, 'Agent a waits for another start…');
    assert.match(findTooltip(node) ?? '', /Stop Agent cancels it/);
    const agent = look({ kind: 'agent', id: 'a', parent: undefined, agent: list.agent });
    assert.equal(agent.description, 'waiting for another start…');
  });

  it('T-30: shows what an agent prints instead of messages while it is still starting', () => {
    const list = model.list();
    list.agent.state = { kind: 'starting', prints: 'Welcome to the chat' };
    list.state = { kind: 'loading' };
    const [node] = model.tree.children();
    assert.ok(node?.kind === 'message' && node.message.kind === 'notAcp');
    const shown = look(node);
    assert.equal(shown.label, 'Agent a printed something that isn’t ACP');
    assert.equal(shown.description, '“Welcome to the chat”');
    assert.deepEqual(
      [shown.click, shown.words],
      ['explain', ['message', 'editAgents', 'diagnose', 'showLog']],
    );
    assert.match(findTooltip(node) ?? '', /--acp/);
  });

  it('quotes in the row what an agent said of its failure', () => {
    const node = messageNode({ kind: 'failed', failure: { ...failure, said: 'No API key' } });
    assert.equal(look(node).description, 'No API key');
    assert.equal(look(messageNode({ kind: 'failed', failure })).description, undefined);
  });

  it('LIST-3: says calmly that an agent cannot list', () => {
    const node = messageNode({ kind: 'unsupported' });
    const shown = look(node);
    assert.equal(shown.label, 'Agent a can’t list its sessions');
    assert.deepEqual([shown.description, shown.click], ['New Session', 'newSession']);
    assert.match(findTooltip(node) ?? '', /start or open in this workspace are remembered/);
  });

  it('LIST-3: says why only some sessions are listed, and offers to begin one', () => {
    const node = messageNode({ kind: 'knownHere' });
    assert.equal(look(node).label, 'Only sessions opened here are listed');
    assert.deepEqual(look(node).words, ['message', 'newSession']);
    const agent = model.agents.all[0]!;
    agent.state = { kind: 'ready', connection: undefined as never };
    agent.can.clear();
    assert.equal(look(node).label, 'Only sessions that are open are listed');
    assert.match(findTooltip(node) ?? '', /neither list its sessions nor reopen them/);
  });
});

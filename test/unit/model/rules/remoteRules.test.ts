import assert from 'node:assert/strict';
import { inwardRequests } from '../../../../src/features/remote/model/remoteConnection';
import type { RuledPlace } from '../../../../src/model/rules/permissionRule';
import { ifPlain } from '../../../../src/model/rules/plainRun';
import { asToolCall } from '../../../../src/model/transcript/reduceToolCall';
import { refusedRequests } from '../../../../src/protocol/refusedRequests';
import { TheirPaths } from '../../../../src/protocol/transport/theirPaths';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import { readPermission } from '../../../../src/protocol/v1/readRequests';
import { at, cwd, decide, echo, edit, place, useProject, type Wanted } from './ruledProject';

describe('rules about a call of an agent on another machine', () => {
  useProject();

  const paths = new TheirPaths('far', [{ theirs: '/srv/app', ours: cwd }]);
  const far: RuledPlace = { ...place, inward: (file) => paths.inward(file) };
  const all: Wanted = [{ path: '**', decision: 'allow' }];

  /** The rules' answer to a request as it comes over the line. */
  async function ofTheirs(sent: object, wanted = all) {
    const toolCall = { toolCallId: 'c', status: 'pending', ...edit(), ...sent };
    let request: ToolCallPatch = { toolCallId: 'c' };
    const requests = inwardRequests(
      {
        ...refusedRequests(''),
        unknownRequest: () => undefined,
        callNews: () => undefined,
        elicitationCompleted: () => undefined,
        requestPermission: ({ toolCall: inwardCall }) => {
          request = inwardCall;
          return Promise.resolve({ optionId: 'no' });
        },
      },
      paths,
    );
    const { signal } = new AbortController();
    await requests.requestPermission(
      readPermission({ sessionId: 's', toolCall, options: [] }),
      signal,
    );
    const call = asToolCall(request);
    return decide(wanted, { type: 'call', call, request }, call.toolKind, far);
  }

  it('PE-5, SEC-14: allow no file by a name that only their machine gives it', async () => {
    const patch = (file: string) =>
      `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
    const theirs = { path: '/srv/app/src/a.ts' };
    for (const sent of [
      { rawInput: { file_path: at('src/a.ts'), new_string: 'x' } },
      { rawInput: { file_path: at('src/a.ts'), old_string: 'y', new_string: 'x' } },
      { rawInput: { file_path: at('src/a.ts') }, locations: [theirs] },
      { rawInput: { edits: [{ path: at('src/a.ts') }] }, locations: [theirs] },
      { rawInput: { input: patch(at('src/a.ts')) }, locations: [theirs] },
      { rawInput: { input: patch('src/a.ts'), cwd }, locations: [theirs] },
      { locations: [{ path: at('src/a.ts') }] },
      { rawInput: { file_path: 'src/a.ts' } },
    ]) {
      assert.equal(await ofTheirs(sent), undefined, JSON.stringify(sent));
    }
    for (const sent of [
      { locations: [theirs] },
      { rawInput: { file_path: theirs.path }, locations: [theirs] },
    ]) {
      assert.equal(await ofTheirs(sent), 'allowOne', JSON.stringify(sent));
    }
  });

  it('PE-5, SEC-14: reject whatever a path says, as either machine reads it', async () => {
    const reject = (pattern: string): Wanted => [{ path: pattern, decision: 'reject' }];
    const named = { rawInput: { file_path: '/srv/app/src/a.ts' } };
    for (const pattern of ['src/a.ts', 'srv/app/**', '**/a.ts']) {
      assert.equal(await ofTheirs(named, reject(pattern)), 'reject', pattern);
    }
    const local = { rawInput: { file_path: at('src/a.ts') } };
    assert.equal(await ofTheirs(local, reject('src/**')), 'reject');
  });

  it('PE-5, SEC-14: allow a command in no folder by a name that only their machine gives it', async () => {
    const run = (folder?: string) =>
      ofTheirs(
        {
          title: 'x',
          kind: 'execute',
          rawInput: { command: 'echo a', ...(folder !== undefined && { cwd: folder }) },
        },
        echo,
      );
    assert.equal(await run(), 'allowOne');
    assert.equal(await run('/srv/app/src'), 'allowOne');
    assert.equal(await run(at('src')), undefined);
    const call = (folder: string) =>
      asToolCall({
        ...{ toolCallId: 'c', title: 'x', kind: 'execute' },
        rawInput: { command: 'echo a', cwd: folder },
      });
    assert.equal(await ifPlain('allow', call('/srv/app'), far), 'allow');
    assert.equal(await ifPlain('allow', call(cwd), far), undefined);
    const there: RuledPlace = { ...far, cwd: paths.inward('/srv/other') };
    assert.equal(await ifPlain('allow', call('/srv/other'), there), 'allow');
    assert.equal(await ifPlain('allow', call('/srv'), there), undefined);
  });
});

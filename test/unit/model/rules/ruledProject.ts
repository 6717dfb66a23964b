import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SessionReach } from '../../../../src/model/requests/sessionReach';
import type { PermissionRule, RuledPlace } from '../../../../src/model/rules/permissionRule';
import type { Asked } from '../../../../src/model/rules/ruledAct';
import { decideSpecifically, offeredRule } from '../../../../src/model/rules/specificRules';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import { readPermission } from '../../../../src/protocol/v1/readRequests';
import type { ToolKind } from '../../../../src/shared/transcript/content';

export type Wanted = readonly (Partial<PermissionRule> & Pick<PermissionRule, 'decision'>)[];

export const outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rules-')));
export const cwd = path.join(outside, 'project');
export const at = (name: string): string => path.join(cwd, name);

const reach = new SessionReach({
  folders: [cwd],
  chosen: () => [cwd],
  workspace: { folders: [{ name: 'project', path: cwd }], trusted: true },
  realPath: (file) => realpath(file).catch(() => undefined),
  ask: () => Promise.resolve(false),
});
export const hasVariables: RuledPlace['hasVariables'] = (env) =>
  Object.entries(env).every(([name, value]) => name === 'AGREED' && value === '1');
export const inward = (file: string): string => file;
export const place: RuledPlace = { cwd, reach, inward, hasVariables };

export function decide(wanted: Wanted, asked: Asked, kind: ToolCallPatch['kind'], where = place) {
  const rules = wanted.map((rule) => ({ agent: undefined, kind: undefined, ...rule }));
  return decideSpecifically(rules, 'a', kind ?? 'other', asked, where);
}

/** What the rules say of a tool call as an agent sends it; `before`: what it said of it earlier. */
export function ofCall(wanted: Wanted, sent: object, before: object = {}, where = place) {
  const { asked, kind } = callOf(sent, before);
  return decide(wanted, asked, kind, where);
}

/** The rule that is offered with a tool call. */
export function offeredFor(sent: object, wanted: Wanted = [], before: object = {}) {
  const { asked, kind } = callOf(sent, before);
  const rules = wanted.map((rule) => ({ agent: undefined, kind: undefined, ...rule }));
  return offeredRule(rules, 'a', kind, asked, place);
}

function callOf(sent: object, before: object): { readonly asked: Asked; readonly kind: ToolKind } {
  const toolCall = { toolCallId: 'c', status: 'pending', ...sent };
  const request = readPermission({ sessionId: 's', toolCall, options: [] }).toolCall;
  const earlier = readPermission({
    sessionId: 's',
    toolCall: { toolCallId: 'c', ...before },
    options: [],
  }).toolCall;
  const said = { ...earlier, ...request };
  const { kind: toolKind = 'other', title = '', content = [], locations = [] } = said;
  const call = {
    ...({ kind: 'toolCall', toolCallId: 'c', status: 'pending' } as const),
    ...{ title: title ?? '', toolKind, content, locations, rawInput: said.rawInput },
  };
  const { title: oldTitle, kind: oldKind } = earlier;
  const old = {
    ...{ ...call, title: oldTitle ?? '', toolKind: oldKind ?? 'other' },
    ...{ content: earlier.content ?? [], locations: earlier.locations ?? [] },
    rawInput: earlier.rawInput,
  };
  return { asked: { type: 'call', call, request, before: old }, kind: toolKind };
}

export const echo: Wanted = [{ command: ['echo'], decision: 'allow' }];
export const inSrc: Wanted = [{ path: 'src/**', decision: 'allow' }];
export const noEnv: Wanted = [{ path: '**/.env', decision: 'reject' }];
export const noPush: Wanted = [{ command: ['git', 'push'], decision: 'reject' }];
export const shell = (rawInput: unknown, more: object = {}) => ({
  ...{ title: 'x', kind: 'execute', rawInput },
  ...more,
});
export const edit = (...files: readonly string[]) => ({
  ...{ title: 'Edit', kind: 'edit' },
  locations: files.map((file) => ({ path: file })),
});

/** The project's files and links, on the disk while the tests of a `describe` run. */
export function useProject(): void {
  before(() => {
    mkdirSync(at('src/deep'), { recursive: true });
    mkdirSync(path.join(outside, 'other'));
    writeFileSync(path.join(outside, 'other/.env'), '');
    writeFileSync(at('src/a.ts'), '');
    symlinkSync(path.join(outside, 'other'), at('src/linked'));
    symlinkSync(at('src'), at('sources'));
    symlinkSync(path.join(outside, 'other/.env'), at('src/settings'));
  });
  after(() => rmSync(outside, { recursive: true, force: true }));
}

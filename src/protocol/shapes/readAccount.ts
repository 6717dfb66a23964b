import { asArray, isObject, type JsonObject } from '../../util/json';
import type { AgentAccount } from '../agentRequests';
import { boundedTitle } from '../bounds';

/** With what the agent works, as Claude and Codex tell it unasked (AUTH-15); `undefined` if it can't be read. */
export function readAuthStatus(params: unknown): AgentAccount | undefined {
  const status = isObject(params) ? params['authStatus'] : undefined;
  if (!isObject(status) || typeof status['kind'] !== 'string') {
    return undefined;
  }
  const { kind, label, detail, account } = status;
  const { email, organization } = isObject(account) ? account : {};
  return kind === 'none' ? { details: [] } : asAccount(label, [detail, email, organization]);
}

/** The same as the protocol drafts it: the account that is in use, otherwise the first one. */
export function readDraftedStatus(params: unknown): AgentAccount | undefined {
  const { state, accounts }: JsonObject = isObject(params) ? params : {};
  if (state === 'unauthenticated') {
    return { details: [] };
  }
  const all = asArray(accounts).slice(0, maxAccounts).filter(isObject);
  const used = all.find(({ active }) => active === true) ?? all[0];
  return state === 'authenticated' && used !== undefined
    ? asAccount(used['label'], [used['name'], used['email'], used['organization']])
    : undefined;
}

/** Accounts of one agent that are looked at. */
const maxAccounts = 100;

function asAccount(label: unknown, details: readonly unknown[]): AgentAccount | undefined {
  return isText(label)
    ? {
        label: boundedTitle(label),
        details: [...new Set(details.filter(isText).map(boundedTitle))],
      }
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

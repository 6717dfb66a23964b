import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { RemoteAgent } from '../../model/ports';
import type { PathMapping } from '../../protocol/transport/theirPaths';
import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import { looksLikeSecret } from '../../util/secrets/plainWords';
import { findSecretName } from '../../util/secrets/secretNames';
import { withoutSecrets } from '../../util/secrets/secretText';
import { EntryProblem, optionalText, textMap } from './entryChecks';

const insecure = new Set(['ws:', 'http:', 'tcp:']);
const kinds = new Set(['wss:', 'https:', ...insecure]);

/** The remote part of an agent's entry; `undefined` without `url`. Throws `EntryProblem`. */
export function readRemote(
  entry: JsonObject,
  insecureHosts: readonly string[],
): RemoteAgent | undefined {
  const text = optionalText(entry['url'], 'url')?.trim();
  if (text === undefined) {
    return undefined;
  }
  const other = ['command', 'args', 'env', 'resumeCommand'].find((key) => entry[key] !== undefined);
  if (other !== undefined) {
    throw new EntryProblem(
      l10n.t('"url" is for an agent that runs already, so there can be no "{0}".', other),
    );
  }
  optionalText(entry['editorToolsFor'], 'editorToolsFor');
  const headers = textMap(entry['headers'], 'headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w-]{1,100}$/.test(name) || !/^[\x20-\x7e]{1,4000}$/.test(value)) {
      throw new EntryProblem(l10n.t('"{0}" can’t be sent in a header.', `headers.${name}`));
    }
    if (mayWriteSecret(name, value)) {
      throw new EntryProblem(
        l10n.t(
          '"{0}" may be a secret. Write {1} in its place: the value is asked for and stored as a secret.',
          `headers.${name}`,
          '"${secret:name}"',
        ),
      );
    }
  }
  return {
    url: checkedUrl(text, insecureHosts),
    headers,
    pathMappings: readMappings(entry['pathMappings']),
  };
}

/**
 * Whether an entry lets the agent use the tools of the editor. It names the address for which it does, so that another
 * one, whoever has written it, isn't allowed along with it.
 */
export function allowsTools(entry: unknown, { url }: Pick<RemoteAgent, 'url'>): boolean {
  const named = isObject(entry) ? asString(entry['editorToolsFor'])?.trim() : undefined;
  return named !== undefined && URL.canParse(named) && new URL(named).href === url;
}

/** Whether an address is one of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The address in its normal form. Throws `EntryProblem`. */
export function checkedUrl(text: string, insecureHosts: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !kinds.has(url.protocol) || url.hostname === '') {
    throw new EntryProblem(
      l10n.t('"{0}" must be an address like {1}.', 'url', '"wss://build.example/acp"'),
    );
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new EntryProblem(l10n.t('"{0}" can’t have a user, a password or a "#".', 'url'));
  }
  if (mayHaveSecret(url)) {
    throw new EntryProblem(
      l10n.t(
        '"{0}" may have a secret in it. Send that as a header, whose value is {1}: it is asked for and stored as a secret.',
        'url',
        '"${secret:name}"',
      ),
    );
  }
  if (url.protocol === 'tcp:' && url.port === '') {
    throw new EntryProblem(l10n.t('"{0}" needs a port.', 'url'));
  }
  if (insecure.has(url.protocol) && !isLoopback(url) && !insecureHosts.includes(url.hostname)) {
    throw new EntryProblem(
      l10n.t(
        '"{0}" isn’t encrypted, so others could read and change everything. Use wss: or https:, a tunnel to localhost, or allow “{1}” in {2}.',
        'url',
        url.hostname,
        'acpSessions.insecureHosts',
      ),
    );
  }
  return url.href;
}

function readMappings(value: unknown): readonly PathMapping[] {
  const mappings = asArray(value).flatMap((one) => {
    const { theirs, ours } = isObject(one) ? one : {};
    const isPair =
      typeof theirs === 'string' &&
      typeof ours === 'string' &&
      path.isAbsolute(ours) &&
      path.win32.isAbsolute(theirs) &&
      !`${theirs}\0${ours}`.split(/[\\/\0]/).includes('..');
    return isPair ? [{ theirs, ours }] : [];
  });
  if (value !== undefined && (!Array.isArray(value) || mappings.length < value.length)) {
    throw new EntryProblem(
      l10n.t(
        '"{0}" must be a list of {1}, each an absolute path.',
        'pathMappings',
        '{ "theirs": …, "ours": … }',
      ),
    );
  }
  return mappings;
}

/** What has such a name is kept out of the settings, whatever it is. */
const secretName = /auth|bearer|cookie|credential|jwt|key|pass|pwd|secret|session|signature|token/i;

/** A stored secret, after the name of a part, such as `sid=`. */
const stored = '(?:[A-Za-z][A-Za-z-]{0,19}=)?\\$\\{secret:[\\w.-]+\\}';
/** A reference or several, after the word of a scheme, such as `Bearer`. */
const onlyStored = new RegExp(`^(?:[A-Za-z][A-Za-z-]{0,19} )?${stored}(?:[:;,] ?${stored})*$`);

/** Whether the value of a header may have a secret in it that isn't stored as one: beside stored ones nothing else may stand. */
function mayWriteSecret(name: string, value: string): boolean {
  return value.includes('${secret:') ? !onlyStored.test(value) : mayBeSecret(name, value);
}

/** Whether an address may have a secret in it. */
function mayHaveSecret({ pathname, searchParams }: URL): boolean {
  return (
    withoutSecrets(pathname) !== pathname ||
    [...searchParams].some(
      ([name, value]) =>
        mayBeSecret('', name) || mayBeSecret(name, value) || value.includes('${secret:'),
    )
  );
}

/** Whether a value may be a secret, by its name, or by what it is: anything but words and numbers. */
function mayBeSecret(name: string, value: string): boolean {
  return (
    value !== '' &&
    (secretName.test(name) ||
      findSecretName(name) !== undefined ||
      withoutSecrets(value) !== value ||
      value.split(/[^A-Za-z0-9]+/).some(looksLikeSecret))
  );
}

import * as l10n from '@vscode/l10n';
import { cleanText } from '../../model/text/titles';
import type { InstalledAgents, InstallStep } from './model/binary/installedAgents';
import type { InstalledVersion } from './model/binary/installedVersion';
import type { RegistryAgent, RegistryBinary } from './model/registryAgent';
import { openInstalled } from './openRegistry';
import { cancelable } from './registryTrouble';
import type { Setup } from './setupServices';

/**
 * Installs a program that the user has agreed to, and shows how far it is; `undefined` if that failed, which the user
 * was told, or if the user canceled it.
 */
export function installBinary(
  agent: Pick<RegistryAgent, 'id' | 'name'>,
  binary: RegistryBinary,
  setup: Setup,
): Promise<InstalledVersion | undefined> {
  const name = cleanText(agent.name, 60);
  return cancelable(l10n.t('Installing {0} {1}', name, binary.version), (signal, report) => {
    let told = '';
    return installedAgents(setup).install(agent.id, binary, {
      signal,
      onStep: (step) => {
        const words = getWords(step);
        if (words !== told) {
          told = words;
          report(words);
        }
      },
    });
  });
}

/** The programs that are installed on this machine. */
export function installedAgents({ registryStorage, log }: Setup): InstalledAgents {
  return openInstalled(registryStorage, log);
}

function getWords(step: InstallStep): string {
  switch (step.kind) {
    case 'waiting':
      return l10n.t('Waiting for another window that installs an agent…');
    case 'download': {
      const [bytes, total] = [megabytes(step.bytes), step.total && megabytes(step.total)];
      return total === undefined
        ? l10n.t('Downloading: {0} MB', bytes)
        : l10n.t('Downloading: {0} of {1} MB', bytes, total);
    }
    case 'unpack':
      return l10n.t('Unpacking…');
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

/** Whether the bytes can be told from others. */
export function getVerification({ sha256 }: RegistryBinary): string {
  return sha256 === undefined
    ? l10n.t(
        'Not verified: the registry names no checksum, so nobody can say whether what arrives is what the publisher meant.',
      )
    : l10n.t('Verified: it is installed only if it has the checksum that the registry names.');
}

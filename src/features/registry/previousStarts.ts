import { createHash } from 'node:crypto';
import path from 'node:path';
import type { StartCommand } from '../../model/agents/registryFacts';
import { FolderOfTexts } from '../../platform/storage/storedTexts';
import { asArray, isObject, parseJson } from '../../util/json';
import type { RegistryStorage } from './openRegistry';

/** How agents of the settings were started before their version was changed, for one step back. */
export class PreviousStarts {
  readonly #texts: FolderOfTexts;

  constructor({ agents }: Pick<RegistryStorage, 'agents'>) {
    this.#texts = new FolderOfTexts(path.join(agents, '.previous'));
  }

  async of(id: string): Promise<StartCommand | undefined> {
    const value = parseJson((await this.#texts.readAll()).get(getName(id)));
    if (!isObject(value) || typeof value['command'] !== 'string') {
      return undefined;
    }
    const args = asArray(value['args']).filter((arg) => typeof arg === 'string');
    return { command: value['command'], args };
  }

  async set(id: string, { command, args }: StartCommand): Promise<void> {
    await this.#texts.write(getName(id), JSON.stringify({ command, args }));
  }

  async remove(id: string): Promise<void> {
    await this.#texts.remove(getName(id));
  }
}

function getName(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

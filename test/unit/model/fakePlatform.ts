import type {
  AgentConfig,
  AgentSettings,
  KeyedStorage,
  Settings,
  Workspace,
  WorkspaceFolder,
} from '../../../src/model/ports';
import { Emitter } from '../../../src/util/emitter';

export const folder: WorkspaceFolder = { name: 'project', path: '/home/user/project' };

/** A storage that behaves like VS Code's Memento. */
export function memento(): KeyedStorage {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => {
      if (value === undefined) {
        values.delete(key);
      } else {
        values.set(key, JSON.parse(JSON.stringify(value)));
      }
      return Promise.resolve();
    },
  };
}

export class FakeSettings implements Settings {
  agents: AgentSettings = { agents: [], problems: [] };
  readonly #changed = new Emitter<void>();
  readonly onDidChangeAgents = this.#changed.event;

  set(...agents: readonly AgentConfig[]): void {
    this.replace({ agents, problems: [] });
  }

  replace(agents: AgentSettings): void {
    this.agents = agents;
    this.#changed.fire();
  }
}

export class FakeWorkspace implements Workspace {
  folders: readonly WorkspaceFolder[] = [folder];
  trusted = true;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  changed(): void {
    this.#changed.fire();
  }
}

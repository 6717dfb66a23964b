import type { Agents } from '../../model/agents/agents';
import type { Connect } from '../../model/agents/connect';
import type { Log, Workspace } from '../../model/ports';
import type { Sessions } from '../../model/session/sessions';
import type { VsCodeSettings } from '../../platform/settings/settings';
import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import type { SignInDialog } from '../../views/dialogs/signInDialog';
import type { SessionsView } from '../../views/sessions/sessionsView';
import type { Icons } from './model/icons/registryIcons';
import type { RegistryAgent } from './model/registryAgent';
import { type AgentUpdate, agentRunBy, findUpdate, findVersionKey } from './model/setUpAgents';
import { installPlace, openIcons, type RegistryStorage } from './openRegistry';

/** Icons that are kept in VS Code's state, which is written as a whole, and UTF-16 units of each. */
const maxNotedIcons = 20;
const maxNotedIconLength = 16_000;

/** The services for setting up agents. */
interface SetupServices {
  readonly settings: VsCodeSettings;
  readonly registryStorage: RegistryStorage;
  readonly agents: Pick<Agents, 'get'>;
  readonly sessions: Pick<Sessions, 'all'>;
  readonly connect: Connect;
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly signIn: Pick<SignInDialog, 'forgetKeys'>;
  readonly view: Pick<SessionsView, 'unfoldAgent'>;
}

/** The services of one run of a command. */
export interface Setup extends SetupServices {
  readonly log: Log;
}

/** An entry of the user's own settings, as far as it says how the agent is started or reached. */
export interface OwnEntry {
  readonly id: string;
  /** The entry, as written. */
  readonly entry: JsonObject;
  readonly title: string;
  /** Empty if the agent is reached by its address. */
  readonly command: string;
  readonly args: readonly string[];
  readonly url?: string;
}

/** The user's own entries that start or reach an agent; those of the workspace aren't changed from here. */
export function ownEntries({ userAgents }: Pick<VsCodeSettings, 'userAgents'>): OwnEntry[] {
  return Object.entries(userAgents).flatMap(([id, entry]) => {
    if (!isObject(entry)) {
      return [];
    }
    const [command, url] = [asString(entry['command']), asString(entry['url'])];
    if (command === undefined && url === undefined) {
      return [];
    }
    const args = asArray(entry['args']).filter((arg) => typeof arg === 'string');
    const title = asString(entry['title']) ?? id;
    return [{ id, entry, title, command: command ?? '', args, ...(url !== undefined && { url }) }];
  });
}

/** Notes what the registry says of the user's agents, which their rows show. */
export async function noteFacts(setup: Setup, agents: readonly RegistryAgent[]): Promise<void> {
  const { settings, registryStorage, log } = setup;
  await noteIcons(setup, agents, await openIcons(registryStorage, log).known());
  const place = installPlace(registryStorage);
  const updates = ownEntries(settings).flatMap((own): AgentUpdate[] => {
    const update = findUpdate(own, agents, place);
    return update === undefined ? [] : [update];
  });
  await registryStorage.newerVersions.set(
    Object.fromEntries(updates.map(({ key, way }) => [key, way.version])),
  );
}

/** Notes the icons of the user's agents: of what an entry runs, whatever it is called. */
export async function noteIcons(
  { settings, registryStorage }: Setup,
  agents: readonly RegistryAgent[],
  icons: Icons,
): Promise<void> {
  const place = installPlace(registryStorage);
  const own = ownEntries(settings).flatMap((entry): (readonly [string, string])[] => {
    const icon = icons.get(agentRunBy(entry, agents, place)?.icon ?? '');
    const key = findVersionKey(entry, agents, place);
    return icon === undefined || key === undefined ? [] : [[key, icon]];
  });
  const small = own.filter(([, icon]) => icon.length <= maxNotedIconLength);
  await registryStorage.icons.set(Object.fromEntries(small.slice(0, maxNotedIcons)));
}

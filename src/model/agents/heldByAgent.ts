import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import type { AgentConfig } from '../ports';

/** Adds the secrets that the settings of an agent have: in variables, arguments and headers. */
export function holdSecrets(
  { env, args, remote }: Pick<AgentConfig, 'env' | 'args' | 'remote'>,
  held: HeldSecrets,
): void {
  held.addNamed(env);
  held.addArguments(args);
  held.addNamed(remote?.headers ?? {});
}

import type { PickedSession, PickerActions, PickerServices } from './sessionPicker';

/**
 * Lets the user choose a session of any agent and folder by title, local name, agent, folder, ID and the facts that
 * agents add. Loads the separate bundle for it on first use.
 */
export async function pickSession(
  services: PickerServices,
  actions?: PickerActions,
): Promise<PickedSession | undefined> {
  const { SessionPicker } = await import('./sessionPicker');
  const picker = new SessionPicker(services, actions);
  try {
    return await picker.chosen;
  } finally {
    picker.dispose();
  }
}

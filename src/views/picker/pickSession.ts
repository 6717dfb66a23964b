import {
  type PickedSession,
  type PickerActions,
  type PickerServices,
  SessionPicker,
} from './sessionPicker';

/**
 * Lets the user choose a session of any agent and folder by title, local name, agent, folder, ID and the facts that
 * agents add.
 */
export async function pickSession(
  services: PickerServices,
  actions?: PickerActions,
): Promise<PickedSession | undefined> {
  const picker = new SessionPicker(services, actions);
  try {
    return await picker.chosen;
  } finally {
    picker.dispose();
  }
}

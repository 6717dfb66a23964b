import type { FrameLocator, Locator } from 'playwright-core';

/** The input of the prompt. */
export function composer(frame: FrameLocator): Locator {
  return frame.getByRole('textbox', { name: 'Prompt' });
}

/** Writes and sends a prompt; the trailing space closes the suggestions for a command. */
export async function send(frame: FrameLocator, prompt: string): Promise<void> {
  await composer(frame).fill(`${prompt} `);
  await composer(frame).press('Enter');
}

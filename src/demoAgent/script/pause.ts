import { textContent } from '../turns/turn';
import type { Command } from './command';

export const pause: Command = {
  name: 'pause',
  description: 'A tool call that pauses and goes on, and one that is canceled',
  run: async (turn) => {
    const upload = await turn.tool({ title: 'Upload the catalog', kind: 'execute' });
    await upload.start();
    await upload.update({
      status: 'paused',
      content: [textContent('The line is busy, so I wait.')],
    });
    const search = await turn.tool({ title: 'Search the archive', kind: 'search' });
    await search.start();
    await search.update({
      status: 'cancelled',
      content: [textContent('The catalog has it already.')],
    });
    await turn.wait(3000);
    await upload.update({ status: 'in_progress' });
    await turn.wait(1500);
    await upload.complete();
    await turn.excuse(
      'Your editor can’t tell these from others: what paused looked like it ran, and what I canceled like it failed.',
    );
    await turn.say('The upload paused on its way, and I canceled the search.');
    return undefined;
  },
};

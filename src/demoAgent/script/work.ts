import { WorkFolder, workFolderName } from '../changes/workFolder';
import { workKinds } from '../changes/workKinds';
import { NotAllowed, WorkTurn } from '../changes/workTurn';
import type { DemoTurn } from '../turns/turn';
import { messageOf } from '../vocabulary/errors';
import type { Command } from './command';

const usual = 'direct';

export const work: Command = {
  name: 'work',
  description: `Really changes files, in the folder \`${workFolderName}\` of this session’s folder only`,
  hint: `${[...workKinds.keys()].join(', ')} (${usual})`,
  run: async (turn, argument) => {
    const kind = workKinds.get(argument === '' ? usual : argument);
    if (kind === undefined) {
      await turn.say(kindList());
      return undefined;
    }
    await turn.say(await done(turn, kind.run));
    return undefined;
  },
};

/** Does this kind of work, and returns what to say of it. */
export async function done(
  turn: DemoTurn,
  run: (work: WorkTurn) => Promise<string>,
): Promise<string> {
  try {
    const work = new WorkTurn(turn, await WorkFolder.open(turn.session.meta.cwd));
    const did = await run(work);
    return work.changesFiles ? did : 'In the mode **Plan only** I change nothing.';
  } catch (error) {
    turn.signal.throwIfAborted();
    return error instanceof NotAllowed
      ? 'You did not allow it, so I stopped there.'
      : `That did not work: ${messageOf(error)}`;
  }
}

function kindList(): string {
  const rows = [...workKinds].map(([word, { does }]) => `| \`/work ${word}\` | ${does} |`);
  return [
    'I know these kinds of work:',
    '',
    '| Prompt | What it does |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
}

import type { DemoTurn, Steps } from '../turns/turn';
import { messageOf } from '../vocabulary/errors';
import { WorkFolder } from './workFolder';
import { workKinds } from './workKinds';
import { NotAllowed, WorkTurn } from './workTurn';

/** Does work of a kind, or says which kinds there are. */
export async function doWork(turn: DemoTurn, word: string): Promise<Steps> {
  const kind = workKinds.get(word === '' ? 'direct' : word);
  if (kind === undefined) {
    return [{ say: kindList() }];
  }
  try {
    const work = new WorkTurn(turn, await WorkFolder.open(turn.session.meta.cwd));
    const did = await kind.run(work);
    return [{ say: work.changesFiles ? did : 'In the mode **Plan only** I change nothing.' }];
  } catch (error) {
    turn.signal.throwIfAborted();
    return error instanceof NotAllowed
      ? [{ say: 'You did not allow it, so I stopped there.' }]
      : [{ say: `That did not work: ${messageOf(error)}` }];
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

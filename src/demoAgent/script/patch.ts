import type { DemoTurn } from '../turns/turn';
import type { FileChange } from '../vocabulary/updates';
import type { Command } from './command';

const before = `export const rates = {
  pots: 0.19,
  plants: 0.07,
};
`;
const after = before.replace('0.07,', '0.07,\n  seeds: 0.07,');
const notes = '# Rates\n\nThere are three rates; the third is that of seeds.\n';

function changesOf(turn: DemoTurn): FileChange[] {
  const at = (file: string): string => turn.path(`src/${file}`);
  return [
    { operation: 'add', path: at('rates.md'), newText: notes, mimeType: 'text/markdown' },
    { operation: 'modify', path: at('rates.ts'), oldText: before, newText: after },
    { operation: 'delete', path: at('oldRates.ts'), oldText: 'export const rate = 0.19;\n' },
    { operation: 'move', path: at('money/round.ts'), oldPath: at('round.ts') },
    { operation: 'copy', path: at('seeds.ts'), oldPath: at('plants.ts') },
    {
      operation: 'modify',
      path: at('logo.png'),
      fileType: 'binary',
      mimeType: 'image/png',
    },
    { operation: 'add', path: at('latest'), fileType: 'symlink', newText: 'rates.ts' },
    { operation: 'add', path: at('drafts'), fileType: 'directory' },
  ];
}

export const patch: Command = {
  name: 'patch',
  description: 'Files added, changed, deleted, moved and copied, told as patches; none is touched',
  run: async (turn) => {
    await turn.say('One change of every kind. I only act: no file of yours is touched.');
    const changes = changesOf(turn);
    for (const withPatch of [true, false]) {
      const title = withPatch ? 'Tidy up the rates' : 'The same without a patch';
      const tool = await turn.tool({ title, kind: 'edit', name: 'apply_patch' });
      await tool.start();
      await tool.complete({ content: [{ type: 'changes', changes, withPatch }] });
    }
    await turn.excuse(
      'Your editor knows only files that are written, so the others are there in words.',
    );
    await turn.say('Those were eight files.');
    return undefined;
  },
};

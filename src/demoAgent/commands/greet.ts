import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import type { DemoTurn, Steps } from '../turns/turn';
import { availableCommands } from './commands';

/** The answer to ordinary text, and to an unknown command. */
export function greeting(turn: DemoTurn, unknownCommand: string | undefined): Steps {
  const opening =
    unknownCommand === undefined
      ? 'Hello! I am the **Demo Agent**. I come with the extension, need no account and no network, ' +
        'and have no model behind me: everything I say is scripted.'
      : `I don't know \`/${unknownCommand}\`.`;
  const parts = [opening, ...received(turn.prompt), commandList(turn), closing(turn)];
  return [
    {
      think: [
        'They wrote something in their own words. I have no model behind me, so the honest thing is to ' +
          'say what I am and to point at what I can show.',
        'A short list of commands helps more than an imitation of an answer would.',
      ],
    },
    { say: parts.join('\n\n') },
  ];
}

function commandList(turn: DemoTurn): string {
  if (turn.session.meta.settings.model === 'fern') {
    return 'Type `/` to see what I can show.';
  }
  const rows = availableCommands(turn.client.capabilities).map(
    ({ name, description }) => `| \`/${name}\` | ${description} |`,
  );
  return [
    'Try one of these:',
    '',
    '| Command | What you will see |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
}

function closing(turn: DemoTurn): string {
  const advice = 'For real work, add an agent of your own with the command **Add Agent…**.';
  return turn.session.meta.settings.model === 'redwood'
    ? `This session is kept in a file: opened again, it is replayed exactly as it happened. ${advice}`
    : advice;
}

/** Lists the prompt's other blocks, so that the user sees that they arrived (PR-3, PR-4). */
function received(prompt: readonly ContentBlock[]): string[] {
  const others = prompt.flatMap((block) => (block.type === 'text' ? [] : [`- ${describe(block)}`]));
  return others.length === 0 ? [] : [['I received:', '', ...others].join('\n')];
}

function describe(block: Exclude<ContentBlock, { type: 'text' }>): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return `${block.type} (\`${block.mimeType}\`, ${Buffer.byteLength(block.data, 'base64')} bytes)`;
    case 'resource_link':
      return `a link to \`${block.name}\``;
    case 'resource':
      return `the contents of \`${block.resource.uri}\``;
  }
}

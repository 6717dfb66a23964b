import { pathToFileURL } from 'node:url';
import { chart } from '../data/chart';
import { tone } from '../data/tone';
import type { Command } from './command';

export const media: Command = {
  name: 'media',
  description: 'A picture, a sound, a linked file and an embedded one',
  run: async (turn) => {
    await turn.say('Orders per weekday, as a picture:');
    await turn.show({ type: 'image', mimeType: 'image/png', data: chart });
    await turn.say('The sound that the till makes:');
    await turn.show({ type: 'audio', mimeType: 'audio/wav', data: tone() });
    await turn.say('The file that I would read next, as a link:');
    await turn.show({
      type: 'resource_link',
      uri: pathToFileURL(turn.path('README.md')).href,
      name: 'README.md',
      title: 'Read me',
      description: 'What the project is, and how to start it',
      mimeType: 'text/markdown',
    });
    await turn.say('And one that comes along as a whole:');
    await turn.show({
      type: 'resource',
      resource: {
        uri: 'demo:///opening-hours.json',
        mimeType: 'application/json',
        text: JSON.stringify({ monday: null, saturday: ['09:00', '14:00'] }, undefined, 2),
      },
    });
    return undefined;
  },
};

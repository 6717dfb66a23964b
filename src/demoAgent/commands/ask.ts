import type { ElicitationSchema } from '@agentclientprotocol/sdk/unstable';
import type { Steps } from '../turns/turn';

/** A form with a field of each type that forms support. */
const form: ElicitationSchema = {
  type: 'object',
  title: 'A delivery',
  description: 'Nothing is sent anywhere: I only repeat what you enter.',
  required: ['name', 'parcels', 'speed'],
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2, maxLength: 60, default: 'Ada Palmer' },
    email: {
      type: 'string',
      title: 'E-mail',
      description: 'For the message that the parcel is on its way',
      format: 'email',
    },
    day: { type: 'string', title: 'Delivery day', format: 'date' },
    speed: {
      type: 'string',
      title: 'Speed',
      oneOf: [
        { const: 'standard', title: 'Standard', description: 'Two to four days' },
        { const: 'express', title: 'Express', description: 'Tomorrow' },
      ],
      default: 'standard',
    },
    parcels: { type: 'integer', title: 'Parcels', minimum: 1, maximum: 20, default: 1 },
    weight: { type: 'number', title: 'Weight in kg', minimum: 0.1, maximum: 31.5 },
    fragile: { type: 'boolean', title: 'Fragile', default: true },
    extras: {
      type: 'array',
      title: 'Extras',
      minItems: 0,
      maxItems: 2,
      items: {
        anyOf: [
          { const: 'gift', title: 'Gift wrap' },
          { const: 'card', title: 'Greeting card' },
          { const: 'soil', title: 'A bag of soil' },
        ],
      },
      default: ['card'],
    },
  },
};

export const ask: Steps = [
  { say: 'I need a few things from you.' },
  {
    form,
    message: 'Where should the parcel go?',
    answered: (response) => {
      if (response.action === 'accept') {
        const json = JSON.stringify(response.content ?? {}, undefined, 2);
        return [{ say: `Thank you. You entered:\n\n\`\`\`json\n${json}\n\`\`\`` }];
      }
      return response.action === 'decline'
        ? [{ say: 'You declined, so I continue without it.' }]
        : [{ say: 'You left the form without an answer, so I stop asking.' }];
    },
  },
];

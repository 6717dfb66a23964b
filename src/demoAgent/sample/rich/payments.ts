import type { SampleSession } from '../sample';
import { paint } from '../transcript';

const steps = [
  ['Read how checkout talks to the payment provider today', 'high'],
  ['Put the provider behind one small interface', 'high'],
  ['Write the client for the new API', 'high'],
  ['Handle the webhook, each event once', 'medium'],
  ['Switch checkout over', 'high'],
  ['Delete the old client', 'low'],
] as const;

const provider = `export interface PaymentProvider {
  /** Reserves the amount; the customer may have to confirm it on another page. */
  authorize(order: Order): Promise<Authorization>;
  capture(authorizationId: string): Promise<void>;
  refund(authorizationId: string, amountCents: number): Promise<void>;
}
`;

const checkoutBefore = `const charge = await payments.charge({
  amount: order.totalCents / 100,
  card: form.card,
});
order.paid = charge.ok;`;

const checkoutAfter = `const authorization = await provider.authorize(order);
if (authorization.confirmUrl !== undefined) {
  return redirect(authorization.confirmUrl);
}
await provider.capture(authorization.id);
await orders.markPaid(order.id);`;

const webhook = `export async function onPaymentEvent(event: PaymentEvent): Promise<void> {
  // Events come more than once: the first one wins.
  const isNew = await events.insertOnce(event.id);
  if (isNew && event.type === 'captured') {
    await orders.markPaid(event.orderId);
  }
}
`;

const typecheck = [
  `${paint('cyan', 'src/checkout/refund.ts')}:${paint('yellow', '13')}:${paint('yellow', '22')} - ${paint('red', 'error')} ${paint('grey', 'TS2339:')} Property 'charge' does not exist on type 'PaymentProvider'.`,
  '',
  `${paint('grey', '13')}   const result = payments.${paint('red', 'charge')}(order);`,
  '',
  'Found 1 error in src/checkout/refund.ts:13',
  '',
].join('\r\n');

/** A larger change with a plan, several files, and one forgotten step. */
export const payments: SampleSession = {
  title: 'Move checkout to the new payments API',
  write: (transcript) => {
    transcript
      .user(
        'The old payments API goes away in March. Please move checkout to the new one. It authorizes ' +
          'first and captures later, and may send the customer to a page of the bank in between.',
        {
          type: 'resource_link',
          uri: 'https://example.com/payments/migration-guide',
          name: 'migration-guide',
          title: 'Payments API: migration guide',
        },
      )
      .plan(0, steps)
      .tool({
        title: 'Fetch the migration guide',
        kind: 'fetch',
        name: 'web_fetch',
        input: { url: 'https://example.com/payments/migration-guide' },
        output: { status: 200, bytes: 18_233 },
      })
      .read('src/checkout/checkout.ts', checkoutBefore, 39)
      .think(
        'Two things differ in kind, not in name: the money is taken in two steps, and the answer may ' +
          'come through a webhook instead of the call. An interface of three methods covers both.',
      )
      .plan(1, steps)
      .edit('src/payments/provider.ts', null, provider)
      .plan(3, steps)
      .edit('src/payments/webhook.ts', null, webhook)
      .plan(4, steps)
      .edit('src/checkout/checkout.ts', checkoutBefore, checkoutAfter, 39)
      .run('npx tsc --noEmit', typecheck, 2)
      .say('The refund still used the old call. That one is easy to miss, so thank you, compiler.')
      .edit(
        'src/checkout/refund.ts',
        'const result = payments.charge(order);',
        'await provider.refund(order.authorizationId, order.totalCents);',
        13,
      )
      .run('npx tsc --noEmit', '')
      .plan(5, steps)
      .tool({
        title: 'Delete src/payments/legacyClient.ts',
        kind: 'delete',
        name: 'delete_file',
        files: [{ path: 'src/payments/legacyClient.ts' }],
      })
      .plan(6, steps)
      .say(
        'Checkout uses the new API now.\n\n' +
          '1. **Authorize** when the customer orders; a bank page may come in between.\n' +
          '2. **Capture** when they are back, or when the webhook says so. Whichever is first wins: each ' +
          'event is stored once.\n' +
          '3. **Refund** goes by the authorization, also for part of the amount.\n\n' +
          '> Before you deploy: set `PAYMENTS_WEBHOOK_SECRET` on the server, or every event is refused.',
      )
      .usage(64_900);
  },
};

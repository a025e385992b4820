import { expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { world } from '../engine/support.ts';

// What the platform answers about a bill is held against what was sent, and what stands on it against what a person read.

/** A world whose platform answers what `change` makes of the answers of one method, while it is there. */
async function altered(method: string) {
  let change: ((text: string) => string) | undefined;
  const platform =
    (real: Platform): Platform =>
    async (request) => {
      const response = await real(request);
      if (request.method !== method || change === undefined || !request.url.includes('/invoic')) return response;
      return new Response(change(await response.text()), { status: response.status, headers: response.headers });
    };
  const here = await world({ replace: { platform } });
  return {
    here,
    answers: (how: typeof change) => {
      change = how;
    },
  };
}

const others = [
  ['another sum', (text: string) => text.replace(/("totalAmount":"?)40/, '$1400')],
  ['another currency', (text: string) => text.replaceAll('"USD"', '"EUR"')],
  ['another recipient', (text: string) => text.replaceAll('ada@example.com', 'eve@example.com')],
] as const;

it.each(others)('a new bill that is answered with %s is not told as done', async (_, change) => {
  const { here, answers } = await altered('POST');
  await here.approve(await here.call('create_invoice', bill()));
  answers(change);
  expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
});

it.each(others)('a changed bill that is answered with %s is not told as done, nor as approved', async (_, change) => {
  const { here, answers } = await altered('PUT');
  const invoice = await billed(here, { how: 'email_draft' });
  const args = { invoice, description: 'Two bags' };
  await here.approve(await here.call('update_invoice', args));
  answers(change);
  expect(await here.call('update_invoice', args)).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
});

it('an answer that writes the same sum and address in other ways is no contradiction', async () => {
  const { here, answers } = await altered('POST');
  await here.approve(await here.call('create_invoice', bill()));
  answers((text) =>
    text.replace(/"totalAmount":"?40(\.00)?"?/, '"totalAmount":40.0').replaceAll('ada@example.com', 'Ada@Example.com'),
  );
  expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'done' });
});

it.each([
  ['cancel_invoice', 'email', 'SENT'],
  ['cancel_invoice', 'email', 'PAID'],
  ['publish_invoice', 'draft', 'DRAFT'],
  ['send_invoice', 'email_draft', 'DRAFT'],
])(
  '%s that is answered with a state that it does not lead to is not told as done: %s, %s',
  async (tool, how, state) => {
    const { here, answers } = await altered('POST');
    const invoice = await billed(here, { how });
    answers((text) => text.replace(/"status":"\w+"/, `"status":"${state}"`));
    expect(await here.through(tool, { invoice })).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
  },
);

it('a field that the platform has added since a person read the bill is shown to one before it is sent', async () => {
  const { here, answers } = await altered('GET');
  const invoice = await billed(here, { how: 'email_draft' });
  await here.through('update_invoice', { invoice, description: 'Two bags' });
  answers((text) => text.replace('"invoiceInformation":{', '"invoiceInformation":{"wireTo":"GB00 1234",'));
  const { outcome, approval } = await here.call('send_invoice', { invoice });
  expect(outcome).toBe('needs_approval');
  expect(approval?.text).toContain('invoiceInformation.wireTo');
});

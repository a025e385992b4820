import { Secret } from '../../../src/core/secret.ts';
import { isSigned, parse, sign } from '../../../src/core/webhook-signature.ts';
import { eventsIn } from '../../../src/domains/webhooks/delivered.ts';
import type { Mechanisms } from './lines.ts';
import { start } from './thing-bodies.ts';

// Deliveries of the platform: what is a signature of one, and which of them tell of the same event.

const key = new Secret(Buffer.alloc(32, 7).toString('base64'));
const keyId = '11111111-2222-4333-8444-555555555555';
const body = '{"eventType":"paid"}';
const header = sign(key, body, start, keyId);

/** The header of a signature, as it is and as nobody writes it, and whether it signs the delivery. */
const signatures: Mechanisms[string] = () => {
  const headers: readonly (readonly [what: string, header: string])[] = [
    ['as it is', header],
    ['nothing', ''],
    ['a word', 'signed'],
    ['with a space behind it', `${header} `],
    ['with another part', `${header};alg=none`],
    ['in capitals', header.toUpperCase()],
    ['without its time', header.replace(/^t=\d+;/, '')],
    ['of another time', header.replace(/^t=\d/, 't=2')],
    ['of a time with a zero before it', header.replace('t=', 't=0')],
    ['of the time zero', sign(key, body, 0, keyId)],
    ['of the longest time', sign(key, body, 999_999_999_999_999, keyId)],
    ['of a longer time', sign(key, body, 1_000_000_000_000_000, keyId)],
    ['of a key that is no UUID', sign(key, body, start, 'key')],
    ['of another key id', sign(key, body, start, keyId.replace('1', '2'))],
    ['by another key', sign(new Secret(Buffer.alloc(32, 8).toString('base64')), body, start, keyId)],
    ['of another body', sign(key, `${body} `, start, keyId)],
    ['a byte shorter', header.replace(/sig=..../, 'sig=')],
    [
      'with other unused bits',
      header.replace(/(.)=$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`),
    ],
    ['in URL-safe letters', header.replace(/sig=.*$/, `sig=${'_'.repeat(42)}A=`)],
  ];
  return headers.map(([what, it]) => {
    const read = parse(it);
    return [what, read === null ? 'no signature' : [isSigned(key, body, read), read.atMs, read.keyId]] as const;
  });
};

export const deliveryMechanisms: Mechanisms = {
  'signatures of a delivery': signatures,
  'deliveries of an event that are told apart': () => {
    const delivery = {
      ...{ eventType: 'invoicing.customer.invoice.paid', eventDate: '2026-01-15T09:00:00Z', notificationId: 'one' },
      payload: { data: { id: 'INV-1' } },
    };
    const idOf = (body: object): string => (eventsIn(JSON.stringify(body)) ?? []).map(({ id }) => id).join(' ');
    const others: readonly (readonly [what: string, more: object])[] = [
      ['the same', {}],
      ['another type', { eventType: 'invoicing.customer.invoice.cancel' }],
      ['another time', { eventDate: '2026-01-15T09:00:01Z' }],
      ['another notification', { notificationId: 'two' }],
      ['the notification as a trace', { notificationId: undefined, transactionTraceId: 'one' }],
      ['with a trace beside it', { transactionTraceId: 'two' }],
      ['with more that is not read', { other: true }],
      ['named by nothing', { notificationId: undefined }],
      ['named by nothing, with more', { notificationId: undefined, other: true }],
    ];
    return [...Map.groupBy(others, ([, more]) => idOf({ ...delivery, ...more })).values()].map((all) => [
      all.map(([what]) => what).join(', '),
      'are one event',
    ]);
  },
};

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClientOf } from '../../src/client/client.ts';
import { InvalidCall } from '../../src/client/errors.ts';
import { model, secret, server, shopper, text } from '../../src/core/fields.ts';
import { operation } from '../../src/core/operation.ts';
import { error, settings } from './plans.ts';
import { canary, clientOn, confirmation, confirmed, recorder } from './support.ts';

/** What is shown of an operation with this body. */
function described(taken: z.ZodObject, body: object) {
  const call = {
    call: 'POST /x',
    callers: ['app'],
    title: '',
    about: '',
    output: () => ({ 200: z.undefined() }),
    error,
  } as const;
  const kind = { effect: 'read', recovery: 'repeat', shape: 'EN-01' } as const;
  const { platform } = recorder(undefined);
  const client = createClientOf({ try: operation({ ...call, ...kind, body: () => taken }) }, { ...settings, platform });
  return client.describe('try', { body } as never);
}

describe('describe', () => {
  it('shows the request without card ids and the shopper, and sends nothing', () => {
    const { requests, platform } = recorder(confirmed, 202);
    const shown = clientOn(platform).describe('confirmTransaction', structuredClone(confirmation) as never);
    expect(shown).toStrictEqual({
      method: 'POST',
      path: '/acp/v1/instructions/ins-1/confirmations',
      body: {
        ...confirmation.body,
        paymentInformation: { instrumentIdentifier: { id: '[hidden]' } },
      },
    });
    expect(requests).toStrictEqual([]);
  });

  it('hides secrets, the shopper, and what the contract does not name', () => {
    const taken = z.looseObject({
      name: model(text).optional(),
      reference: server(text, 'reference'),
      card: secret(server(text, 'card.number')),
      token: server(text, 'card.customerId').optional(),
      phones: z.array(shopper(text)),
      untold: text,
    });
    const body = {
      name: 'Shoes',
      reference: 'r-1',
      card: canary,
      token: 't-1',
      phones: ['1', '2'],
      untold: 'x',
      extra: { deep: [canary] },
      constructor: canary,
    };
    expect(described(taken, body)).toStrictEqual({
      method: 'POST',
      path: '/x',
      body: {
        name: 'Shoes',
        reference: 'r-1',
        card: '[hidden]',
        token: '[hidden]',
        phones: ['[hidden]', '[hidden]'],
        untold: '[hidden]',
        extra: { deep: ['[hidden]'] },
        constructor: '[hidden]',
      },
    });
  });

  it('hides the ids of a card’s tokens, and no other field that is named like one', () => {
    const taken = z.looseObject({
      token: server(text, 'card.customerId'),
      kind: server(text, 'card.customerIdentity'),
      shop: server(text, 'discard.customerId'),
      nothing: z.null(),
    });
    const body = { token: 't-1', kind: 'email', shop: 's-1', nothing: null };
    const shown = described(taken, body);
    expect(shown.body).toEqual({ token: '[hidden]', kind: 'email', shop: 's-1', nothing: '[hidden]' });
  });

  it('refuses what the call would refuse', () => {
    const { platform } = recorder(undefined);
    const input = { ...structuredClone(confirmation), instructionID: '../x' } as never;
    expect(() => clientOn(platform).describe('confirmTransaction', input)).toThrow(InvalidCall);
  });
});

import { expect, it } from 'vitest';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { order } from '../engine/support.ts';
import { connect, inProcess } from '../faces/agents.ts';
import { world } from '../faces/support.ts';

// A tool demands no more of a shopper session than the platform does (document 1, "Enrollment request").

const now = Date.UTC(2026, 0, 15, 9);
const { shopper_ada: ada } = sandboxSeed.shoppers;

it('enrolls a card of a session that leaves out whatever the document calls optional', async () => {
  const here = await world({ replace: { clock: { now: () => now }, frozenAt: now } });
  const session = {
    ...{ ...ada, handle: 'shopper_ada', assuranceData: [{ additionalData: 'eyJ9' }] },
    ...{ consentData: [{ type: 'PERSONALIZATION' }], buyerInformation: undefined },
    cards: ada.cards.map((card) => ({ ...card, enrollmentReferenceProvider: 'EXAMPLE' })),
  };
  expect((await here.http('POST', '/shoppers', 'app', session)).status).toBe(201);
  const agent = await connect(inProcess(here), { pin: '2026-07-28' });
  expect((await agent.call('enroll_card', { card: 'card_ada' })).answer).toMatchObject({
    ...{ outcome: 'done', data: { state: 'ACTIVE' } },
  });
  // A purchase needs what public models require of its own call.
  expect((await agent.call('initiate_purchase', order())).answer).toMatchObject({
    outcome: 'refused',
    error: { rule: 'EN-09' },
  });
  expect(here.failures).toEqual([]);
});

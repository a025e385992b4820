import { z } from 'zod';
import { inDecimals } from '../src/core/money.ts';
import { kindTable } from '../src/domains/index.ts';
import { instruction as machine } from '../src/domains/purchase/machines.ts';
import { possibleIn } from '../src/engine/next.ts';
import { iso, monthText, untrusted } from '../src/engine/render.ts';
import {
  amountShown,
  countShown,
  currencyShown,
  handleShown,
  momentShown,
  ownWords,
  stateShown,
} from '../src/engine/shown.ts';
import { type LocalTool, localTool } from '../src/engine/tool.ts';
import { many, page, paged } from './pages.ts';
import { purchaseEntity } from './purchase/instruction.ts';
import { showTerms, termsShown } from './purchase/mandate.ts';
import { cardShown, purchaseShown } from './purchase/output.ts';

// Tools that read the ledger. They send nothing.

/** Shoppers and their cards. */
export const lookups: readonly LocalTool[] = [
  localTool('find_shopper', {
    title: 'Find a shopper',
    description: "Find shoppers that the merchant's app registered. Start here; the chat can't add one.",
    inputSchema: () =>
      z.strictObject({
        name: z.string().max(80).optional().describe('Start of a name.'),
        ...page(),
      }),
    outputSchema: () =>
      z.looseObject({
        items: z.array(z.looseObject({ shopper: handleShown, name: z.string(), cards: countShown })),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ name = '', limit, cursor }, { tx }) => {
      const found =
        name.trim() === ''
          ? await tx.observations.list({ kind: 'shopper' }, { limit, cursor })
          : await tx.observations.search({ kind: 'shopper', name }, { limit, cursor });
      const cards = await tx.observations.countOwned(
        'card',
        found.rows.map(({ handle }) => handle),
      );
      const items = found.rows.map(({ handle, body }) => ({
        shopper: handle,
        name: untrusted(nameOf(body)),
        cards: cards.get(handle) ?? 0,
      }));
      const said =
        found.total === 0
          ? "No shopper has such a name. The merchant's app registers shoppers; the agent can't."
          : `${many(found)} found.`;
      return {
        said,
        data: paged(found, items),
        next: found.total === 0 ? [] : ['list_cards'],
      };
    },
  }),

  localTool('list_cards', {
    title: "List a shopper's cards",
    description: "List a shopper's cards. Only an ACTIVE card can buy; enroll the others first.",
    inputSchema: () => z.strictObject({ shopper: z.string().max(64).describe('From find_shopper.'), ...page() }),
    foundBy: { shopper: kindTable.shopper.foundBy },
    outputSchema: () =>
      z.looseObject({
        items: z.array(cardShown()),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ shopper, limit, cursor }, { tx, resolve }) => {
      await resolve('shopper', shopper);
      const cards = await tx.observations.list({ kind: 'card', owner: shopper }, { limit, cursor });
      const items = cards.rows.map(({ handle, state, body }) => ({
        card: handle,
        last_four: String(body.lastFour),
        expires: monthText(body.expires),
        state,
      }));
      return {
        said: cards.total === 1 ? 'One card.' : `${many(cards)} cards.`,
        data: paged(cards, items),
        next: cards.total === 0 ? ['find_shopper'] : withCard,
      };
    },
  }),
];

/** One purchase, from the ledger. */
export const purchaseLookups: readonly LocalTool[] = [
  localTool('get_purchase', {
    title: 'Look at a purchase',
    description: 'Look at a purchase: terms, releases, receipt, what is possible now.',
    inputSchema: () => z.strictObject({ instruction: z.string().max(64).describe('Its handle.') }),
    foundBy: { instruction: kindTable.instruction.foundBy },
    outputSchema: () =>
      z.looseObject({
        instruction: handleShown,
        state: stateShown,
        reference: z.string(),
        description: z.string(),
        merchant: z.string(),
        ...termsShown(),
        recurring: z.boolean().optional(),
        limit: purchaseShown().shape.limit,
        until: momentShown,
        card: handleShown,
        releases: countShown,
        credentials: handleShown.optional(),
        receipt: z
          .object({
            ...{ receipt: handleShown, type: stateShown, status: stateShown },
            ...{ amount: amountShown, currency: currencyShown, payment: handleShown.optional() },
          })
          .optional(),
      }),
    run: async ({ instruction }, context) => {
      const things = await context.resolve('instruction', instruction);
      const it = things.instruction;
      if (it === undefined) throw new Error('A resolved handle has its thing.');
      const { receipt } = things;
      const entity = purchaseEntity(things, context.now);
      const state = machine.settle(entity);
      return {
        said: `The purchase is ${state}${receipt === undefined ? '; no receipt has been posted for it' : ''}.`,
        data: {
          instruction: it.handle,
          state,
          reference: it.body.reference,
          description: untrusted(it.body.description),
          merchant: untrusted(it.body.merchant),
          ...showTerms(it.body.agreed),
          ...(it.body.recurring === true ? { recurring: true } : {}),
          limit: { amount: inDecimals(it.body.limit, it.body.currency), currency: it.body.currency },
          until: iso(Number(it.body.until) * 1_000),
          card: it.body.card,
          releases: it.body.releases,
          ...(it.body.credentials === undefined ? {} : { credentials: it.body.credentials }),
          ...(receipt === undefined
            ? {}
            : {
                receipt: {
                  receipt: receipt.handle,
                  type: receipt.body.transactionType,
                  status: receipt.body.transactionStatus,
                  amount: inDecimals(receipt.body.amount, receipt.body.currency),
                  currency: receipt.body.currency,
                  ...(receipt.body.payment === undefined ? {} : { payment: receipt.body.payment }),
                },
              }),
        },
        next: possibleIn('instruction', machine.on('update').machine, { ...entity, state }),
      };
    },
  }),
];

/** Tools that take a card. */
const withCard: readonly string[] = [
  'enroll_card',
  'initiate_purchase',
  'create_authentication_options',
  'offer_conversion',
  'authorize_payment',
  'create_subscription',
  'list_subscriptions',
];

const nameOf = (body: { readonly [field: string]: unknown }): string => String(body.displayName ?? '');

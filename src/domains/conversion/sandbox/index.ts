import { z } from 'zod';
import { isCurrency } from '../../../core/currencies.ts';
import { move } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { conversion as contract } from '../contract.ts';
import { conversionReasons } from '../errors.ts';
import { capture, offer, refund } from '../machines.ts';
import { processings } from '../processing.ts';
import { anyPayment } from '../shapes.ts';
import type { ConversionSettingsDocument } from './documents.ts';
import { handlers } from './handlers.ts';
import { defaultSettings, seededBins, settingsOf } from './rates.ts';

/** How the sandbox simulates currency conversion and its payments. */
export const conversion: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  forms: { authorizePayment: { paymentInformation: anyPayment() } },
  settlers: {
    offer: (world, it) => {
      world.put('offer', { ...it, expired: true, due: undefined, state: offer.settle({ ...it, expired: true }) });
    },
    capture: (world, it) => {
      move(world, capture, 'capture', { ...it, due: undefined }, 'transmit');
    },
    refund: (world, it) => {
      move(world, refund, 'refund', { ...it, due: undefined }, 'transmit');
    },
  },
  control: [
    controlCall(
      'POST /sandbox/conversion',
      z.strictObject({
        processing: z.enum(processings).optional(),
        reason: z.enum(conversionReasons).nullable().optional(),
        markup: z.string().nullable().optional(),
        inverted: z.boolean().optional(),
        dated: z.boolean().optional(),
        validSeconds: z.int().positive().optional(),
        disclaimer: z.string().optional(),
        refunds: z.enum(['approved', 'declined']).optional(),
        voids: z.enum(['done', 'failed']).optional(),
      }),
      ({ world, body }) =>
        world.put('conversionSettings', {
          ...settingsOf(world),
          // What JSON leaves out is absent, never undefined.
          ...(body as Partial<ConversionSettingsDocument>),
          id: defaultSettings.id,
        }),
    ),
    controlCall(
      'POST /sandbox/bins/{bin}',
      z.strictObject({
        currency: z.string().refine(isCurrency, 'must be a currency').optional(),
        reason: z.enum(conversionReasons).optional(),
      }),
      ({ world, path, body }) => world.put('bin', { id: path.bin ?? '', ...body }),
    ),
  ],
  cards: {
    fields: { authorizes: z.enum(['approved', 'declined']).optional() },
    seeded: {
      card_ada: { authorizes: 'approved' },
      card_bo: { authorizes: 'approved' },
      card_cleo: { authorizes: 'approved' },
      card_cleo_declines: { authorizes: 'declined' },
      card_dan: { authorizes: 'approved' },
    },
  },
  seed: (world) => {
    for (const [id, currency] of Object.entries(seededBins)) world.put('bin', { id, currency });
  },
};

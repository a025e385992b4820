import { z } from 'zod';
import { amount } from '../../../core/fields.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { device as contract } from '../contract.ts';
import { enrollmentStates } from '../statuses.ts';
import { atReader } from './at-reader.ts';
import { type ReaderDocument, steps, tapEnds, tapResults } from './documents.ts';
import { handlers } from './handlers.ts';
import { keyControl, keyHandlers } from './keys.ts';
import { newReader, readerOf } from './state.ts';
import { serveTaps } from './tap-page.ts';
import { settle } from './taps.ts';

const tap = z.strictObject({
  does: z.enum(tapResults).default('approve'),
  tip: amount.optional(),
  lostAt: z.enum(steps).optional(),
  becomes: z.enum(tapEnds).optional(),
});

/** How the sandbox simulates the card reader. */
export const device: SandboxDomain<typeof contract> = {
  contract,
  handlers: { ...handlers, ...keyHandlers },
  atReader,
  settlers: { deviceTransaction: (world, it) => void settle(world, it) },
  control: [
    keyControl,
    controlCall('GET /sandbox/reader', z.strictObject({}), ({ world }) => readerOf(world)),
    controlCall(
      'POST /sandbox/reader',
      z.strictObject({
        state: z.enum(enrollmentStates).optional(),
        environment: z.enum(['test', 'live']).optional(),
        handsetGeneration: z.int().nonnegative().optional(),
        osVersion: z.string().optional(),
        osAgeDays: z.int().nonnegative().optional(),
        sdkVersion: z.string().optional(),
        educationShown: z.boolean().optional(),
        showsEducation: z.boolean().optional(),
        taps: z.enum(['auto', 'person']).optional(),
        expiryDays: z.int().min(5).max(7).optional(),
        receiptText: z.string().optional(),
      }),
      // What JSON leaves out is absent, never undefined.
      ({ world, body }) => world.put('reader', { ...readerOf(world), ...(body as Partial<ReaderDocument>) }),
    ),
    controlCall('POST /sandbox/reader/taps', tap, ({ world, body }) => {
      const it = readerOf(world);
      return world.put('reader', { ...it, next: [...it.next, body] });
    }),
  ],
  // Where a person taps.
  pages: { '/tap/': serveTaps },
  seed: (world) => {
    world.put('reader', newReader);
  },
};

import { z } from 'zod';
import { existing } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import { passkey as contract } from '../contract.ts';
import { approveBinding, codeOf, completeCeremony, issuerCodeOf, issuerId } from './authentications.ts';
import { serveIframe } from './frame.ts';
import { handlers } from './handlers.ts';
import { resultOf } from './identities.ts';

const held = (world: World, id: string | undefined) =>
  existing(world.get('authentication', id ?? ''), 'authentication');

/** How the sandbox simulates tokenized card authentication. The control calls play the customer and the issuer. */
export const passkey: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  control: [
    controlCall('POST /sandbox/issuer', z.strictObject({ text: z.string() }), ({ world, body: { text } }) =>
      world.put('issuer', { id: issuerId, text }),
    ),
    controlCall('GET /sandbox/authentications/{id}/code', z.strictObject({}), ({ world, path }) => {
      const it = held(world, path.id);
      const issuerCodes = it.stepUpOptions.map((option) => [option.id, issuerCodeOf(world, option)]);
      return { code: it.option === '' ? null : codeOf(world, it), issuerCodes: Object.fromEntries(issuerCodes) };
    }),
    controlCall('POST /sandbox/authentications/{id}/approve', z.strictObject({}), ({ world, path }) => {
      const { id, action } = approveBinding(world, held(world, path.id));
      return { tokenId: id, action };
    }),
    controlCall(
      'POST /sandbox/authentications/{id}/ceremony',
      z.strictObject({ succeeds: z.boolean().default(true) }),
      ({ world, path, body: { succeeds } }) => {
        const it = existing(world.get('ceremony', held(world, path.id).ceremony), 'ceremony');
        if (!succeeds) {
          world.put('ceremony', { ...it, state: 'failed' });
          return { result: 'FAILED' };
        }
        return resultOf(world, completeCeremony(world, it)).then((fidoResponse) => ({
          result: 'COMPLETE',
          fidoResponse,
        }));
      },
    ),
  ],
  pages: { '/vts-auth/': serveIframe },
  cards: {
    fields: {
      binding: z.enum(['registered', 'challenged', 'approved']).optional(),
      liability: z.enum(['shifted', 'kept']).optional(),
    },
    seeded: {
      card_ada: { binding: 'registered' },
      card_bo: { binding: 'challenged' },
      card_cleo: { binding: 'approved' },
      card_cleo_declines: { binding: 'registered', liability: 'kept' },
      card_dan: { binding: 'challenged', liability: 'kept' },
    },
  },
};

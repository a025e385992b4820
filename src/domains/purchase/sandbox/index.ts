import { z } from 'zod';
import { existing } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { purchase as contract } from '../contract.ts';
import { confirmationByTransaction } from '../shapes.ts';
import { verifyCard } from './cards.ts';
import { handlers } from './handlers.ts';
import { expireInstruction, verifyInstruction } from './instructions.ts';

/** How the sandbox simulates the agent operations. */
export const purchase: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  forms: { confirmTransaction: { transactionData: confirmationByTransaction() } },
  settlers: { instruction: expireInstruction },
  control: [
    controlCall(
      'POST /sandbox/cards/{id}/verify',
      z.strictObject({ succeeds: z.boolean().default(true) }),
      ({ world, path, body: { succeeds } }) => {
        const { id, state } = verifyCard(world, existing(world.get('card', path.id ?? ''), 'card'), succeeds);
        return { instrumentIdentifierId: id, status: state };
      },
    ),
    controlCall('POST /sandbox/instructions/{id}/verify', z.strictObject({}), ({ world, path }) => {
      const it = existing(world.get('instruction', path.id ?? ''), 'instruction');
      const { id, state } = verifyInstruction(world, it);
      return { instructionId: id, status: state };
    }),
  ],
  cards: {
    fields: { enrolls: z.enum(['active', 'pending']), credentials: z.enum(['released', 'declined', 'asked']) },
    seeded: {
      card_ada: { enrolls: 'active', credentials: 'released' },
      card_bo: { enrolls: 'pending', credentials: 'released' },
      card_cleo: { enrolls: 'active', credentials: 'released' },
      card_cleo_declines: { enrolls: 'active', credentials: 'declined' },
      card_dan: { enrolls: 'active', credentials: 'asked' },
    },
  },
};

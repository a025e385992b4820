import { z } from 'zod';
import { momentShown, ownWords, written } from './shown.ts';

/** The step in an answer that somebody else must take before the agent can continue. */
export const waitingShown = z.looseObject({
  /** Who takes it. */
  who: z.enum(['customer', 'app']),
  /** The tool of the step, which agents don't have. */
  tool: ownWords,
  /** The customer's page, only for the customer. */
  page: written(z.string()).optional(),
  /** When it expires. */
  until: momentShown.optional(),
});

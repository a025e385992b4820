import { z } from 'zod';
import { authentication as machine } from '../../src/domains/passkey/machines.ts';
import { possibleIn } from '../../src/engine/next.ts';
import { type LocalTool, localTool } from '../../src/engine/tool.ts';
import { authenticationEntity, authenticationShown, showAuthentication } from './presentation.ts';

/** The authentication of a card, from the ledger. */
export const lookups: readonly LocalTool[] = [
  localTool('get_authentication', {
    title: 'Look at an authentication',
    description: 'See how far an authentication is, and what comes next.',
    inputSchema: () => z.strictObject({ authentication: z.string().max(64).describe('Its handle.') }),
    outputSchema: authenticationShown,
    run: async ({ authentication }, { resolve, now }) => {
      const things = await resolve('authentication', authentication);
      const entity = authenticationEntity(things, now);
      return {
        said: said[entity.state] ?? 'The customer has authenticated.',
        // The handle was resolved, so its thing is there.
        data: showAuthentication(things) as never,
        next: possibleIn('authentication', machine.on('register').machine, entity),
      };
    },
  }),
];

/** What each state waits for. */
export const said: { readonly [state: string]: string | undefined } = {
  AUTHENTICATE:
    "The customer has a passkey for this card and uses it now: on Purser's page or in the merchant's app. Then look again.",
  STEP_UP_AUTHENTICATE:
    'The issuer wants more proof. Let the customer choose an option. For an OTP option request a code; the others end with a notification, then create the options again.',
  AUTHENTICATION_REGISTRATION: 'The issuer has approved this device. Create the registration now.',
  REGISTRATION_CREATED:
    "The customer registers this device now: on Purser's page or in the merchant's app. Then look again.",
};

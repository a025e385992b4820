import { z } from 'zod';
import type { Facts } from '../../src/domains/facts.ts';
import { kindTable } from '../../src/domains/index.ts';
import { authentication as machine } from '../../src/domains/passkey/machines.ts';
import { attemptsLeft, attemptsUsedUp } from '../../src/engine/attempts.ts';
import type { LocalContext } from '../../src/engine/local-tool.ts';
import { possibleIn } from '../../src/engine/next.ts';
import { type LocalTool, localTool, type PlatformTool } from '../../src/engine/tool.ts';
import { authentications } from './authentications.ts';
import { authenticationEntity, authenticationLookedAt, said, showAuthentication } from './presentation.ts';

/** The authentication of a card, from the ledger. */
export const lookups: readonly LocalTool[] = [
  localTool('get_authentication', {
    title: 'Look at an authentication',
    description: 'See how far an authentication is, and what comes next.',
    inputSchema: () => z.strictObject({ authentication: z.string().max(64).describe('Its handle.') }),
    foundBy: { authentication: kindTable.authentication.foundBy },
    outputSchema: authenticationLookedAt,
    run: async ({ authentication }, { resolve, now, tx }) => {
      const things = await resolve('authentication', authentication);
      const entity = authenticationEntity(things, now);
      const possible = possibleIn('authentication', machine.on('register').machine, entity);
      const codes = await codesOf(things, now, tx);
      return {
        said: codes?.said ?? said[entity.state] ?? 'The customer has authenticated.',
        // The handle was resolved, so its thing is there.
        data: { ...showAuthentication(things), ...(codes?.code === undefined ? {} : { code: codes.code }) } as never,
        next: codes?.next ?? possible,
      };
    },
  }),
];

interface Codes {
  readonly said: string;
  readonly code?: object;
  /** By default what the machine allows. */
  readonly next?: readonly string[];
}

/** What is left of the codes of a step-up: of the one that was sent last, and of further ones. */
async function codesOf(things: Facts['things'], now: number, tx: LocalContext['tx']): Promise<Codes | undefined> {
  const { authentication: it } = things;
  if (it === undefined || !isSteppingUp(it.state)) return undefined;
  const facts = { things, now } as Facts; // attempts are counted for things and days
  const usedUp = await attemptsUsedUp(tx, sends, facts);
  const another = usedUp?.because ?? 'Request another code.';
  const next = usedUp === undefined ? {} : { next: usedUp.instead };
  const { expiresAt } = it.body;
  if (expiresAt === undefined) return usedUp === undefined ? undefined : { said: another, ...next };
  const triesLeft = (await attemptsLeft(tx, checks, facts)) ?? 0;
  const code = {
    expires: new Date(expiresAt).toISOString(),
    requests_left: (await attemptsLeft(tx, sends, facts)) ?? 0,
    tries_left: triesLeft,
  };
  if (expiresAt <= now) return { said: `The code has expired. ${another}`, code, ...next };
  if (triesLeft === 0) return { said: `All tries of the code are used up. ${another}`, code, ...next };
  return usedUp === undefined
    ? { said: `${entering} ${ifLost}`, code }
    : { said: entering, code, next: ['get_authentication'] };
}

const isSteppingUp = (state: string): boolean => machine.legal({ state, action: '' }).includes('send');

const toolOf = (operation: string): PlatformTool => {
  const tool = authentications.find((one) => one.operation === operation);
  if (tool === undefined) throw new Error(`No tool has the operation ${operation}.`);
  return tool;
};
const sends = toolOf('createOneTimePassword');
const checks = toolOf('validateAuthenticationCode');

const entering =
  "A code was sent, and the customer still has to enter it: on Purser's page or in the merchant's app, never in this chat. Then look again.";
const ifLost = 'If it did not arrive, request another one.';

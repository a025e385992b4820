import { authentication } from '../../../src/domains/passkey/machines.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import type { Transition } from '../coverage/transition.ts';
import { member } from '../scenario/captures.ts';
import type { ActorStep } from '../scenario/schema.ts';
import { bodyOf } from '../world/collection.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';
import { pageRead } from './pages.ts';

// Customers and issuers in the authentication of a card. What a customer enters goes to Purser as the app or the page posts it.

export interface Happened {
  readonly text: string;
  readonly worked: boolean;
  readonly moved?: readonly Transition[];
  readonly answer?: Answer;
  /** What was read on a page of Purser before. */
  readonly page?: readonly string[];
  /** What stood on a page of Purser that tells the same in every story, by its title. */
  readonly shown?: readonly string[];
}

/** A call of the merchant's app. */
export const asApp = (world: World, tool: string, args: object): Promise<Answer> =>
  world.engine.call(tool, args, { tenant: agentCaller.tenant, principal: 'app', role: 'app' });

/** What became of a call. A refusal by another rule than expected counts as worked. */
export function made(who: string, answer: Answer, refused: string | undefined): Happened {
  const { outcome, said, error } = answer;
  return {
    text: `${who}: ${outcome}${error?.rule === undefined ? '' : ` by ${error.rule}`}. ${said}`,
    worked: outcome === 'done' || (refused !== undefined && refused !== error?.rule),
    answer,
  };
}

/** The customer enters a code. */
export async function enterCode(
  world: World,
  { enters, code, refused }: Extract<ActorStep, { enters: string }>,
): Promise<Happened> {
  const { tokenId, state, body } = await known(world, enters);
  const told = await world.control('GET', `authentications/${tokenId}/code`);
  const right = String(member(told, 'code'));
  const wrong = `${right.slice(0, -1)}${right.endsWith('0') ? 1 : 0}`;
  const entered = {
    right: { code: right },
    wrong: { code: wrong },
    issuer: {
      option: 'option_4',
      issuer_code: String(member(member(told, 'issuerCodes'), optionId(body, 'option_4'))),
    },
  }[code];
  const shown = await pageRead(world, 'validate_authentication_code', ['authentication', enters]);
  const answer = await asApp(world, 'validate_authentication_code', { authentication: enters, ...entered });
  return { ...moved(made(`The customer enters a ${code} code`, answer, refused), state, 'validate', answer), shown };
}

/** The customer goes through the ceremony of the iframe, or gives it up. */
export async function usePasskey(
  world: World,
  { authenticates, succeeds, reads, refused }: Extract<ActorStep, { authenticates: string }>,
): Promise<Happened> {
  const { tokenId, state, body } = await known(world, authenticates);
  let result: unknown;
  try {
    result = await world.control('POST', `authentications/${tokenId}/ceremony`, { succeeds });
  } catch (error) {
    return { text: `There is no ceremony: ${error instanceof Error ? error.message : ''}`, worked: false };
  }
  if (!succeeds) return { text: 'The customer gives the passkey up.', worked: false };
  const { fidoBlob, identifier, rpID } = member(result, 'fidoResponse') as Readonly<Record<string, string>>; // as the sandbox makes it
  const approval = reads ? member(body.approves, 'approval') : undefined;
  const shown = await pageRead(world, 'create_payment_credentials', ['authentication', authenticates]);
  const answer = await asApp(world, 'create_payment_credentials', {
    authentication: authenticates,
    ...{ data: fidoBlob, id: identifier, provider: 'PAYMENT_PASSKEY', relying_party: rpID },
    ...(approval === undefined ? {} : { approval }),
  });
  const happened = {
    ...moved(made('The customer uses the passkey', answer, refused), state, 'release', answer),
    shown,
  };
  // What the passkey is to approve differs from story to story.
  return approval === undefined ? happened : { ...happened, page: shown };
}

/** The issuer approves the device in another way. */
export async function approveBinding(world: World, card: string): Promise<Happened> {
  const [row] = await world.ledger.rows('select body from observations where handle = ?', [card]);
  const id = String(bodyOf(row?.body).instrumentIdentifierId);
  try {
    await world.control('POST', `authentications/${id}/approve`, {});
  } catch (error) {
    return { text: `There is nothing to approve: ${error instanceof Error ? error.message : ''}`, worked: false };
  }
  const to = 'AUTHENTICATION_REGISTRATION';
  const step = { machine: authentication.name, from: 'STEP_UP_AUTHENTICATE', trigger: 'approve', to };
  return { text: 'The issuer approves the device.', worked: true, moved: [step] };
}

const moved = (it: Happened, from: string, trigger: string, { outcome, data }: Answer): Happened => {
  const to = trigger === 'release' ? 'AUTHENTICATED' : String(data?.state);
  return outcome === 'done' ? { ...it, moved: [{ machine: authentication.name, from, trigger, to }] } : it;
};

async function known(world: World, handle: string) {
  const [row] = await world.ledger.rows('select state, body from observations where handle = ?', [handle]);
  const body = bodyOf(row?.body);
  const [card] = await world.ledger.rows('select body from observations where handle = ?', [String(body.card)]);
  return { tokenId: String(bodyOf(card?.body).instrumentIdentifierId), state: String(row?.state), body };
}

const optionId = (body: Readonly<Record<string, unknown>>, name: string): string =>
  String(
    (body.stepUpOptions as readonly { readonly name: string; readonly id: string }[]).find((it) => it.name === name)
      ?.id,
  );

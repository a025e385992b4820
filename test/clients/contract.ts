import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { describeClient, type Servers, servers, type Target } from './support.ts';

// What every client that nobody here wrote must find: the tools, answers, approvals and refusals, each in its own way.

/** A client that is connected. */
export interface Client {
  readonly names: () => Promise<readonly string[]>;
  /** What the client hands on of a call: the text of the answer, and whether it is an error in the client's own way. */
  readonly call: (tool: string, args: object) => Promise<Told>;
  readonly close: () => Promise<unknown>;
}

export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface Kind {
  readonly name: string;
  /** How its user reacts to a form, where the client can show one. */
  readonly open: (target: Target, says?: boolean) => Promise<Client>;
  /** Whether it can show a form (MCP elicitation). */
  readonly asks: boolean;
  /** Where the client itself refuses a null, before Purser sees it: what it says. */
  readonly holdsNull?: RegExp;
}

const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
const order = (reference: string) => ({
  ...{ card: 'card_ada', reference, description: 'Headphones', limit: { amount: '100.00', currency: 'GBP' } },
  until,
});

/** The JSON of an answer within what a client hands on, such as the message of an error. */
function answerIn({ text }: Told) {
  const [whole = ''] = /\{.*\}/s.exec(text) ?? [];
  return JSON.parse(whole);
}

export function contractOf(kind: Kind): void {
  describeClient(kind.name, () => {
    const purser = servers();
    describe('over HTTP', () => overHttp(kind, purser));
    describe('over stdio', () => overStdio(kind, purser));
  });
}

const adaFound = { outcome: 'done', data: { items: [{ shopper: 'shopper_ada' }] } };

function overHttp({ open, holdsNull }: Kind, purser: Servers): void {
  let client: Client;
  beforeAll(async () => {
    client = await open(purser.http());
  });
  afterAll(() => client?.close());

  it('lists every tool', async () => {
    expect((await client.names()).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('reads', async () => {
    const told = await client.call('find_shopper', { name: 'Ada' });
    expect([told.isError, answerIn(told)]).toMatchObject([false, adaFound]);
  });

  it(`sends null for an optional argument as absent${holdsNull === undefined ? '' : ', or refuses it itself'}`, async () => {
    const told = await client.call('find_shopper', { name: 'Ada', limit: null });
    if (holdsNull === undefined) expect([told.isError, answerIn(told)]).toMatchObject([false, adaFound]);
    else expect([told.isError, told.text]).toEqual([true, expect.stringMatching(holdsNull)]);
  });

  it('gets needs_approval as an ordinary result, and the purchase once a person has approved it', async () => {
    await client.call('enroll_card', { card: 'card_ada' });
    const waits = await client.call('initiate_purchase', order('over-http'));
    expect(waits.isError).toBe(false);
    expect(answerIn(waits)).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-04' } });
    await purser.decide(answerIn(waits).approval.id, 'approve');
    const made = await client.call('initiate_purchase', order('over-http'));
    expect([made.isError, answerIn(made)]).toMatchObject([false, { outcome: 'done', data: { state: 'ACTIVE' } }]);
  });

  it('gets a refusal as an error, with the rule and the way out', async () => {
    const told = await client.call('list_cards', { shopper: 'shopper_nobody' });
    expect(told.isError).toBe(true);
    expect(answerIn(told)).toMatchObject({ outcome: 'refused', next: ['find_shopper'], error: { rule: 'EN-02' } });
  });
}

function overStdio({ open, asks }: Kind, purser: Servers): void {
  const buy = async (says?: boolean): Promise<Told> => {
    const client = await open(purser.stdio(), says);
    try {
      await client.call('enroll_card', { card: 'card_ada' });
      return await client.call('initiate_purchase', order('over-stdio'));
    } finally {
      await client.close();
    }
  };

  if (!asks) {
    it('gets needs_approval as an ordinary result, with the command that decides', async () => {
      const told = await buy();
      expect([told.isError, answerIn(told)]).toMatchObject([false, { outcome: 'needs_approval' }]);
      expect(answerIn(told).said).toContain(`approvals approve ${answerIn(told).approval.id}`);
    });
    return;
  }

  it('shows a form, and buys when its user says yes', async () => {
    const told = await buy(true);
    expect([told.isError, answerIn(told)]).toMatchObject([false, { outcome: 'done', data: { state: 'ACTIVE' } }]);
  });

  it('shows a form, and gets an error when its user says no', async () => {
    const told = await buy(false);
    expect([told.isError, answerIn(told)]).toMatchObject([true, { error: { code: 'APPROVAL_DENIED' } }]);
  });
}

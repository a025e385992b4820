import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { showStep, takeStep } from '../../src/engine/customer-steps.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { everyTool } from '../../tools/index.ts';
import { withLoyalty } from '../support/made-up-domain.ts';
import { agent, shop, withOther } from './shop.ts';

// A step that only a customer can take: what the agent reads, the link, and what the page does with it.

const start = { reference: 'start-1', account: 'account-1' };
const right = '135790';
const app: Caller = { tenant: 'default', principal: 'app', role: 'app' };

/** A shop whose platform knows one code, with pages where nothing else is said. */
async function withPages({ pages = true } = {}) {
  const it = await shop(withOther);
  const tried: unknown[] = [];
  const served = async (request: Request) => {
    const { code } = (await request.json()) as { readonly code?: string };
    if (code === undefined) return Response.json({ id: 'challenge-1', masked: '+44 ··· 12' });
    tried.push(code);
    return code === right
      ? Response.json({ id: 'challenge-1' })
      : Response.json({ reason: 'INVALID_DATA', message: 'no' }, { status: 400 });
  };
  const engineWith = (linkKey: string) =>
    withLoyalty(it.parts, {
      served,
      settings: {
        ...it.parts.settings,
        reach: pages ? { page: () => 'https://purser.test', linkKey: () => new Secret(linkKey) } : {},
      },
    });
  const engine = engineWith('one key');
  const begin = async () => {
    const answer = await engine.call('start_challenge', start, agent);
    const { page = '' } = (answer.data?.waiting_for ?? {}) as { readonly page?: string };
    return { answer, page, link: page.split('#')[1] ?? '', challenge: String(answer.data?.challenge) };
  };
  const rows = () =>
    it.parts.ledger.transaction('default', (tx) => tx.observations.list({ kind: 'link' }, { limit: 9 }));
  return { it, engine, engineWith, tried, begin, rows };
}

const enter = (code: string) => ({ code });

const platform = everyTool.filter((tool) => tool.kind === 'platform');

it('has a page only where some tool waits for it: no other page is ever opened', () => {
  const awaited = new Set(platform.flatMap(({ waits }) => waits?.tool ?? []));
  const paged = platform.filter(({ page }) => page !== undefined).map(({ name }) => name);
  expect(paged.length).toBeGreaterThan(1);
  expect(
    paged.filter((name) => !awaited.has(name)),
    'name each in `waits` of the tool whose thing waits for it',
  ).toEqual([]);
});

it('is waited for by calls that can be made again meanwhile, as their answer says', () => {
  const stuck = platform.filter(({ waits, input, definition: { effect, moves } }) => {
    if (waits === undefined || input.reference !== undefined || effect === 'read' || moves === undefined) return false;
    const rows = [...moves.machine.rows, ...moves.machine.assumed].filter(([, trigger]) => trigger === moves.trigger);
    return !waits.states.every((state) => rows.some(([from]) => from === state));
  });
  expect(
    stuck.map(({ name }) => name),
    'give each a reference, or `waits` to the tool that looks at the thing instead',
  ).toEqual([]);
});

describe('an agent that waits for a customer', () => {
  it('reads who must act, where and until when, and that it has happened', async () => {
    const { it: world, engine, begin } = await withPages();
    const { answer, page, link } = await begin();
    const until = new Date(world.parts.ports.clock.now() + 15 * 60_000).toISOString();
    expect(answer.data?.waiting_for).toEqual({ who: 'customer', tool: 'answer_challenge', page, until });
    expect(page).toMatch(/^https:\/\/purser\.test\/act\/answer_challenge#[a-z]{13}\.[a-z]{28}$/);
    expect(answer.said).toContain(page);
    const again = await begin();
    expect([again.answer.replayed, again.link]).toEqual([true, link]);
    expect(await takeStep(engine, 'default', link, enter(right))).toMatchObject({ outcome: 'done', isOpen: false });
    const after = await begin();
    expect([after.answer.outcome, after.answer.data?.waiting_for]).toEqual(['done', undefined]);
  });

  it('is told that the app must post it where no page is served', async () => {
    const { begin } = await withPages({ pages: false });
    const { answer } = await begin();
    expect(answer.data?.waiting_for).toEqual({ who: 'app', tool: 'answer_challenge' });
    expect(answer.said).toContain('/calls/answer_challenge');
  });

  it('reads the answer without the step where the ledger fails meanwhile, and the operator hears why', async () => {
    const { it: world, begin } = await withPages();
    const { challenge } = await begin();
    const faults: unknown[] = [];
    const fault = new LedgerUnavailable('gone');
    let transactions = 0;
    const { ledger, ports } = world.parts;
    const engine = withLoyalty(
      {
        ...world.parts,
        ports: { ...ports, onFault: (it) => faults.push(it) },
        ledger: {
          ...ledger,
          // The first decides the call, and the second looks for the step.
          transaction: (tenant, work) => {
            transactions += 1;
            return transactions === 2 ? Promise.reject(fault) : ledger.transaction(tenant, work);
          },
        },
      },
      { served: () => Promise.reject(new Error('Nothing is sent.')) },
    );
    const { outcome, data } = await engine.call('start_challenge', start, agent);
    expect([outcome, data?.challenge, data?.waiting_for, faults]).toEqual(['done', challenge, undefined, [fault]]);
  });

  it('goes on where the app has posted it', async () => {
    const { engine, begin } = await withPages();
    const { challenge, link } = await begin();
    expect(await engine.call('answer_challenge', { challenge, code: right }, app)).toMatchObject({ outcome: 'done' });
    expect((await begin()).answer.data?.waiting_for).toBeUndefined();
    // The page has nothing to do any more, although nobody has used its link.
    expect(await showStep(engine, 'default', link)).toBeUndefined();
  });
});

describe('a link', () => {
  it('stands in no row: the ledger has its hash', async () => {
    const { it: world, begin, rows } = await withPages();
    const { link } = await begin();
    const [, secret = ''] = link.split('.');
    const all = JSON.stringify([await rows(), await world.operations()]);
    expect([secret.length, all.includes(secret)]).toEqual([28, false]);
  });

  it('shows its step as often as it is opened, and takes it once', async () => {
    const { engine, begin, tried } = await withPages();
    const { link } = await begin();
    const shown = await showStep(engine, 'default', link);
    expect(shown).toMatchObject({ title: 'Enter your code', attemptsLeft: 3 });
    expect(await showStep(engine, 'default', link)).toEqual(shown);
    await takeStep(engine, 'default', link, enter(right));
    expect([
      await showStep(engine, 'default', link),
      await takeStep(engine, 'default', link, enter(right)),
      tried,
    ]).toEqual([undefined, undefined, [right]]);
  });

  it('stays open for a second entry while the first is being checked', async () => {
    const { engine, begin, tried } = await withPages();
    const { link } = await begin();
    const taken = await Promise.all(['111111', '222222'].map((code) => takeStep(engine, 'default', link, enter(code))));
    expect(taken.map((step) => [step?.outcome, step?.isOpen])).toEqual([
      ['declined', true],
      ['unknown', true],
    ]);
    expect(tried).toEqual(['111111']);
  });

  it('stays open after a wrong code, until the attempts are used up', async () => {
    const { engine, begin, tried } = await withPages();
    const { link } = await begin();
    const taken: unknown[] = [];
    for (const code of ['111111', '222222', '333333', right]) {
      const step = await takeStep(engine, 'default', link, enter(code));
      taken.push([step?.outcome, step?.isOpen, step?.attemptsLeft]);
    }
    expect(taken).toEqual([
      ['declined', true, 2],
      ['declined', true, 1],
      ['declined', false, 0],
      ['refused', false, 0],
    ]);
    expect(tried).toEqual(['111111', '222222', '333333']);
  });

  it('ends with its time', async () => {
    const { it: world, engine, begin } = await withPages();
    const { link } = await begin();
    await world.advance(900);
    expect(await takeStep(engine, 'default', link, enter(right))).toBeUndefined();
    const { link: next } = await begin();
    expect(next).not.toBe(link);
    expect(await takeStep(engine, 'default', next, enter(right))).toMatchObject({ outcome: 'done' });
  });

  it('is bound to its tenant, its thing and its operation', async () => {
    const { engine, begin, tried } = await withPages();
    const { link } = await begin();
    const [name = '', secret = ''] = link.split('.');
    const forged = [
      link.toUpperCase(),
      `${name}.${'a'.repeat(28)}`,
      `${'a'.repeat(13)}.${secret}`,
      name,
      '',
      `${link}x`,
    ];
    for (const other of forged) expect(await takeStep(engine, 'default', other, enter(right))).toBeUndefined();
    expect(await showStep(engine, 'other', link)).toBeUndefined();
    // What the page does not ask for is not taken, and the thing is the link's own.
    const step = await takeStep(engine, 'default', link, { ...enter('111111'), challenge: 'receipt_other', more: 1 });
    expect([step?.outcome, tried]).toEqual(['declined', ['111111']]);
  });

  it('ends when the key changes, and a new one is given', async () => {
    const { engine, engineWith, begin } = await withPages();
    const { link } = await begin();
    const { data } = await engineWith('another key').call('start_challenge', start, agent);
    const { page = '' } = (data?.waiting_for ?? {}) as { readonly page?: string };
    expect(await showStep(engine, 'default', link)).toBeUndefined();
    expect(await showStep(engine, 'default', page.split('#')[1] ?? '')).toBeDefined();
  });

  it('costs no attempt where what was entered has not the shape of a code', async () => {
    const { engine, begin } = await withPages();
    const { link } = await begin();
    expect(await takeStep(engine, 'default', link, { code: 'x'.repeat(300) })).toMatchObject({
      outcome: 'refused',
      says: 'Check what you entered.',
      isOpen: true,
      attemptsLeft: 3,
    });
  });
});

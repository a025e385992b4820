import { type Fleet, judge, type Replica, type Said, type Verdict } from './fleet.ts';
import { card, order, payment, receipt } from './orders.ts';

// Races: every replica is told the same thing, or one of several that exclude each other, at the same moment.

/** What came of the races of one kind. */
export interface Tally {
  readonly race: string;
  races: number;
  /** Races that nobody won. */
  unwon: number;
  /** Races that more than one replica won. */
  doubled: number;
  /** Answers that are neither a win nor one of the ways to lose. */
  odd: number;
}

export interface Raced {
  readonly tallies: readonly Tally[];
  readonly verdict: Verdict;
  /** Examples of odd answers. */
  readonly oddities: readonly string[];
}

const kinds = {
  initiate: 'initiate with one approval',
  release: 'release credentials, one for an approval',
  confirm: 'confirm',
  reference: 'one reference, three purchases',
  budget: 'a budget for one of three',
  decide: 'approve and deny at once',
} as const;
type Kind = keyof typeof kinds;

/** Runs so many races of each kind, some purchases side by side. */
export async function race(fleet: Fleet, races: number, lanes = 3): Promise<Raced> {
  const tallies = new Map<Kind, Tally>();
  const oddities: string[] = [];
  const count = (kind: Kind, said: readonly Said[], won: (said: Said) => boolean, lost: (said: Said) => boolean) => {
    const tally = tallies.get(kind) ?? { race: kinds[kind], races: 0, unwon: 0, doubled: 0, odd: 0 };
    tallies.set(kind, tally);
    const winners = said.filter(won);
    const odd = said.filter((it) => !won(it) && !lost(it));
    tally.races++;
    tally.unwon += winners.length === 0 ? 1 : 0;
    tally.doubled += winners.length > 1 ? 1 : 0;
    tally.odd += odd.length;
    for (const it of odd) oddities.push(`${kind}: ${JSON.stringify(it).slice(0, 300)}`);
    return winners[0];
  };
  const [first] = fleet.replicas;
  if (first === undefined) throw new Error('A fleet has replicas.');
  await expectDone(first.call('enroll_card', { card }));
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < races; index = next++) await purchase(fleet, index, count);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { tallies: [...tallies.values()], verdict: await judge(fleet), oddities: oddities.slice(0, 5) };
}

type Count = (
  kind: Kind,
  said: readonly Said[],
  won: (said: Said) => boolean,
  lost: (said: Said) => boolean,
) => Said | undefined;

/** One race of each kind; those about one purchase follow each other. */
async function purchase({ replicas }: Fleet, index: number, count: Count): Promise<void> {
  const all = (tell: (replica: Replica, at: number) => Promise<Said>) => Promise.all(replicas.map(tell));
  const one = replicas[index % replicas.length] as Replica; // a fleet has replicas

  const contested = await one.call('initiate_purchase', order(`decide-${index}`));
  const verdicts = ['approve', 'deny', index % 2 === 0 ? 'approve' : 'deny'] as const;
  const decided = await all((it, at) =>
    it.ask({ does: 'decide', approval: approvalOf(contested), verdict: verdicts[at % 3] ?? 'deny' }),
  );
  // A no counts once, whether it came first or withdrew a yes; a yes counts at most once, and never after a no.
  const yes = decided.filter((it) => it.kind === 'said' && it.value.state === 'APPROVED').length;
  count('decide', decided, saidNo, (it) => it.kind === 'said' && !saidNo(it) && (it.value.ok === false || yes === 1));

  const bought = order(`order-${index}`);
  await expectOk(
    one.ask({ does: 'decide', approval: approvalOf(await one.call('initiate_purchase', bought)), verdict: 'approve' }),
  );
  const begun = count('initiate', await all((it) => it.call('initiate_purchase', bought)), done, joined);
  const instruction: string = begun?.kind === 'said' ? begun.value.data.instruction : '';

  const releases = await all((it, at) => it.call('retrieve_credentials', payment(instruction, `pay-${index}-${at}`)));
  count('release', releases, done, held);

  await expectOk(one.ask({ does: 'receipt', receipt: receipt(instruction) }));
  count(
    'confirm',
    await all((it) => it.call('confirm_transaction', { instruction })),
    done,
    (it) => joined(it) || held(it),
  );

  const same = await all((it, at) => it.call('initiate_purchase', order(`same-${index}`, `${at + 1}.00`, 'EUR')));
  count('reference', same, done, refusedBy('CONFLICT'));

  const session = `session-${index}`;
  const within = await all((it, at) =>
    it.call('initiate_purchase', order(`budget-${index}-${at}`, '60.00', 'USD'), { session }),
  );
  count('budget', within, done, (it) => it.kind === 'said' && it.value.outcome === 'needs_approval');
}

const saidNo = (it: Said): boolean => it.kind === 'said' && it.value.state === 'DENIED';

/** It went through now, and not in an earlier call. */
const done = (it: Said): boolean => it.kind === 'said' && it.value.outcome === 'done' && it.value.replayed !== true;
/** The very same call is under way elsewhere, or its result came once more. */
const joined = (it: Said): boolean =>
  it.kind === 'said' && (it.value.replayed === true || it.value.error?.code === 'IN_FLIGHT');
const refusedBy =
  (code: string) =>
  (it: Said): boolean =>
    it.kind === 'said' && it.value.error?.code === code;
/** Another call is at the same thing, or what it was allowed is used up. */
const held = (it: Said): boolean =>
  it.kind === 'said' && ['IN_FLIGHT', 'APPROVAL_REQUIRED', 'RULE'].includes(it.value.error?.code);

const approvalOf = (it: Said): string => (it.kind === 'said' ? (it.value.approval?.id ?? '') : '');

async function expectDone(asked: Promise<Said>): Promise<void> {
  const said = await asked;
  if (!done(said)) throw new Error(`It should have been done: ${JSON.stringify(said)}`);
}

async function expectOk(asked: Promise<Said>): Promise<void> {
  const said = await asked;
  if (said.kind !== 'said' || said.value.ok !== true) throw new Error(`It should have worked: ${JSON.stringify(said)}`);
}

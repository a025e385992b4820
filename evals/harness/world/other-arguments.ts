import { currencies, isCurrency } from '../../../src/core/currencies.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { registerReceipt, registerShopper } from '../../../src/engine/register.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { Argued, Page, Paged, Varied } from '../replay/run.ts';
import type { Variation } from '../replay/variations.ts';
import { platformToolOf } from '../scenario/catalogue.ts';
import type { Values } from '../scenario/schema.ts';
import type { RewindableLedger } from './ledger.ts';

// What Purser would have said to calls that the agent doesn't make.

type Call = (tool: string, args: unknown) => Promise<Answer>;

/** Another Purser on a ledger and a platform of which it leaves everything as it was. */
export interface Aside {
  /** The requests that it sent since this was last asked. */
  readonly sent: () => readonly string[];
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly rewindable: RewindableLedger;
  readonly sandbox: Sandbox;
}

/**
 * What comes of a call with each of these arguments: it is previewed, or made where it only reads the ledger. And what each counts against a
 * limit, which a limit of nothing says.
 */
export async function askedAside(place: Aside, tool: string, argued: readonly Variation[]): Promise<readonly Argued[]> {
  const asked = await aside(place, async (call) => {
    const found: Argued[] = [];
    place.sent();
    for (const { what, body } of argued) {
      const answer = await answerTo(tool, body, call);
      found.push({ what, ...answer, sent: place.sent() });
    }
    return found;
  });
  if (platformToolOf(tool)?.policy.spend === undefined) return asked;
  const { parts } = place;
  const limited = { ...place, parts: { ...parts, settings: { ...parts.settings, limits: nothing(tool) } } };
  return aside(limited, async (call) => {
    const counted: Argued[] = [];
    for (const [index, it] of asked.entries()) {
      const { verdict } = await answerTo(tool, argued[index]?.body, call);
      const [, sum] = /^([\d.]+ [A-Z]{3}) is above/.exec(verdict.said ?? '') ?? [];
      counted.push(sum === undefined ? it : { ...it, shows: [...it.shows, `counts: ${sum}`] });
    }
    return counted;
  });
}

/** A limit of nothing in each currency. */
const nothing = (tool: string): readonly SpendingPolicy[] =>
  currencies
    .map(({ code }) => code)
    .filter(isCurrency)
    .map((currency) => ({ name: `no ${currency}`, tools: [tool], currency, perCall: '0', per: [] }));

/** What becomes of other registrations by the merchant's systems: taken, or refused for fields by rules. */
export const registeredAside = (
  place: Aside,
  register: typeof registerShopper | typeof registerReceipt,
  bodies: readonly Variation[],
): Promise<readonly Varied[]> =>
  aside(place, async () => {
    const found: Varied[] = [];
    for (const { what, body } of bodies) {
      const it = await register(place.parts, place.caller.tenant, body);
      const faults = it.ok ? [] : it.faults;
      const says = faults.flatMap(({ rule, field }) => [rule, field]);
      found.push({ line: 'registered', what, status: it.ok ? 200 : 400, says });
    }
    return found;
  });

/** A list once more: in one page, and in pages of one row. */
export const pagedAside = (place: Aside, tool: string, args: Values): Promise<Paged> =>
  aside(place, async (call) => {
    const { cursor: _, ...first } = args;
    const page = async (limit: number, cursor?: string): Promise<Page> => {
      const { outcome, data } = await call(tool, { ...first, limit, ...(cursor === undefined ? {} : { cursor }) });
      return { outcome, ...(data as Omit<Page, 'outcome'>) }; // a list's, by its tool
    };
    const whole = await page(rowsAtOnce);
    const pages: Page[] = [];
    for (let more: string | undefined; pages.length < pagesAtMost; ) {
      const next = await page(1, more);
      pages.push(next);
      more = next.more;
      if (more === undefined) break;
    }
    return { whole, pages };
  });

/** Rows of a page that holds all of most lists. Own choice: no list has fewer on a page at most. */
const rowsAtOnce = 20;
/** Pages of one list that are read. Own choice: lists of stories are short. */
const pagesAtMost = 12;

/** Does some work with another Purser, and leaves everything as it was. */
async function aside<T>(
  { parts, caller, rewindable, sandbox: { world } }: Aside,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const then = await world.snapshot();
  await rewindable.mark('aside');
  const engine = createEngine(parts);
  try {
    return await work((name, args) => engine.call(name, args, caller));
  } finally {
    await rewindable.rewind('aside');
    await rewindable.forget('aside');
    await world.restore(then);
  }
}

async function answerTo(tool: string, args: unknown, call: Call): Promise<Pick<Argued, 'verdict' | 'shows'>> {
  if (platformToolOf(tool) === undefined) {
    const verdict = await call(tool, args);
    return { verdict, shows: leavesOf(verdict.data) };
  }
  const answer = await call('preview_call', { tool, arguments: args });
  const { verdict = answer, approval, request, ...rest } = (answer.data ?? {}) as Previewed;
  return { verdict, shows: [...(approval?.split('\n') ?? []), ...leavesOf(rest), ...leavesOf(request)] };
}

/** The data of a preview, as its tool declares them. */
interface Previewed {
  readonly verdict?: Answer;
  readonly approval?: string;
  readonly request?: unknown;
}

/** Every value of a tree with its path, one line each. */
function leavesOf(tree: unknown, path = ''): readonly string[] {
  if (tree === undefined) return [];
  if (typeof tree !== 'object' || tree === null) return [`${path}: ${String(tree)}`];
  return Object.entries(tree).flatMap(([name, member]) => leavesOf(member, path === '' ? name : `${path}.${name}`));
}

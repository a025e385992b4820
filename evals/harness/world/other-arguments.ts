import type { Platform } from '../../../src/client/platform.ts';
import { currencies, isCurrency } from '../../../src/core/currencies.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import type { registerReceipt, registerShopper } from '../../../src/engine/register.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import type { Argued, Page, Paged, Reading, Varied } from '../replay/run.ts';
import type { Variation } from '../replay/variations.ts';
import { platformToolOf } from '../scenario/catalogue.ts';
import type { Values } from '../scenario/schema.ts';
import { type Aside, aside, type Call, leavesOf } from './aside.ts';

// What Purser would have said to calls that the agent doesn't make.

/**
 * What comes of a call with each of these arguments: it is previewed, or made where it only reads the ledger. And what each counts against a
 * limit, which a limit of nothing says.
 */
export async function askedAside(place: Aside, tool: string, argued: readonly Variation[]): Promise<readonly Argued[]> {
  let sent: string[] = [];
  const noted: Platform = (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return place.sandbox.handle(request);
  };
  const asked = await aside(place, { client: place.clientOf(noted) }, async (call) => {
    const found: Argued[] = [];
    for (const { what, body } of argued) {
      sent = [];
      const answer = await answerTo(tool, body, call);
      found.push({ what, ...answer, sent });
    }
    return found;
  });
  if (platformToolOf(tool)?.policy.spend === undefined) return asked;
  const settings = { ...place.parts.settings, limits: nothing(tool) };
  return aside(place, { settings }, async (call) => {
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
  aside(place, {}, async (_, parts) => {
    const found: Varied[] = [];
    for (const { what, body } of bodies) {
      const it = await register(parts, place.caller.tenant, body);
      const faults = it.ok ? [] : it.faults;
      const says = faults.flatMap(({ rule, field }) => [rule, field]);
      found.push({ line: 'registered', what, status: it.ok ? 200 : 400, says });
    }
    return found;
  });

/** A list once more: in one page, and in pages of one row and of two. */
export const pagedAside = (place: Aside, tool: string, args: Values): Promise<Paged> =>
  aside(place, {}, async (call) => {
    const { cursor: _, ...first } = args;
    const page = async (limit: number, cursor?: string): Promise<Page> => {
      const { outcome, data } = await call(tool, { ...first, limit, ...(cursor === undefined ? {} : { cursor }) });
      return { outcome, ...(data as Omit<Page, 'outcome'>) }; // a list's, by its tool
    };
    const inPagesOf = async (size: number): Promise<Reading> => {
      const pages: Page[] = [];
      for (let more: string | undefined; pages.length * size < rowsInPages; ) {
        const next = await page(size, more);
        pages.push(next);
        more = next.more;
        if (more === undefined) break;
      }
      return { size, pages };
    };
    return { whole: await page(rowsAtOnce), readings: [await inPagesOf(1), await inPagesOf(2)] };
  });

/** Rows of a page that holds all of most lists. Own choice: no list has fewer on a page at most. */
const rowsAtOnce = 20;
/** Rows of a list that are read in short pages. Own choice: lists of stories are short. */
const rowsInPages = 12;

async function answerTo(tool: string, args: unknown, call: Call): Promise<Pick<Argued, 'verdict' | 'shows'>> {
  if (platformToolOf(tool) === undefined) {
    const verdict = await call(tool, args);
    return { verdict, shows: leavesOf(verdict.data) };
  }
  const answer = await call('preview_call', { tool, arguments: args });
  const { verdict = answer, approval, request: { body, ...request } = {}, ...rest } = (answer.data ?? {}) as Previewed;
  return { verdict, shows: [...(approval?.split('\n') ?? []), ...[rest, request, body].flatMap((it) => leavesOf(it))] };
}

/** The data of a preview, as its tool declares them. */
interface Previewed {
  readonly verdict?: Answer;
  readonly approval?: string;
  readonly request?: { readonly body?: unknown };
}

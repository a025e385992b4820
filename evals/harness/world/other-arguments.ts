import type { Answer } from '../../../src/engine/answer.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { Argued, Page, Paged } from '../replay/run.ts';
import type { Variation } from '../replay/variations.ts';
import { platformToolOf } from '../scenario/catalogue.ts';
import type { Values } from '../scenario/schema.ts';
import type { RewindableLedger } from './ledger.ts';

// What Purser would have said to calls that the agent doesn't make.

type Call = (tool: string, args: unknown) => Promise<Answer>;

/** Another Purser on a ledger and a platform of which it leaves everything as it was. */
export interface Aside {
  readonly parts: EngineParts;
  readonly caller: Caller;
  readonly rewindable: RewindableLedger;
  readonly sandbox: Sandbox;
}

/** What comes of a call with each of these arguments: it is previewed, or made where it only reads the ledger. */
export const askedAside = (place: Aside, tool: string, argued: readonly Variation[]): Promise<readonly Argued[]> =>
  aside(place, async (call) => {
    const found: Argued[] = [];
    for (const { what, body } of argued) found.push({ what, ...(await answerTo(tool, body, call)) });
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

async function answerTo(tool: string, args: unknown, call: Call): Promise<Omit<Argued, 'what'>> {
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

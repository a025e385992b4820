import type { z } from 'zod';
import type { Platform } from '../../../src/client/platform.ts';
import { fileSpecOf } from '../../../src/core/file-answer.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { contract, domains } from '../../../src/domains/index.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import type { Answered, Argued } from '../replay/run.ts';
import { anotherThan, type Others, type Variation, variationsWith } from '../replay/variations.ts';
import { platformToolOf } from '../scenario/catalogue.ts';
import type { Values } from '../scenario/schema.ts';
import { type Aside, eachAside, leavesOf } from './aside.ts';
import { operationAt } from './operation-at.ts';

// What Purser would have made of answers that the platform doesn't give.

/** What came back to a request. */
interface Received {
  /** Which of the call's requests it was. */
  readonly index: number;
  readonly line: string;
  readonly status: number;
  readonly body: unknown;
  readonly operation: Operation;
}

/**
 * What comes of a call where the platform answers one of its requests with a field missing or another one: first the call as it is,
 * for each request that is answered with JSON.
 */
export async function answeredAside(place: Aside, tool: string, args: Values): Promise<readonly Answered[]> {
  if (!canBeAnsweredOtherwise(tool)) return [];
  return eachAside(place, async (run) => {
    const made = (alter: (received: Received) => Variation | undefined): Promise<Ended> => {
      let index = -1;
      const platform: Platform = async (request) => {
        index += 1;
        const answer = await place.sandbox.handle(request.clone());
        const received = await receivedIn(request, answer.clone(), index);
        const instead = received && alter(received);
        return instead === undefined ? answer : Response.json(instead.body, { status: answer.status });
      };
      return run({ client: place.clientOf(platform) }, async (call) => endOf(await call(tool, args)));
    };
    const received: Received[] = [];
    const asItIs = await made((it) => void received.push(it));
    const answered: Answered[] = [];
    for (const it of received) {
      const others: Argued[] = [{ what: 'as it is', ...asItIs }];
      for (const instead of insteadOf(it))
        others.push({ what: instead.what, ...(await made(({ index }) => (index === it.index ? instead : undefined))) });
      answered.push({ line: it.line, others });
    }
    return answered;
  });
}

/** Whether a tool sends over HTTP and stores no file of what comes back. */
function canBeAnsweredOtherwise(name: string): boolean {
  const tool = platformToolOf(name);
  if (tool === undefined) return false;
  const { transport, output }: Operation = contract[tool.operation];
  return transport === 'http' && !Object.values(output).some((it: z.ZodType) => fileSpecOf(it) !== undefined);
}

async function receivedIn({ method, url }: Request, answer: Response, index: number): Promise<Received | undefined> {
  const { pathname } = new URL(url);
  const operation = operationAt(method, pathname);
  const text = await answer.text();
  if (operation === undefined || !/^[{[]/.test(text)) return undefined;
  return { index, line: `${method} ${pathname}`, status: answer.status, body: JSON.parse(text), operation };
}

/**
 * Every answer that is tried in the place of one. Of its body, only what the contract documents is varied, without its links, and of what
 * has not its shape, which all ends alike, one is tried.
 */
function insteadOf({ status, body, operation }: Received): readonly Variation[] {
  const schema = operation.output[status];
  const known = schema?.safeParse(body).data ?? body;
  const varied = variationsWith(known, wrongValues(operation)).filter(({ what }) => !/\b_links\b/.test(what));
  const [shaped = [], others = []] = [true, false].map((isShaped) =>
    varied.filter((it) => (schema?.safeParse(it.body).success ?? true) === isShaped),
  );
  return [...shaped, ...others.slice(0, 1)];
}

/** Another value, but for free text, which is shown as it is, and of what is in a state, the other states of its machine. */
const wrongValues =
  (operation: Operation): Others =>
  (value) => {
    const isText = typeof value === 'string' && /[a-z]/.test(value) && !/^\d{4}-/.test(value);
    const states = new Set(machinesOf(operation).find((all) => all.includes(String(value))));
    const others = [...states].filter((it) => it !== value && /^[A-Z]/.test(it));
    const isDecimal = typeof value === 'string' && /^\d+\.\d+$/.test(value);
    return [
      ...(isText ? [] : anotherThan(value)),
      ...(isDecimal ? [['finer', `${value}5`] as const] : []),
      ...others.map((it) => [it, it] as const),
    ];
  };

/** The states of each machine of an operation's domain, those of its own first. */
const machinesOf = (operation: Operation): readonly (readonly string[])[] => [
  operation.moves?.machine.states ?? [],
  ...Object.values(domains)
    .filter((it) => Object.values<Operation>(it.contract).includes(operation))
    .flatMap(({ machines }) => Object.values<{ readonly states: readonly string[] }>(machines))
    .map(({ states }) => states),
];

type Ended = Omit<Argued, 'what'>;

/** How a call ends, and what it shows. Where it is not done, it has nothing to show. */
const endOf = (answer: Answer): Ended => ({
  ...{ verdict: answer, sent: [] },
  shows: answer.outcome === 'done' ? leavesOf({ ...(answer.data as object), next: answer.next.join(' ') }) : [],
});

import { z } from 'zod';
import { twofold } from '../../../src/core/rules.ts';
import type { Value } from '../scenario/schema.ts';
import { sessionIn } from './folder.ts';

// HTTP sessions with the sandbox: what a merchant's program requests, and what is set through the control API.

/** Where sessions and their goldens are. */
export const sessionFolder = 'evals/sandbox';

/** A request: its method and path, with its body where it has one. */
const call = /^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD) \/\S*$/;

const options = {
  /** What the answer is called afterwards. */
  as: z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  /** What its body has instead, by path: an earlier body that is named with `&` comes again with `*`. */
  but: z.record(z.string(), z.json()),
  /** What its body has not, by path. */
  without: z.array(z.string()),
  /** Whether nobody signs it. */
  unsigned: z.boolean(),
  headers: z.record(z.string(), z.string()),
  /** Whether it is also sent with each field and each parameter missing or wrong. Nothing of that stays. */
  vary: z.boolean(),
};

const requestStep = z.string().regex(call, 'must be a method and a path');
const stepSchema = z.union([
  requestStep,
  z.strictObject({ advance: z.string() }),
  z.strictObject({ endpoints: z.int().nullable() }),
  z.strictObject({ reader: z.string(), body: z.json().optional(), as: options.as.optional() }),
  z
    .looseObject(z.object(options).partial().shape)
    .refine((it) => callsIn(it).length === 1, 'must have one request, such as "GET /rbs/v1/plans"')
    .refine((it) => Object.keys(it).every((name) => call.test(name) || Object.hasOwn(options, name)), {
      error: `must have nothing but a request and ${Object.keys(options).join(', ')}`,
    }),
]);

const sessionSchema = z.strictObject({
  about: z.string(),
  /** How the sandbox is opened. */
  sandbox: z
    .strictObject({
      rateLimit: z.strictObject({ requests: z.int(), seconds: z.int() }),
      published: z.array(z.enum(twofold)),
      noticeDays: z.int(),
    })
    .partial()
    .default({}),
  steps: z.array(stepSchema),
});

/** A session as its file has it. */
export interface Session extends z.output<typeof sessionSchema> {
  readonly name: string;
}

export type SessionStep = Session['steps'][number];

/** A request of a session. */
export interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Value | undefined;
  readonly as: string | undefined;
  readonly unsigned: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly vary: boolean;
}

const callsIn = (step: object): readonly string[] => Object.keys(step).filter((name) => call.test(name));

/** The request of a step; undefined if it does something else. */
export function requestIn(step: SessionStep): SessionRequest | undefined {
  const given: Readonly<Record<string, unknown>> = typeof step === 'string' ? { [step]: null } : step;
  const [name] = callsIn(given);
  if (name === undefined) return undefined;
  const [method = '', path = ''] = name.split(' ');
  const {
    as,
    but = {},
    without = [],
    unsigned = false,
    headers = {},
    vary = false,
  } = z.object(options).partial().parse(given);
  const whole = given[name] as Value | null; // YAML has values only
  const body = whole === null ? undefined : changed(whole, but, without);
  return { method, path, body, as, unsigned, headers, vary };
}

/** A body with other values at some paths. */
export function changed(body: Value, but: Readonly<Record<string, Value>>, without: readonly string[]): Value {
  const all: readonly (readonly [path: string, value: Value | undefined])[] = [
    ...Object.entries(but),
    ...without.map((path) => [path, undefined] as const),
  ];
  return all.reduce((whole, [path, value]) => replaced(whole, path.split('.'), value) ?? null, body);
}

function replaced(
  at: Value | undefined,
  [step, ...rest]: readonly string[],
  value: Value | undefined,
): Value | undefined {
  if (step === undefined) return value;
  if (Array.isArray(at))
    return at.flatMap((item, index) => {
      const next = String(index) === step ? replaced(item, rest, value) : item;
      return next === undefined ? [] : [next];
    });
  const { [step]: member, ...others } = (at ?? {}) as Readonly<Record<string, Value>>; // a path leads through objects and lists
  const next = replaced(member, rest, value);
  return next === undefined ? others : { ...(at as object), [step]: next };
}

export const loadSession = (name: string): Session => sessionIn(sessionSchema, sessionFolder, name);

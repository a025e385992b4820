import { z } from 'zod';
import { type Client, createClientOf } from '../../src/client/client.ts';
import type { Platform } from '../../src/client/platform.ts';
import type { Signer } from '../../src/client/signing.ts';
import { errorFormat } from '../../src/core/error-format.ts';
import { amount, currency, entered, model, platform, secret, server, text } from '../../src/core/fields.ts';
import { file } from '../../src/core/file-answer.ts';
import { type Operation, operation } from '../../src/core/operation.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { contract } from '../../src/domains/index.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { handleShown } from '../../src/engine/shown.ts';
import { type PlatformTool, type ToolSpec, toolOf } from '../../src/engine/tool.ts';
import { signer as testSigner } from '../client/support.ts';

// A domain that no platform has, to prove what no built domain needs yet: a call that answers with a file, one that only a page
// may make and that carries secrets, and calls of a card reader.

const error = errorFormat({
  schema: z.looseObject({ reason: z.string(), message: z.string(), field: z.string().optional() }),
  paths: { reason: ['reason'], field: ['field'], message: ['message'] },
  reasons: ['INVALID_DATA', 'INVALID_STATE'],
  toBody: ({ reason, message, field }) => ({ reason, message, ...(field === undefined ? {} : { field }) }),
});

const common = { title: 'Made up', about: 'Made up for tests.', shape: 'EN-09', error } as const;

export const loyalty = {
  awardPoints: operation({
    ...common,
    call: 'POST /loyalty/v1/points',
    effect: 'write',
    recovery: 'park',
    body: () => z.looseObject({ points: model(text), note: model(text).optional() }),
    output: () => ({ 200: z.looseObject({ id: platform(text) }) }),
  }),
  getStatement: operation({
    ...common,
    call: 'GET /loyalty/v1/statements',
    effect: 'read',
    recovery: 'repeat',
    query: () => z.looseObject({ month: model(text).optional() }),
    output: () => ({ 200: file(['text/csv', 'application/xml'], { element: 'Entry' }) }),
  }),
  confirmCode: operation({
    ...common,
    call: 'POST /loyalty/v1/codes',
    effect: 'write',
    recovery: 'park',
    callers: ['customer', 'app'],
    body: () =>
      z.looseObject({
        account: entered(text),
        code: secret(entered(z.string().regex(/^\d{6,12}$/)), { stored: false }),
        proof: z.looseObject({ blob: secret(entered(text)).optional() }).optional(),
      }),
    output: () => ({ 200: z.looseObject({ id: platform(text), echo: platform(text).optional() }) }),
  }),
  startChallenge: operation({
    ...common,
    call: 'POST /loyalty/v1/challenges',
    effect: 'write',
    recovery: 'park',
    body: () => z.looseObject({ account: model(text) }),
    output: () => ({ 200: z.looseObject({ id: platform(text), masked: platform(text) }) }),
  }),
  answerChallenge: operation({
    ...common,
    call: 'POST /loyalty/v1/challenges/{id}/answers',
    effect: 'write',
    recovery: 'park',
    callers: ['customer', 'app'],
    path: { id: 'receipt.id' },
    body: () => z.looseObject({ code: secret(entered(z.string().regex(/^\d{6}$/)), { stored: false }) }),
    output: () => ({ 200: z.looseObject({ id: platform(text) }) }),
  }),
  registerKey: operation({
    ...common,
    call: 'POST /loyalty/v1/keys',
    effect: 'write',
    recovery: 'repeat',
    callers: ['app'],
    body: () => z.looseObject({ account: entered(text), key: secret(entered(text)) }),
    output: () => ({ 200: z.looseObject({ id: platform(text), echo: platform(text).optional() }) }),
  }),
  chargeCard: operation({
    ...common,
    call: 'SDK startChargeTransaction',
    effect: 'money',
    recovery: 'readBack',
    body: () =>
      z.looseObject({
        amount: model(amount),
        currency: model(currency),
        customIdentifier: server(text, 'reference'),
      }),
    output: () => ({ success: z.looseObject({ id: platform(text), status: platform(text) }) }),
  }),
  findCharge: operation({
    ...common,
    call: 'SDK lookupTransaction',
    effect: 'read',
    recovery: 'repeat',
    body: () => z.looseObject({ customIdentifier: model(text) }),
    output: () => ({ success: z.looseObject({ id: platform(text), status: platform(text) }) }),
  }),
} as const satisfies { readonly [name: string]: Operation };

/** Codes that may be tried for one account. */
export const codeAttempts = 3;

type Name = keyof typeof loyalty;

/** A tool of the made-up domain. The types of the real contract know nothing of it. */
const made = (name: Name, spec: unknown): PlatformTool => toolOf(name, loyalty[name], spec as ToolSpec<'enrollCard'>);

const argument = (path: string, schema: z.ZodType = z.string().max(200)) => ({
  schema,
  fills: [{ path, value: (given: unknown) => given }],
});

type Given = Pick<Facts, 'args'>;

const idShown = z.looseObject({ id: z.string() });
const toId = (_: unknown, __: unknown, { body }: { readonly body: { readonly id: string } }) => ({ id: body.id });
/** Shows what the platform answers, an echo of what it was sent among it. */
const toEcho = (
  _: unknown,
  __: unknown,
  { body }: { readonly body: { readonly id: string; readonly echo?: string } },
) => ({ id: body.id, ...(body.echo === undefined ? {} : { echo: body.echo }) });
const reference = { schema: z.string().max(64), fills: [] };
const referenceOf = ({ args }: { readonly args: Readonly<Record<string, unknown>> }) => String(args.reference);

export const loyaltyTools: readonly PlatformTool[] = [
  made('awardPoints', {
    description: 'Award points.',
    input: { args: () => ({ points: argument('points'), note: argument('note', z.string().optional()) }) },
    observe: { observations: () => [] },
    present: { messages: { done: 'Points were awarded.' }, outputSchema: () => idShown, toOutput: toId },
  }),
  made('getStatement', {
    description: 'Download the statement.',
    input: { args: () => ({ month: argument('?month', z.string().optional()) }) },
    observe: { observations: () => [] },
    present: {
      messages: { done: 'The statement is stored.' },
      outputSchema: () => z.looseObject({}),
      toOutput: () => ({}),
    },
  }),
  made('confirmCode', {
    description: 'Confirm a one-time code.',
    input: {
      args: () => ({
        reference,
        account: argument('account'),
        code: argument('code'),
        blob: argument('proof.blob', z.string().optional()),
      }),
      reference: referenceOf,
    },
    policy: {
      lockKey: ({ args }: { readonly args: Readonly<Record<string, unknown>> }) => `codes of ${args.account}`,
      attempts: [
        {
          of: ({ args }: { readonly args: Readonly<Record<string, unknown>> }) => String(args.account),
          most: () => codeAttempts,
          rule: 'EN-12',
          because: 'All codes of this account are used up.',
          instead: [],
        },
      ],
    },
    observe: { observations: () => [] },
    present: { messages: { done: 'The code was right.' }, outputSchema: () => idShown, toOutput: toEcho },
  }),
  made('startChallenge', {
    description: 'Send the customer a code.',
    input: { args: () => ({ reference, account: argument('account') }), reference: referenceOf },
    observe: {
      observations: (
        { args }: Given,
        { body }: { readonly body: { readonly id: string; readonly masked: string } },
        { mint }: { readonly mint: (kind: string) => string },
      ) => [{ kind: 'receipt', handle: mint('receipt'), state: 'OPEN', body: { ...body, account: args.account } }],
    },
    present: {
      messages: { done: 'The customer gets a code.' },
      outputSchema: () => z.looseObject({ challenge: handleShown }),
      toOutput: (things: Facts['things']) => ({ challenge: things.receipt?.handle }),
    },
    waits: {
      tool: 'answer_challenge',
      argument: 'challenge',
      thing: 'challenge',
      states: ['OPEN'],
      says: 'The customer enters the code.',
    },
  }),
  made('answerChallenge', {
    description: 'Enter the code that the customer got.',
    input: {
      args: () => ({
        challenge: { schema: z.string().max(64), fills: [], kind: 'receipt' },
        code: argument('code'),
      }),
    },
    policy: {
      lockKey: ({ things }: Facts) => things.receipt?.handle ?? '',
      attempts: [
        {
          of: ({ things }: Facts) => things.receipt?.handle ?? '',
          most: () => codeAttempts,
          rule: 'EN-12',
          because: 'All codes of this challenge are used up.',
          instead: ['start_challenge'],
        },
      ],
    },
    observe: { observations: () => [{ kind: 'receipt', state: 'ANSWERED', body: {} }] },
    present: { messages: { done: 'The code was right.' }, outputSchema: () => idShown, toOutput: toId },
    page: {
      title: 'Enter your code',
      text: ({ things }: Facts) => [`We sent a code of six digits to ${things.receipt?.body.masked}.`],
      fields: [
        {
          ...{ argument: 'code', label: 'Code', hint: 'Six digits', type: 'text', inputMode: 'numeric' },
          ...{ autocomplete: 'one-time-code', maxLength: 6 },
        },
      ],
      submit: 'Confirm',
      messages: { done: 'Thank you. Your code was right.', declined: 'This code is wrong.' },
    },
  }),
  made('registerKey', {
    description: 'Register a key.',
    input: { args: () => ({ reference, account: argument('account'), key: argument('key') }), reference: referenceOf },
    observe: { observations: () => [] },
    present: { messages: { done: 'The key is registered.' }, outputSchema: () => idShown, toOutput: toEcho },
  }),
  made('chargeCard', {
    description: 'Charge a card at the reader.',
    input: {
      args: () => ({ reference, amount: argument('amount'), currency: argument('currency') }),
      reference: referenceOf,
    },
    policy: {
      lockKey: () => 'reader',
      approval: { needed: () => false, title: () => 'Charge a card', reads: () => [] },
    },
    observe: { observations: () => [] },
    present: { messages: { done: 'The card was charged.' }, outputSchema: () => idShown, toOutput: toId },
    reconcile: {
      readBack: {
        asks: 'findCharge',
        definition: loyalty.findCharge,
        with: ({ reference: customIdentifier }: { readonly reference: string }) => ({
          names: {},
          body: { customIdentifier },
        }),
        finds: (answer: unknown) => (answer === undefined ? 'nothing' : { happened: answer }),
      },
    },
  }),
];

/** The engine of a world, with the made-up domain beside the real ones. */
export function withLoyalty(
  parts: EngineParts,
  more: Partial<EngineParts> & {
    readonly served?: Platform;
    readonly baseUrl?: string;
    readonly signer?: Signer;
  } = {},
): Engine {
  const {
    served = () => Promise.reject(new Error('Nothing is served.')),
    baseUrl = 'https://made-up.test',
    signer = testSigner,
    ...changed
  } = more;
  const made = createClientOf(
    { ...contract, ...loyalty },
    {
      platform: served,
      baseUrl,
      signer,
      agentPrefix: '/acp/v1',
      clock: parts.ports.clock,
      version: '0.0.0',
    },
  );
  const { confirmCode, startChallenge, answerChallenge, registerKey, getStatement, awardPoints, describe } = made;
  const tools = [...parts.tools, ...loyaltyTools];
  return createEngine({
    ...parts,
    tools,
    offered: tools,
    client: {
      ...parts.client,
      confirmCode,
      startChallenge,
      answerChallenge,
      registerKey,
      getStatement,
      awardPoints,
      describe,
    } as unknown as Client, // the real operations, and others
    ...changed,
  });
}

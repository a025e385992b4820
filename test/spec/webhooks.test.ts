import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyCell, type Facts, no, valuations } from '../../evals/spec/machine-grid.ts';
import type { Operation } from '../../src/core/operation.ts';
import { webhooks } from '../../src/domains/webhooks/contract.ts';
import { webhooksError } from '../../src/domains/webhooks/errors.ts';
import { eventTypesOf, productsWith, webhookProducts } from '../../src/domains/webhooks/events.ts';
import { management } from '../../src/domains/webhooks/management.ts';
import { delivery, webhook } from '../../src/domains/webhooks/sandbox/machines.ts';
import { apart, bodiesOf, sameAs200 } from './compare.ts';
import { fields, section, table } from './document.ts';
import { parts, printed } from './shape.ts';

const document = 'document-1.md';
const page = 'webhook-fields.md';
const lookup = webhooks.listWebhookSubscriptions;

describe('the lookup of document 1', () => {
  const [[title = '', method = '', address = ''] = []] = table(
    document,
    'Endpoints of the webhook subscription lookup',
  );
  const [path, query = ''] = address.split('?');
  const named = [...query.matchAll(/(\[&)?(\w+)=/g)].map(([, optional, name]) => [name, optional === undefined]);

  it('has the name, method and path of the document, and is the one operation of an agent', () => {
    expect([lookup.title, lookup.method, lookup.template]).toEqual([title, method, path]);
    expect(Object.keys(webhooks)).toEqual(['listWebhookSubscriptions']);
    expect([lookup.effect, lookup.callers]).toEqual(['read', ['agent']]);
  });

  it('takes its three parameters, of which the organization is required (WH-01, D-10)', () => {
    expect(parts(lookup.query ?? z.never()).map(({ path: name, required }) => [name, required])).toEqual(named);
    expect(section(document, 'Endpoints of the webhook subscription lookup')).toContain(
      '`organizationId` is required.',
    );
    const listed = section(document, 'Webhook subscription lookup').matchAll(/`(\w+)` \(/g);
    expect([...listed].map(([, name]) => name)).toEqual(named.map(([name]) => name));
  });

  it('answers any 200-level status with a bare list', () => {
    expect(Object.keys(lookup.output)).toEqual(['200', '201', '202', '203']);
    expect(lookup.output[200].safeParse([{ webhookId: 'one', more: true }]).success).toBe(true);
    expect(lookup.output[200].safeParse({ webhooks: [] }).success).toBe(false);
  });
});

describe('products and event types', () => {
  it('hold the pair that the document gives', () => {
    const [, product = '', event = ''] =
      /product `(\w+)`, event type `([\w.]+)`/.exec(section(document, 'Events of webhook subscriptions')) ?? [];
    expect(eventTypesOf(product)).toContain(event);
    expect(productsWith(event)).toEqual([product]);
  });

  it('are written as the platform takes them, each once within its product', () => {
    for (const [product, { eventTypes }] of Object.entries(webhookProducts)) {
      expect(new Set(eventTypes).size).toBe(eventTypes.length);
      for (const eventType of eventTypes)
        expect(lookup.query?.safeParse({ organizationId: 'one', productId: product, eventType }).success).toBe(true);
    }
    expect(eventTypesOf('toString')).toBeUndefined();
    expect(productsWith('none.of.it')).toEqual([]);
  });
});

describe('the public field lists', () => {
  const operations: readonly (readonly [string, Operation])[] = Object.entries({ ...webhooks, ...management });
  const schemas = bodiesOf(operations, {
    'updateWebhookSubscription 200': 'getWebhookSubscription 200',
    ...sameAs200('listWebhookSubscriptions'),
  })
    .map(
      ([heading, schema]) => [heading, schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema] as const,
    )
    .filter(([, schema]) => !(schema instanceof z.ZodUndefined));

  it('are as many as the bodies', () => {
    expect(schemas.map(([heading]) => heading).toSorted()).toEqual(
      [
        ...Array.from({ length: 4 }, () => 'listWebhookSubscriptions 200'),
        ...['listWebhookProducts 200', 'createWebhookSubscription request'],
        ...['createWebhookSubscription 201', 'getWebhookSubscription 200', 'getWebhookSubscription 200'],
        ...['updateWebhookSubscription request', 'updateWebhookStatus request', 'testWebhookSubscription 201'],
        ...['createWebhookKey request', 'createWebhookKey 201'],
      ].toSorted(),
    );
  });

  it.each(schemas)('%s: has every member, and no other', (heading, schema) => {
    const { leftOut, added, looser } = apart(printed(schema), fields(page, heading));
    expect({ leftOut, added, looser }).toEqual({ leftOut: [], added: [], looser: [] });
  });
});

describe('the error body', () => {
  const report = { message: 'No.', details: [], at: '2026-01-15T09:00:00Z' };

  it.each([
    [400, 'MISSING_FIELD', 'INVALID_REQUEST', 'INVALID_DATA'],
    [400, 'INVALID_DATA', 'INVALID_REQUEST', 'INVALID_DATA'],
    [400, 'INVALID_STATE', 'INVALID_REQUEST', 'INVALID_DATA'],
    [404, 'NOT_FOUND', 'NOT_FOUND', 'RESOURCE_NOT_FOUND'],
    [502, 'SYSTEM_ERROR', 'SERVER_ERROR', 'SYSTEM_ERROR'],
  ])('of a %i %s says %s, %s', (status, reason, word, own) => {
    const body = webhooksError.toBody({ ...report, status, reason });
    expect(body).toEqual({ submitTimeUtc: report.at, status: word, reason: own, message: 'No.' });
    expect(webhooksError.schema.safeParse(body).success).toBe(true);
    expect(webhooksError.reasons).toContain(own);
  });
});

// What the sandbox's two tables do, by hand (D-71). What is not written here is refused.
describe.each([
  {
    machine: webhook,
    facts: valuations({ suspended: [false, true] }),
    grid: {
      none: { create: 'INACTIVE' },
      INACTIVE: { activate: 'ACTIVE', deactivate: 'INACTIVE', resume: { suspended: [no, 'ACTIVE'] } },
      ACTIVE: { activate: 'ACTIVE', deactivate: 'INACTIVE', suspend: 'INACTIVE' },
    },
  },
  {
    machine: delivery,
    facts: valuations({ held: [false, true], retries: [false, true], suspends: [false, true] }),
    grid: {
      none: { create: { held: ['PENDING', 'SUSPENDED'] } },
      PENDING: {
        accept: 'DELIVERED',
        refuse: { retries: [{ suspends: ['FAILED', 'SUSPENDED'] }, 'PENDING'] },
        hold: 'SUSPENDED',
        drop: 'DROPPED',
      },
      SUSPENDED: { resume: 'PENDING', drop: 'DROPPED' },
      ...{ DELIVERED: {}, FAILED: {}, DROPPED: {} },
    },
  },
])('the table of a $machine.name', ({ machine, facts, grid }) => {
  it('does in every cell what is written here', () => {
    const { actual, expected } = everyCell(machine as never, grid as never, facts as readonly Facts[]);
    expect(actual).toEqual(expected);
    expect(machine.states.toSorted()).toEqual(Object.keys(grid).toSorted());
  });

  it('is documented nowhere, and pulled by no agent', () => {
    expect([machine.rows, Object.keys(machine.actors).toSorted()]).toEqual([[], machine.triggers.toSorted()]);
  });
});

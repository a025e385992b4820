import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import type { Operation } from '../../src/core/operation.ts';
import { invoicing } from '../../src/domains/invoicing/contract.ts';
import { invoicingError } from '../../src/domains/invoicing/errors.ts';
import { labelKeys } from '../../src/domains/invoicing/shapes.ts';
import { apart, bare, bodiesOf } from './compare.ts';
import { fields, section, table } from './document.ts';
import { parts, printed } from './shape.ts';

const document = 'document-2-invoicing.md';
const page = 'invoicing-fields.md';
const operations: readonly (readonly [string, Operation])[] = Object.entries(invoicing);

describe('the endpoints of document 2', () => {
  const calls = operations.map(([, { call }]) => call);
  const rows = table(document, 'Endpoints of invoicing').map(([name = '', method = '', path = '']) => [
    name,
    method,
    ...path.split('?'),
  ]);

  it.each(rows)('%s: %s %s', (_, method, path) => {
    expect(calls).toContain(`${method} ${path}`);
  });

  it('are all there is besides what public models of the platform’s clients add', () => {
    const shown = rows.map(([, method, path]) => `${method} ${path}`);
    expect(calls.filter((call) => !shown.includes(call))).toEqual([
      'GET /invoicing/v2/invoices',
      'GET /invoicing/v2/invoices/{id}',
      'POST /invoicing/v2/invoices/{id}/publication',
      'GET /invoicing/v2/invoiceSettings',
    ]);
  });

  it('name the product of the settings in the query, as it is printed', () => {
    const [, , , query] = rows.find(([name]) => name === 'Update invoice settings') ?? [];
    const read = invoicing.updateInvoiceSettings.query?.safeParse(Object.fromEntries(new URLSearchParams(query)));
    expect(read).toMatchObject({ success: true, data: { productType: 'INVOICING' } });
    expect(invoicing.updateInvoiceSettings.query?.safeParse({ productType: 'OTHER' }).success).toBe(false);
  });
});

/** `a.b.c / d, e` and `a.b.c, d` of a table are several fields that stand in one object. */
function fieldsOf(cell: string): readonly string[] {
  const [first = '', ...others] = cell.split(/ \/ |, /);
  return [first, ...others.map((name) => (name.includes('.') ? name : `${first.replace(/[^.]+$/, '')}${name}`))];
}

// The document's own spelling of one member, and ours.
const glossary: Readonly<Record<string, readonly [ours: string, why: string]>> = {
  'merchantDefinedFieldValues.definition.id[].value': [
    'merchantDefinedFieldValues[].value',
    'public models have a list of values with the id of their definition; the document folds both into one path',
  ],
};

describe('the fields of an invoice', () => {
  const ours = new Set(
    [invoicing.createInvoice.body, invoicing.getInvoice.output[200]].flatMap((schema) =>
      parts(schema as z.ZodType).map(({ path }) => path.replace(/\[\]$/, '')),
    ),
  );
  const rows = table(document, 'Invoice fields').flatMap(([cell = '']) => fieldsOf(cell));

  it.each(rows)('%s is carried', (field) => {
    expect(ours).toContain((glossary[field]?.[0] ?? field).replace(/\[\]$/, ''));
  });

  it('are spelt in the glossary only where the document has them', () => {
    expect(Object.keys(glossary).filter((field) => !rows.includes(field))).toEqual([]);
  });

  it('are answered with what the document adds', () => {
    const added = [...section(document, 'Invoice answers').matchAll(/`((?:\w+\.)*\w+(?:\[\])?)`/g)].map(
      ([, name = '']) => name.replace(/\[\]$/, ''),
    );
    const answered = new Set(parts(invoicing.createInvoice.output[201]).map(({ path }) => path.replace(/\[\]$/, '')));
    const inside = ['key', 'value'];
    expect(added.filter((name) => !inside.includes(name) && !answered.has(name))).toEqual([]);
    expect(added).toContain('invoiceInformation.paymentLink');
  });

  it('are in a settings request as the document lists them', () => {
    const settings = new Set(
      parts(invoicing.updateInvoiceSettings.body as z.ZodType).map(({ path }) => path.replace(/\[\]$/, '')),
    );
    const printedFields = table(document, 'Invoice settings').map(([field = '']) => field);
    expect(printedFields).toHaveLength(15);
    expect(printedFields.filter((field) => !settings.has(field))).toEqual([]);
  });
});

// The least that each type of invoice needs, and nothing else.
const draft = {
  invoiceInformation: { deliveryMode: 'none', description: 'Repair', dueDate: '2026-03-01', sendImmediately: false },
  orderInformation: { amountDetails: { currency: 'USD', totalAmount: '40.00' } },
};
const customer = { customerInformation: { name: 'Ada Example', email: 'ada@example.com' } };
const line = { productName: 'Cable', productSku: 'C-1', quantity: 2, unitPrice: '20.00', totalAmount: '40.00' };
const { description: _, ...untold } = draft.invoiceInformation;
const types: Readonly<Record<string, object>> = {
  'In-person draft': draft,
  'Email draft': { ...draft, ...customer, invoiceInformation: { ...untold, deliveryMode: 'email' } },
  'Itemized draft': {
    ...customer,
    invoiceInformation: untold,
    orderInformation: { ...draft.orderInformation, lineItems: [line] },
  },
};

/** `{ a: { b: value } }` for `a.b`. */
const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object; // a path has a name

describe('the numbers of the document', () => {
  const numbers = table(document, 'Invoice fields').flatMap(([cell = '', type]) =>
    type === 'number' ? fieldsOf(cell) : [],
  );

  it('are four', () => {
    expect(numbers).toHaveLength(4);
  });

  it.each(numbers)('%s is taken as a number and as text, and is text then', (name) => {
    const inAmounts = name.replace('orderInformation.amountDetails.', '');
    const read = (value: unknown) => {
      const amountDetails = { ...draft.orderInformation.amountDetails, ...nested(inAmounts, value) };
      const found = invoicing.createInvoice.body?.safeParse({ ...draft, orderInformation: { amountDetails } });
      return found?.success === true ? found.data.orderInformation.amountDetails : undefined;
    };
    for (const value of [12.5, '12.5']) expect(read(value)).toMatchObject(nested(inAmounts, '12.5'));
    for (const value of [-1, 1e21, 0.00001, true, null]) expect(read(value)).toBeUndefined();
  });
});

/** What the table requires of a type: dotted names, in the words of the document. */
const required: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  table(document, 'Required fields by creation type').map(([type = '', cell = '']) => [
    type,
    cell
      .split(', ')
      .map((name) => name.replace(/=.*$| \(.*$/, ''))
      .filter((name) => /^[\w.[\]]+$/.test(name)),
  ]),
);

/** A body without the field of a name, wherever it stands. */
function without(body: unknown, name: string): unknown {
  if (Array.isArray(body)) return body.map((item) => without(item, name));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => key !== name)
      .map(([key, value]) => [key, without(value, name)]),
  );
}

describe('the required fields by creation type', () => {
  const create = invoicing.createInvoice.body as z.ZodType;
  const missing = (body: unknown) =>
    create.safeParse(body).error?.issues.map(({ path }) => path.filter((step) => typeof step === 'string').join('.'));

  it.each(Object.entries(types))('%s is complete with the least it needs', (_, body) => {
    expect(missing(body)).toBeUndefined();
  });

  const cells = [
    ...['In-person draft', 'Email draft'].flatMap((type) =>
      (required[type] ?? []).map((name) => [type, name] as const),
    ),
    ...(required['Email draft'] ?? []).map((name) => ['Itemized draft', name] as const),
    ...Object.keys(line).map((name) => ['Itemized draft', name] as const),
  ];
  // Two fields say which type it is: without either there is none that could be complete.
  it.each(cells)('%s is nothing without %s', (type, name) => {
    const leaf = name.split('.').at(-1) ?? name;
    const body = without(types[type], leaf);
    expect(missing(body)?.map((path) => path.split('.').at(-1))).toContain(leaf);
  });

  it('leave out the description where the table calls it optional', () => {
    expect(required['In-person draft']).toContain('description');
    expect(required['Email draft']).not.toContain('description');
    expect(
      missing({
        ...types['Email draft'],
        invoiceInformation: { ...untold, deliveryMode: 'email', sendImmediately: true },
      }),
    ).toEqual(['invoiceInformation.description']);
  });

  it('are the same for an update, but for what only a creation says', () => {
    const update = invoicing.updateInvoice.body as z.ZodType;
    const asked = required.Update ?? [];
    expect(asked).toEqual(['description', 'dueDate', 'currency', 'totalAmount', 'lineItems[].productSku']);
    for (const name of ['description', 'dueDate', 'currency', 'totalAmount'])
      expect(update.safeParse(without(draft, name)).success, name).toBe(false);
    expect(update.safeParse(without(types['Itemized draft'], 'productSku')).success).toBe(false);
    for (const body of Object.values(types)) expect(update.safeParse(body).success).toBe(true);
  });
});

it('has discounts and taxes on the total or on line items, never on both', () => {
  const body = invoicing.createInvoice.body as z.ZodType;
  const onTotal = [{ discountAmount: '1.00' }, { discountPercent: '5' }, { taxDetails: { amount: '1.00' } }];
  const onLines = [{ discountAmount: '1.00' }, { discountRate: '5' }, { taxAmount: '1.00' }, { taxRate: '5' }];
  const of = (total: object, item: object) => ({
    ...types['Itemized draft'],
    orderInformation: {
      amountDetails: { ...draft.orderInformation.amountDetails, ...total },
      lineItems: [{ ...line, ...item }],
    },
  });
  const taken = (it: object) => body.safeParse(it).success;
  expect([...onTotal.map((it) => taken(of(it, {}))), ...onLines.map((it) => taken(of({}, it)))]).not.toContain(false);
  expect(onTotal.flatMap((total) => onLines.map((item) => taken(of(total, item))))).not.toContain(true);
});

it('takes the numbers of the limits from the document', () => {
  const [, lines, megabytes] =
    /at most (\d+) line items; logo image at most (\d+) MB/.exec(section(document, 'Limits')) ?? [];
  expect([limits.invoiceLineElements, limits.logoBytes]).toEqual([Number(lines), Number(megabytes) * 2 ** 20]);
});

describe('the labels', () => {
  const row = table(document, 'Invoice settings').find(([field]) => field?.endsWith('customLabels[].key'));
  const words = (which: string) => new RegExp(`(?:^|; )${which}: ([^;]*)`).exec(row?.[2] ?? '')?.[1]?.split(', ') ?? [];
  const body = invoicing.updateInvoiceSettings.body as z.ZodType;
  const takes = (label: object) => body.safeParse({ invoiceSettingsInformation: { customLabels: [label] } }).success;

  it('that can be renamed are those of the document', () => {
    expect([...labelKeys]).toEqual(words('rename'));
  });

  it.each([
    ['hidden', 'hide'],
    ['hiddenForInvoice', 'hide by product'],
    ['hiddenForItem', 'hide by product'],
  ])('that have %s are those of "%s"', (member, which) => {
    expect(labelKeys.filter((key) => takes({ key, [member]: true })).toSorted()).toEqual(words(which).toSorted());
    expect(labelKeys.filter((key) => !takes({ key, [member]: false }))).toEqual([]);
  });
});

const bodies = bodiesOf(operations, { 'updateInvoiceSettings 200': 'getInvoiceSettings 200' });
const errors = operations.flatMap(([, { error }]) =>
  ['400', '404', '502'].map((code) => [code, error.schema] as const),
);

/** Members of requests and answers that the public lists do not have, with the document's word for each. */
const addedByDocument: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['', '.partner', '.partner.developerId', '.partner.solutionId'].map((member) => [
      `clientReferenceInformation${member}`,
      'document 2 sends every field of the original request again on update; the public list has it for create alone',
    ]),
  ),
  'invoiceInformation.invoiceNumber': 'document 2 lists it for create and update',
  'orderInformation.lineItems[].discountRate': 'document 2 calls the percentage of a line so',
};

describe('the public field lists', () => {
  it.each([...bodies, ...errors])('%s: every member is carried', (heading, schema) => {
    expect(apart(printed(schema), fields(page, heading)).leftOut).toEqual([]);
  });

  it('have every member of ours, but for what the document adds', () => {
    const added = bodies.flatMap(([heading, schema]) => apart(printed(schema), fields(page, heading)).added);
    expect([...new Set(added)].toSorted()).toEqual(Object.keys(addedByDocument).toSorted());
  });

  it('ask for nothing that we could leave out, but for a description where the document makes it optional', () => {
    const looser = bodies
      .filter(([heading]) => heading.endsWith('request'))
      .flatMap(([heading, schema]) =>
        apart(printed(schema), fields(page, heading)).looser.map((it) => `${heading}: ${it}`),
      );
    expect(looser).toEqual([
      'createInvoice request: invoiceInformation.description',
      'updateInvoice request: invoiceInformation.description',
    ]);
  });
});

it('answers with the published status codes, and errors in the published body', () => {
  const codes = operations.map(([name, it]) => [name, Object.keys(it.output).join(' ')]);
  expect(Object.fromEntries(codes)).toEqual({
    ...{ createInvoice: '201', listInvoices: '200', getInvoice: '200', updateInvoice: '200', sendInvoice: '200' },
    ...{ cancelInvoice: '200', publishInvoice: '200', getInvoiceSettings: '200', updateInvoiceSettings: '200' },
  });
  expect(printed(invoicingError.schema).map(bare)).toEqual([
    ...['submitTimeUtc', 'status', 'reason', 'message', 'details[]', 'details[].field', 'details[].reason'],
  ]);
});

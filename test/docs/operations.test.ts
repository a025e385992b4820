import { expect, it } from 'vitest';
import { read } from '../house/files.ts';
import { table } from '../spec/document.ts';

// Every call that the documents print is a row of docs/operations.md. Read from the documents' own tables of endpoints.

const endpoints: readonly (readonly [page: string, heading: string, calls: number])[] = [
  ['document-1.md', 'Endpoints of the agent purchase flow', 6],
  ['document-1.md', 'Endpoints of tokenized card authentication', 5],
  ['document-1.md', 'Endpoints of the webhook subscription lookup', 1],
  ['document-2.md', 'Endpoints of recurring billing', 14],
  ['document-2-invoicing.md', 'Endpoints of invoicing', 5],
  ['document-3-reporting.md', 'Endpoints of reporting', 16],
  ['document-3-keys.md', 'Key generation', 1],
];

it.each(endpoints)('docs/operations.md has every call of %s, %s: %d', (page, heading, calls) => {
  const operations = read('docs/operations.md');
  const printed = table(page, heading).flatMap(([, methods = '', path = '']) =>
    methods.split(' or ').map((method) => `${method} ${path.replace('{base_url}', '').split(/[? ]/)[0]}`),
  );
  expect(printed).toHaveLength(calls);
  expect(printed.filter((call) => !operations.includes(`\`${call}\``))).toEqual([]);
});

it("docs/operations.md has every call of the card reader's SDK; the app itself builds the SDK's instance", () => {
  const operations = read('docs/operations.md');
  const printed = table('document-3-device.md', 'SDK operations').map(
    ([signature = '']) => /^(\w+)\(/.exec(signature)?.[1] ?? signature,
  );
  const [built, ...calls] = [...new Set(printed)];
  expect([built, calls.length]).toEqual([expect.stringContaining('mposUiBuilder'), 10]);
  expect(calls.filter((call) => !operations.includes(`\`SDK ${call}\``))).toEqual([]);
});

// What the first document says in sentences: conversion, and the payments that carry it.
it.each(['POST /vas/v1/currencyconversion', 'POST /pts/v2/payments', 'POST /pts/v2/payments/{id}/captures'])(
  'docs/operations.md has %s',
  (call) => {
    expect(read('docs/operations.md')).toContain(`\`${call}\``);
  },
);

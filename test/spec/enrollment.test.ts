import { describe, expect, it } from 'vitest';
import { rules } from '../../src/core/rules.ts';
import { purchase } from '../../src/domains/purchase/contract.ts';
import { section, table } from './document.ts';
import { parts } from './shape.ts';

const page = 'document-1.md';
const operations = Object.values(purchase);

describe('the agent operations', () => {
  it('have the names, methods and paths of the document, and no others', () => {
    const ours = operations.map((it) => [it.title, it.method, it.template]);
    expect(ours).toEqual(table(page, 'Endpoints of the agent purchase flow'));
  });

  it('are called as they are printed', () => {
    expect(operations.map((it) => it.call)).toEqual(operations.map((it) => `${it.method} ${it.template}`));
  });

  it('are served under their later prefix too, and under nothing else', () => {
    expect(operations.map((it) => it.also)).toEqual(operations.map((it) => [it.call.replace('/acp/', '/icc/')]));
  });
});

describe('an enrollment request', () => {
  const body = purchase.enrollCard.body;
  if (body === undefined) throw new Error('enrollment has a body');
  const ours = parts(body).filter((part) => part.type !== 'object');
  const plain = (path: string) => path.replace(/\[\]$/, '');
  const required = table(page, 'Enrollment request: required fields').map(([field]) => field);
  const optional = (section(page, 'Enrollment request: optional fields').split('\n')[0] ?? '')
    .replace(/^Optional fields: |\.$/g, '')
    .split('; ')
    .map((field) => field.replace(/ \(.*\)$/, ''));

  it('requires the fields that the document requires, all 14 and no others', () => {
    expect(required).toHaveLength(14);
    const always = ours.filter((part) => part.always).map((part) => plain(part.path));
    expect(always.toSorted()).toEqual(required.toSorted());
  });

  it('knows the fields that the document calls optional, all 36 and no others', () => {
    expect(optional).toHaveLength(36);
    const left = ours.filter((part) => !part.always).map((part) => plain(part.path));
    expect(left.toSorted()).toEqual(optional.toSorted());
  });

  it('is text throughout, but for the one field that the document prints as boolean', () => {
    const others = ours.filter((part) => part.type !== 'string').map((part) => [part.path, part.type]);
    expect(others).toEqual([['billTo.numberIsVoiceOnly', 'boolean']]);
    expect(section(page, 'Enrollment request: optional fields')).toContain('billTo.numberIsVoiceOnly (boolean)');
  });

  it('holds an array only where the document prints one', () => {
    const texts = ours.filter((part) => part.path.endsWith('[]')).map((part) => part.path);
    expect(texts).toEqual(['assuranceData[].verificationEvents[]']);
    expect(section(page, 'Enrollment request: optional fields')).toContain('verificationEvents (array of strings)');
  });

  it('asks for nothing inside an optional object, which public models do: the document comes first', () => {
    expect(ours.filter((part) => part.required && !part.always)).toEqual([]);
  });

  it('says 14 in the rule that requires them', () => {
    expect(rules['AP-01'].says).toContain(`all ${required.length} required fields`);
  });
});

describe('an enrollment answer', () => {
  const [active, pending] = [purchase.enrollCard.output[200], purchase.enrollCard.output[202]];

  it('holds the fields of the document, pending events with PENDING only', () => {
    const fields = table(page, 'Enrollment response').map(([field]) => field);
    expect(parts(pending).map((part) => part.path.replace(/\[\]$/, ''))).toEqual(fields);
    expect(parts(active).map((part) => part.path)).toEqual(fields.filter((field) => field !== 'pendingEvents'));
  });

  it('reports the two states of the document, each with its own status code', () => {
    const status = (schema: typeof active | typeof pending) => parts(schema).find((it) => it.path === 'status')?.values;
    expect([status(active), status(pending)]).toEqual([['ACTIVE'], ['PENDING']]);
    expect(table(page, 'Enrollment response')[1]?.[2]).toBe('PENDING or ACTIVE');
  });

  it('is read as the document shapes it', () => {
    const clientCorrelationId = '3f2b6c1e-0d5a-4c7e-9b1a-2f4d6e8a0c13';
    const pendingEvents = ['PENDING_CARDHOLDER_AUTHENTICATION'];
    const answers = [
      active.safeParse({ clientCorrelationId, status: 'ACTIVE' }),
      pending.safeParse({ clientCorrelationId, status: 'PENDING', pendingEvents }),
      pending.safeParse({ clientCorrelationId, status: 'PENDING' }),
      active.safeParse({ clientCorrelationId, status: 'PENDING' }),
      pending.safeParse({ clientCorrelationId, status: 'ACTIVE', pendingEvents }),
    ];
    expect(answers.map((answer) => answer.success)).toEqual([true, true, false, false, false]);
  });
});

import { describe, expect, it } from 'vitest';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { defaultZone } from '../../src/domains/reporting/zoned-time.ts';
import { world } from '../engine/support.ts';
import { Bench, credentials } from '../sandbox/support.ts';

const merchant = { name: 'Harbour Group', country: 'GB', url: 'https://harbour.example.com' };
const path = '/reporting/v3/report-definitions';

describe('the platform', () => {
  it('lists every definition, without its fields', async () => {
    const { status, body } = await new Bench().call('GET', path);
    expect(status).toBe(200);
    const listed: readonly { reportDefintionName: string; attributes?: unknown }[] = body.reportDefinitions;
    expect(listed.map((it) => it.reportDefintionName)).toEqual(definitionNames);
    expect(listed.filter((it) => it.attributes !== undefined)).toEqual([]);
  });

  it('shows one with its fields, and answers another name 404 without a body', async () => {
    const bench = new Bench();
    const { status, body } = await bench.call('GET', `${path}/InvoiceSummaryClass?download=true`);
    expect([status, body.reportDefinitionId]).toEqual([200, 220]);
    expect(body.attributes.map(({ id }: { id: string }) => id)).toContain('Invoice.InvoiceNumber');
    expect(await bench.call('GET', `${path}/toString`)).toEqual({ status: 404, body: undefined });
  });

  it('says the zone and the time of day that a report has by default', async () => {
    const { body } = await new Bench().call('GET', path);
    expect(body.reportDefinitions[0].defaultSettings).toMatchObject({ timezone: defaultZone, startTime: '0000' });
  });

  it('RP-12 shows a merchant that is no partner its own organization alone', async () => {
    const bench = new Bench();
    expect((await bench.call('GET', `${path}?organizationId=${credentials.merchantId}`)).status).toBe(200);
    expect(await bench.call('GET', `${path}?organizationId=other`)).toMatchObject({
      status: 400,
      body: { reason: 'INVALID_DATA', details: [{ field: 'organizationId', reason: 'INVALID_DATA' }] },
    });
  });
});

describe('the tools', () => {
  it('list the definitions with their ids', async () => {
    const it = await world();
    const { data } = await it.call('list_report_definitions');
    expect(data.items).toHaveLength(18);
    expect(data.items[0]).toMatchObject({ definition: 'TransactionRequestClass', id: 210 });
    expect(data.items[17]).not.toHaveProperty('id');
    expect(it.sent.map((request) => request.path)).toEqual([path]);
  });

  it('show the groups of a definition, then the fields of one group, page by page', async () => {
    const it = await world();
    const definition = 'TransactionRequestClass';
    const { data: all } = await it.call('describe_report_definition', { definition });
    expect(all.groups).toContainEqual({ group: 'Risk', fields: 45 });
    expect(all).not.toHaveProperty('items');
    const first = (await it.call('describe_report_definition', { definition, group: 'Risk', limit: 40 })).data;
    expect([first.items.length, first.total, first.more]).toEqual([40, 45, '40']);
    const rest = { definition, group: 'Risk', limit: 40, cursor: first.more };
    const last = (await it.call('describe_report_definition', rest)).data;
    expect([last.items.length, last.items.at(-1), last.more]).toEqual([5, 'Risk.TrueIPAddressCountry', undefined]);
  });

  it('RP-02 refuse a definition that is none of the 18, and ask nothing', async () => {
    const it = await world();
    expect(await it.call('describe_report_definition', { definition: 'InvoiceReport' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-02', field: 'definition' },
    });
    expect(it.sent).toEqual([]);
  });

  it('RP-12 refuse an organization unless the operator named it for a partner', async () => {
    const args = { organization: 'harbour_radio' };
    const own = await world();
    expect(await own.call('list_report_definitions', args)).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-12', field: 'organization' },
    });
    expect(own.sent).toEqual([]);
    const partner = await world({ configure: { merchant: { ...merchant, reportsFor: 'harbour_tv, harbour_radio' } } });
    // The sandbox's merchant is none, so the platform itself declines what Purser lets pass.
    expect(await partner.call('list_report_definitions', args)).toMatchObject({ outcome: 'declined' });
    expect(partner.sent).toHaveLength(1);
  });
});

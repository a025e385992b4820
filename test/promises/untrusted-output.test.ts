import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { Tool } from '../../src/engine/tool.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { agent, type World } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { prepared } from '../support/prepared.ts';
import { enrolled, hostile, small, withMandates } from './mandated.ts';
import { placesAround, placesOf, planted } from './shown.ts';

playRowsOneIn(3);

// A standing mandate approves nothing for a conversation that has read text which somebody else may have written (EN-14),
// whichever tool has shown it, and in whichever field. The fields come from the shapes of the tools: a new one is tried, too.

/** The engine, where every tool answers from its own shape what a test has planted. */
function showing(it: World, data: () => unknown): Engine {
  const { parts } = it;
  const fakes = tools.map(
    (tool): Tool => ({
      ...{
        kind: 'local',
        effect: 'read',
        name: tool.name,
        title: '',
        description: '',
        outputSchema: tool.outputSchema,
        inputSchema: z.looseObject({}),
      },
      run: async () => ({ said: 'Shown.', data: data() as { readonly [field: string]: unknown } }), // of its shape
    }),
  );
  return createEngine({ ...parts, tools: fakes, offered: fakes });
}

describe('text from outside', () => {
  const opened = prepared(enrolled, withMandates);
  const everywhere = tools.flatMap(placesOf);
  const untrusted = everywhere.filter(({ by }) => by !== 'purser');

  it('is looked for at every place of every tool that shows data', () => {
    expect(everywhere.length).toBeGreaterThan(200);
    expect(new Set(everywhere.map(({ tool }) => tool)).size).toBe(tools.length);
  });

  it.each(tools.map(({ name }) => name))(
    'ends mandates wherever %s shows it, for that conversation alone',
    async (name) => {
      const { it } = await opened();
      let shown: unknown;
      const fake = showing(it, () => shown);
      let count = 0;
      const seen = [];
      for (const { steps } of untrusted.filter((place) => place.tool === name)) {
        const reader: Caller = { ...agent, conversation: steps.join('.') };
        shown = planted(steps, hostile);
        expect((await fake.call(name, {}, reader)).outcome).toBe('done');
        count += 1;
        const asked = await it.call('initiate_purchase', small(count), reader);
        seen.push([steps.join('.'), asked.outcome, asked.error?.rule]);
      }
      expect(seen).toEqual(seen.map(([steps]) => [steps, 'needs_approval', 'EN-14']));
      expect((await it.call('initiate_purchase', small(0), { ...agent, conversation: 'other' })).outcome).toBe('done');
    },
  );

  it('is not what Purser itself words, which stands in these fields alone', () => {
    const own = [...placesAround().map((place) => ({ ...place, tool: 'every answer' })), ...everywhere];
    const places = own.filter(({ by }) => by === 'purser').map(({ tool, steps }) => `${tool}: ${steps.join('.')}`);
    const around = ['environment', 'said', 'warnings.[]', 'next.[]', 'error.field', 'error.fields.[]', 'error.rule'];
    const within = (tool: string, ...names: readonly string[]) => names.map((name) => `${tool}: ${name}`);
    expect(places.toSorted(), 'what Purser words itself is listed here').toEqual(
      [
        ...within('every answer', ...around, 'file.sha256'),
        ...within('find_shopper', 'more'),
        ...within('list_cards', 'more'),
        ...within('list_operations', 'items.[].tool', 'items.[].subject', 'more'),
        ...within('list_events', 'items.[].because', 'more'),
        ...within('list_approvals', 'more'),
        ...within('list_purchases', 'more'),
        ...within('list_payments', 'more'),
        ...within('cancel_purchase', 'held'),
        ...within('get_payment_receipt', 'receipt'),
        // A receipt's lines are Purser's; what of them is somebody's text stands beside it, as such.
        ...['charge_device', 'lookup_device_transaction'].flatMap((tool) => within(tool, 'receipt')),
        ...['device_status', 'enroll_device'].flatMap((tool) => within(tool, 'education')),
        ...within('list_device_transactions', 'more'),
        ...['offer_conversion', 'choose_currency', 'get_conversion_offer'].flatMap((tool) =>
          within(tool, 'per', 'reason', 'meaning'),
        ),
        ...[
          ...['create_authentication_options', 'create_one_time_password', 'create_authentication_registration'],
          'offer_conversion',
        ].flatMap((tool) => within(tool, 'waiting_for.page', 'waiting_for.tool')),
        ...within('get_operation', 'tool', 'subject', 'progress', ...around.map((name) => `answer.${name}`)),
        ...within('get_limits', 'limits.[]', 'mandates.[]'),
        ...within('preview_call', 'effect', 'warnings.[]', 'limits.[]', ...around.map((name) => `verdict.${name}`)),
      ].toSorted(),
    );
  });
});

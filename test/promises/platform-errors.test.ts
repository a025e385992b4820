import { describe, expect, it } from 'vitest';
import { PlatformRefusal } from '../../src/client/errors.ts';
import { outcomeOf } from '../../src/client/outcome.ts';
import { leaves } from '../../src/core/fields.ts';
import type { Declined } from '../../src/core/outcome.ts';
import { declined, notTheAgents } from '../../src/engine/declined.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { running } from '../engine/billing.ts';
import { authentication } from '../engine/passkey.ts';
import { world } from '../engine/support.ts';

// An error of the platform names the argument of the tool that is at fault, or says that the agent can't set the field.

const platformTools = tools.filter((tool): tool is PlatformTool => tool.kind === 'platform');

/** Every field that the platform can complain of: those of the body and of the query, whatever they stand in, and the path's. */
function fieldsOf(tool: PlatformTool): readonly string[] {
  const { body, query, path } = operationOf(tool);
  const of = [body, query].flatMap((schema) => (schema === undefined ? [] : leaves(schema)));
  const around = of.flatMap(({ path: leaf }) => {
    const steps = leaf.split('.');
    return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
  });
  return [...new Set([...around, ...around.map((one) => one.replace(/\[\]$/, '')), ...Object.keys(path ?? {})])];
}

const refusal = (status: number, field?: string) =>
  outcomeOf(new PlatformRefusal({ status, reason: 'INVALID_DATA', field })) as Declined; // every status below 500 is one

describe.each(platformTools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('names its argument for every field, or says that the agent cannot set it', () => {
    for (const field of fieldsOf(tool)) {
      // The platform numbers the elements of a list, in either way.
      for (const printed of [field, field.replaceAll('[]', '[0]'), field.replaceAll('[]', '.0')]) {
        const { said, error } = declined(refusal(400, printed), tool);
        const isArgument = Object.hasOwn(tool.input.args, error?.field ?? '');
        const isNobodys = Object.values(notTheAgents).some((sentence) => said.endsWith(sentence));
        expect([field, error?.field, isArgument, isNobodys, error?.retry]).toEqual(
          isArgument ? [field, error?.field, true, false, 'changed_call'] : [field, printed, false, true, 'never'],
        );
      }
    }
  });

  it('leads out of a refusal wherever there is a way', () => {
    const names = tools.map(({ name }) => name);
    for (const field of [undefined, ...fieldsOf(tool)])
      for (const status of [400, 404, 409, 429]) {
        const { next, error } = declined(refusal(status, field), tool);
        expect(next.filter((name) => !names.includes(name))).toEqual([]);
        // Only a look at no thing in particular, in which no argument is wrong, leads nowhere else.
        const isBlind =
          operationOf(tool).effect === 'read' && Object.values(tool.input.args).every(({ kind }) => !kind);
        if (!isBlind || error?.retry === 'changed_call') expect([status, field, next]).not.toEqual([status, field, []]);
        if (status !== 429 && error?.retry === 'never') expect(next).not.toContain(tool.name);
      }
  });
});

it('names the cycles that a suspended subscription cannot skip, and leads to what shows its state', async () => {
  const here = await world();
  const subscription = await running(here);
  await here.call('list_subscription_payments', { subscription });
  await here.call('suspend_subscription', { subscription });
  const { outcome, next, error } = await here.call('skip_subscription_payments', { subscription, cycles: [2] });
  expect([outcome, error?.field]).toEqual(['declined', 'cycles']);
  expect(next[0]).toBe('get_subscription');
});

// Public models of the token service: "declined" comes with 403, as "forbidden" does.
it.each([
  ['DECLINED', 'DECLINED'],
  ['FORBIDDEN', 'UNAUTHORIZED'],
  ['HTTP 403', 'UNAUTHORIZED'],
])(
  'takes a 403 for a refusal of the credentials, unless its reason is that something was declined: %s',
  (reason, code) => {
    expect(outcomeOf(new PlatformRefusal({ status: 403, reason }))).toMatchObject({ kind: 'declined', code });
  },
);

it('never blames the credentials where the issuer declines', async () => {
  const here = await world();
  await here.fault('createAuthenticationOptions', 'decline');
  const said = await here.call('create_authentication_options', authentication());
  expect(said).toMatchObject({ outcome: 'declined', error: { code: 'DECLINED' } });
  expect(said.next).not.toEqual([]);
});

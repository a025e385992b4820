import { expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation.ts';
import { contract } from '../../src/domains/index.ts';
import { toolName } from '../../src/engine/tool.ts';
import { changing } from '../engine/changing.ts';
import { world } from '../engine/support.ts';

// The hints themselves are a table in tools.test.ts. Here the contract's word about messages is compared with the sandbox.

const names = (Object.keys(changing) as (keyof typeof changing)[]).filter((name) => contract[name].effect === 'write');

it.each(names)('%s sends the customer a message exactly where the contract says so', async (name) => {
  const here = await world();
  const args = await changing[name](here);
  /** E-mails, and codes of issuers: these reach customers by other ways, too, and stand in no outbox. */
  const sent = async () => {
    const { total } = (await here.control('GET', 'outbox')) as { readonly total: number };
    const { counters } = (await here.control('GET', 'snapshot')) as {
      readonly counters: { readonly [name: string]: number };
    };
    return total + (counters['one-time code'] ?? 0);
  };
  const before = await sent();
  expect((await here.through(toolName(name), args)).outcome).toBe('done');
  expect((await sent()) > before).toBe((contract[name] as Operation).messagesCustomer === true);
});

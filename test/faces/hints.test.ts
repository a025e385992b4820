import { expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation.ts';
import { contract } from '../../src/domains/index.ts';
import { toolName } from '../../src/engine/tool.ts';
import { changing } from '../engine/changing.ts';
import { world } from '../engine/support.ts';

// The hints themselves are a table in tools.test.ts. Here the contract's word about e-mails is compared with the sandbox.

const names = (Object.keys(changing) as (keyof typeof changing)[]).filter((name) => contract[name].effect === 'write');

it.each(names)('%s e-mails the customer exactly where the contract says so', async (name) => {
  const here = await world();
  const args = await changing[name](here);
  const sent = async () => ((await here.control('GET', 'outbox')) as { readonly total: number }).total;
  const before = await sent();
  expect((await here.through(toolName(name), args)).outcome).toBe('done');
  expect((await sent()) > before).toBe((contract[name] as Operation).mails === true);
});

import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/adapters/catalogue.ts';
import type { CallerRole } from '../../src/core/operation.ts';
import type { Tool } from '../../src/engine/tool.ts';
import { tableOf } from '../../src/mcp/tool-list.ts';
import { loyaltyTools, withLoyalty } from '../support/made-up-domain.ts';
import { agent, shop } from './shop.ts';

// Who may call what: every operation of the catalogue, for every role, on every face.

const roles: readonly CallerRole[] = ['agent', 'app', 'customer', 'operator'];
const code = { reference: 'code-1', account: 'account-1', code: '135790' };
const served = async () => Response.json({ id: 'code-1' });

const callersOf = (tool: Tool): readonly CallerRole[] => (tool.kind === 'local' ? ['agent'] : tool.definition.callers);

describe('the catalogue', () => {
  it('answers a role for its own operations alone: any other is unknown', async () => {
    const { parts } = await shop({ configure: { hasOperatorCalls: true } });
    const engine = withLoyalty(parts, { served });
    for (const tool of [...parts.tools, ...loyaltyTools])
      for (const role of roles) {
        const answer = await engine.call(tool.name, { no: 'such argument' }, { ...agent, role });
        const isKnown = callersOf(tool).includes(role);
        expect([tool.name, role, answer.error?.code === 'UNKNOWN_TOOL']).toEqual([tool.name, role, !isKnown]);
      }
  }, 60_000);

  it('lists on every face what an agent may call, and nothing else', async () => {
    const { parts } = await shop();
    const engine = withLoyalty(parts);
    const agents = [...parts.tools, ...loyaltyTools].filter((tool) => callersOf(tool).includes('agent'));
    const names = agents.map(({ name }) => name);
    expect(names).not.toContain('confirm_code');
    expect(engine.tools.map(({ name }) => name)).toEqual(names);
    expect(tableOf(engine.tools).map(({ name }) => name)).toEqual(names);
    expect(createCatalogue(engine, {}).entries.map(({ name }) => name)).toEqual(names);
  });
});

describe('an operation that only a page may call', () => {
  it('is unknown to an agent, who cannot preview it either', async () => {
    const it = await shop();
    const engine = withLoyalty(it.parts, { served });
    const preview = { tool: 'confirm_code', arguments: { ...code } };
    expect(await engine.call('confirm_code', { account: 'a' }, agent)).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    });
    const { data } = await engine.call('preview_call', { ...preview, arguments: { account: 'a' } }, agent);
    expect(JSON.stringify(data)).toContain('UNKNOWN_TOOL');
    expect(await it.operations()).toEqual([]);
  });
});

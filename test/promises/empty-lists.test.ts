import { describe, expect, it } from 'vitest';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { world } from '../engine/support.ts';

// A list without rows is an answer: document 3 has a 404 for it, and nobody is told that a variant of the call can't succeed.

/** The reads of document 3 that name no thing: by a handle, or by a name in the path. */
const lists = tools.filter(
  (tool): tool is PlatformTool =>
    tool.kind === 'platform' &&
    operationOf(tool).effect === 'read' &&
    operationOf(tool).template.startsWith('/reporting/') &&
    operationOf(tool).path === undefined &&
    Object.values(tool.input.args).every(({ kind }) => kind === undefined),
);

const missing = (body?: object) => async () =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status: 404,
    headers: { 'content-type': 'application/json' },
  });
const blamed = (field: string) => missing({ reason: 'NOT_FOUND', message: 'Not found', details: [{ field }] });

/** A call of a tool that the contract allows. */
const callOf = ({ name, input }: PlatformTool): object =>
  name === 'list_reports'
    ? { name: 'January' }
    : 'from' in input.args
      ? { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
      : {};

describe.each(lists.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('has an answer without rows that fits its schemas', () => {
    const { output } = operationOf(tool);
    expect(output[200]?.safeParse(tool.present.empty).success).toBe(true);
  });

  it.each([
    ['names no field', missing({ reason: 'NOT_FOUND', message: 'Not found', details: [] })],
    ['names a field of nobody', blamed('elsewhere')],
  ])('is done, and says that there is nothing, where the 404 %s', async (_, platform) => {
    const it = await world({ replace: { platform: () => platform } });
    const { outcome, data, error, said } = await it.call(name, callOf(tool));
    expect([outcome, error, data.items]).toEqual(['done', undefined, []]);
    expect(tool.outputSchema.safeParse(data).success).toBe(true);
    expect(said).not.toBe(tool.present.messages.done);
  });

  it.each([
    ['has a body of nobody', missing({ error: 'no such route' })],
    ['is a page', async () => new Response('<html><h1>404 Not Found</h1></html>', { status: 404 })],
  ])('is no list without rows where the 404 %s: it may be of a proxy', async (_, platform) => {
    const it = await world({ replace: { platform: () => platform } });
    expect(await it.call(name, callOf(tool))).toMatchObject({ outcome: 'declined', error: { code: 'NOT_FOUND' } });
  });

  it('is done where the 404 has no body, if the contract has none for it', async () => {
    const it = await world({ replace: { platform: () => missing() } });
    const { outcome } = await it.call(name, callOf(tool));
    expect(outcome).toBe(operationOf(tool).error.schema.safeParse(undefined).success ? 'done' : 'declined');
  });

  it('is declined where the 404 names an argument, which can be changed', async () => {
    const given = callOf(tool);
    const argument = Object.keys(tool.input.args).find((it) => it in given || it === 'organization') ?? '';
    const [fill] = tool.input.args[argument]?.fills ?? [];
    const it = await world({ replace: { platform: () => blamed(fill?.path.replace('?', '') ?? '') } });
    const { outcome, error } = await it.call(name, given);
    expect([outcome, error?.code, error?.field, error?.retry]).toEqual([
      'declined',
      'NOT_FOUND',
      argument,
      'changed_call',
    ]);
  });
});

it('no other tool takes a 404 for an answer', () => {
  const others = tools.filter((tool) => tool.kind === 'platform' && tool.present.empty !== undefined);
  expect(others.map(({ name }) => name)).toEqual(lists.map(({ name }) => name));
  expect(lists.length).toBeGreaterThan(7);
});

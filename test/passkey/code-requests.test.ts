import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { showStep } from '../../src/engine/customer-steps.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { challenged } from '../engine/passkey.ts';
import { agent, type World, world } from '../engine/support.ts';

// Requests for one-time codes: how they are counted and named, what a second one does to the customer's link, and what is left of them.

const app = { ...agent, principal: 'app', role: 'app' } as const;
const send = (it: Pick<World, 'call'>, authentication: string, request_number: number, option = 'option_1') =>
  it.call('create_one_time_password', { authentication, option, request_number });
const look = (it: World, authentication: string) => it.call('get_authentication', { authentication });
const wrong = (it: World, authentication: string) =>
  it.call('validate_authentication_code', { authentication, code: 'wrong' }, app);

describe('the number of a request', () => {
  it('has no name under which a code could be given', async () => {
    const it = await world();
    const handle = await challenged(it);
    const args = { authentication: handle, option: 'option_1' };
    for (const code of [1, '123456'])
      expect(await it.call('create_one_time_password', { ...args, code })).toMatchObject({ outcome: 'refused' });
    expect(await it.effects('createOneTimePassword')).toEqual([]);
  });

  it('belongs to one option: a conflict names the argument and says what to give', async () => {
    const it = await world();
    const handle = await challenged(it);
    await send(it, handle, 1);
    const said = await send(it, handle, 1, 'option_2');
    expect(said).toMatchObject({
      outcome: 'refused',
      error: { code: 'CONFLICT', rule: 'EN-03', field: 'request_number', retry: 'changed_call' },
    });
    expect(said.said).toContain('next number');
    expect(await it.effects('createOneTimePassword')).toHaveLength(1);
  });
});

describe('the link to the page of a code', () => {
  const served = async () => {
    const it = await world();
    const { parts } = it;
    const reach = { page: () => 'https://purser.test', linkKey: () => new Secret('a key') };
    const engine = createEngine({ ...parts, settings: { ...parts.settings, reach } });
    const call: World['call'] = async (tool, args, caller = agent) => (await engine.call(tool, args, caller)) as never;
    const waiting = async (handle: string, number: number) => {
      const { data } = await send({ call }, handle, number);
      const { page, until } = data.waiting_for;
      return { link: String(page).split('#')[1] ?? '', until, expires: data.code.expires };
    };
    return { it, engine, waiting };
  };

  it('works until the code that was sent last expires', async () => {
    const { it, engine, waiting } = await served();
    const handle = await challenged(it);
    const first = await waiting(handle, 1);
    await it.advance(540);
    const second = await waiting(handle, 2);
    expect([first.until, second]).toEqual([
      '2026-01-15T09:10:00.000Z',
      { link: first.link, until: '2026-01-15T09:19:00.000Z', expires: '2026-01-15T09:19:00.000Z' },
    ]);
    await it.advance(120); // the first code has expired
    expect(await showStep(engine, 'default', first.link)).toMatchObject({ expires: second.until, attemptsLeft: 3 });
    await it.advance(480);
    expect(await showStep(engine, 'default', first.link)).toBeUndefined();
  });

  it('is made no longer by asking again for the same code', async () => {
    const { it, waiting } = await served();
    const handle = await challenged(it);
    const first = await waiting(handle, 1);
    await it.advance(300);
    expect((await waiting(handle, 1)).until).toBe(first.until);
  });
});

describe('get_authentication', () => {
  it('shows the code that waits, and how many tries and codes are left', async () => {
    const it = await world();
    const handle = await challenged(it);
    expect((await look(it, handle)).data.code).toBeUndefined();
    await send(it, handle, 1);
    const code = { expires: '2026-01-15T09:10:00.000Z', requests_left: 2, tries_left: 3 };
    expect((await look(it, handle)).data.code).toEqual(code);
    await wrong(it, handle);
    expect(await look(it, handle)).toMatchObject({
      data: { code: { ...code, tries_left: 2 } },
      next: ['create_one_time_password'],
    });
  });

  it('says when all tries of a code are used up, and leads to another code', async () => {
    const it = await world();
    const handle = await challenged(it);
    await send(it, handle, 1);
    for (let at = 0; at < 3; at++) await wrong(it, handle);
    const said = await look(it, handle);
    expect([said.data.code.tries_left, said.next]).toEqual([0, ['create_one_time_password']]);
    expect((await send(it, handle, 2)).outcome).toBe('done');
    expect((await look(it, handle)).data.code).toMatchObject({ tries_left: 3, requests_left: 1 });
  });

  it('leads to no code that PK-07 would refuse', async () => {
    const it = await world();
    const handle = await challenged(it);
    for (const number of [1, 2, 3]) await send(it, handle, number);
    expect(await look(it, handle)).toMatchObject({
      data: { code: { requests_left: 0, tries_left: 3 } },
      next: ['get_authentication'],
    });
    for (let at = 0; at < 3; at++) await wrong(it, handle);
    const over = { code: { requests_left: 0, tries_left: 0 } };
    expect(await look(it, handle)).toMatchObject({ data: over, next: ['create_authentication_options'] });
    await it.advance(601);
    expect((await look(it, handle)).next).toEqual(['create_authentication_options']);
    expect(await send(it, handle, 4)).toMatchObject({ outcome: 'refused', error: { rule: 'PK-07' } });
  });
});

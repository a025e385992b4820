import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nextWeek, tokens, type World, world } from './support.ts';
import { call2026 } from './wire.ts';

// The page on which a person decides: what it is without a browser. How it looks and works is tried in one.

async function asked(): Promise<readonly [World, string]> {
  const here = await world();
  await call2026(here, 'enroll_card', { card: 'card_ada' });
  const limit = { amount: '40.00', currency: 'GBP' };
  const until = await nextWeek(here);
  const wish = { card: 'card_ada', reference: 'order-1', limit, until, description: 'A cable' };
  const { result } = await call2026(here, 'initiate_purchase', wish, { capabilities: {} });
  return [here, result.structuredContent.approval.id];
}

const fetched = async ({ face }: World, path: string) => face.fetch(new Request(`http://localhost${path}`));

describe('a decision whose body has a property twice', () => {
  it.each([
    ['deny, then approve', '{"decision":"deny","decision":"approve"}'],
    ['the same twice', '{"decision":"approve","decision":"approve"}'],
    ['one of them in disguise', '{"decision":"deny","d\\u0065cision":"approve"}'],
    ['on lines of their own', '{\n\t"decision": "deny",\n\t"decision": "approve"\n}'],
  ])('is refused, and decides nothing: %s', async (_, body) => {
    const [here, id] = await asked();
    for (const path of [`/approvals/${id}`, `/approve/${id}`]) {
      const headers = { authorization: `Bearer ${tokens.person}`, 'content-type': 'application/json' };
      const answer = await here.face.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: { code: 'INVALID_ARGUMENT', rule: 'EN-01' } },
      ]);
    }
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body).toMatchObject({ state: 'REQUESTED' });
    expect((await here.http('POST', `/approvals/${id}`, 'person', { decision: 'approve' })).status).toBe(200);
  });
});

describe('the page of an approval', () => {
  it('is the same for every approval, known or not, and holds nothing of any', async () => {
    const [here, id] = await asked();
    const [known, unknown] = [await fetched(here, `/approve/${id}`), await fetched(here, '/approve/apr_none')];
    const text = await known.text();
    expect([known.status, unknown.status, known.headers.get('content-type')]).toEqual([
      ...[200, 200],
      'text/html; charset=utf-8',
    ]);
    expect(await unknown.text()).toBe(text);
    expect(text).not.toMatch(/order-1|40\.00|Ada|cable/);
  });

  it('runs its own script and style and nothing else, and no other page can frame it', async () => {
    const [here, id] = await asked();
    const page = await fetched(here, `/approve/${id}`);
    const text = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';
    const inline = [...text.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, kind, code = '']) => [kind, code]);
    expect(inline.map(([kind]) => kind)).toEqual(['style', 'script']);
    for (const [kind, code = ''] of inline)
      expect(policy).toContain(`${kind}-src 'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    expect(text).not.toMatch(/ (on[a-z]+|style|src|href)=/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it('shows one approval to a person, as the clock has left it, and to nobody else', async () => {
    const [here, id] = await asked();
    const shown = await here.http('GET', `/approvals/${id}`, 'person');
    expect(shown).toMatchObject({ status: 200, body: { approval: id, state: 'REQUESTED' } });
    expect(shown.body.text).toContain('At most: "40.00 GBP"');
    for (const role of ['agent', 'app', undefined] as const)
      expect((await here.http('GET', `/approvals/${id}`, role)).status).toBe(401);
    expect((await here.http('GET', '/approvals/apr_none', 'person')).status).toBe(404);
    await here.http('POST', '/sandbox/clock', undefined, { advance: 600_000 });
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body.state).toBe('EXPIRED');
  });
});

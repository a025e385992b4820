import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { PlatformFault } from '../../src/client/errors.ts';
import type { Platform } from '../../src/client/platform.ts';
import { freezeTenant } from '../../src/engine/freeze.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import { agent, fileWith, folder, order, proposed, run, runJson, type Surroundings, start, within } from './cli.ts';

const ledgerOf = (data: string) => join(data, 'sandbox.sqlite');

describe('purser approvals', () => {
  it('lists what waits, with the text that is approved, and approves it once', async () => {
    const data = folder();
    const id = await proposed(data);
    const listed = await run(['approvals', 'list', '--data', data]);
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out).toContain(`${id}  REQUESTED`);
    expect(listed.out).toContain('    At most: "40.00 GBP"\n');

    expect(await run(['approvals', 'approve', id, '--yes', '--data', data])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {4}At most: "40\.00 GBP"\n(.*\n)*APPROVED\./m),
    });
    expect(await run(['approvals', 'approve', id, '--yes', '--data', data])).toEqual({
      code: 1,
      out: '',
      err: 'purser: It is already APPROVED. "purser approvals list" shows waiting approvals.\n',
    });
    expect(await run(['approvals', 'list', '--data', data])).toMatchObject({ out: 'No approvals are waiting.\n' });
    const answer = await within(data, ({ engine }) => engine.call('initiate_purchase', order, agent));
    expect(answer.outcome).toBe('done');
  });

  it('denies, in the name of the user of this machine', async () => {
    const data = folder();
    const id = await proposed(data);
    const denied = await runJson(['approvals', 'deny', id, '--data', data]);
    const { value } = await runJson(['approvals', 'list', '--all', '--data', data]);
    expect(denied).toMatchObject({ code: 0, value: value.items[0] });
    const { value: shown } = await runJson(['operations', 'show', denied.value.operation, '--data', data]);
    expect(shown.approval).toEqual(denied.value);
    expect(value.items).toEqual([
      expect.objectContaining({ approval: id, state: 'DENIED', approver: userInfo().username, channel: 'cli' }),
    ]);
  });

  it('knows no approval of another id', async () => {
    const data = folder();
    await proposed(data);
    expect(await run(['approvals', 'deny', 'apr_none', '--data', data])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no approval with this id.'),
    });
  });
});

describe('purser audit resume', () => {
  it('lets calls go on after a halt, which the doctor and the audit show until then', async () => {
    const data = folder();
    const resume = ['audit', 'resume', '--data', data, '--note'];
    await proposed(data);
    expect(await run([...resume, 'looked'])).toEqual({
      code: 1,
      out: '',
      err: 'purser: This tenant is not halted.\n',
    });
    await within(data, ({ engine: { parts } }) =>
      freezeTenant(parts, 'default', new IntegrityError('It says what it never says.')),
    );
    const enroll = () => within(data, ({ engine }) => engine.call('enroll_card', { card: 'card_bo' }, agent));
    expect(await enroll()).toMatchObject({
      outcome: 'refused',
      said: expect.stringContaining('purser audit resume'),
      error: { code: 'INTERNAL_HALT' },
    });
    const { code, out } = await run(['doctor', '--data', data]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^fail {2}halt +tenant default is read-only since .*Z\. It says/m),
    ]);
    expect(out).toContain('It says what it never says. See "purser audit show"');
    expect((await run(['audit', 'show', '--data', data])).out).toContain('halted');

    expect(await run([...resume, ' '])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Describe with --note'),
    });
    expect(await run([...resume, 'paid with 4929 4212 3460 0821'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^(?!.*4929).*The note seems to contain a card number/),
    });
    expect(await run([...resume, 'It was our own test.'])).toEqual({
      code: 0,
      out: 'Calls of tenant default are allowed again.\n',
      err: '',
    });
    expect(await enroll()).toMatchObject({ outcome: 'done' });
    expect((await run(['doctor', '--data', data])).out).not.toContain('halt');
  });
});

describe('purser operations', () => {
  it('lists what is unknown and settles it once', async () => {
    const data = folder();
    // Long enough ago: as long as a call may still take effect, nobody can know.
    const hourAgo = Date.now() - 3_600_000;
    const lost = {
      clock: { now: () => hourAgo },
      platform: () => async () => Promise.reject(new PlatformFault('no-answer')),
    };
    const { operation = '' } = await within(
      data,
      ({ engine }) => engine.call('enroll_card', { card: 'card_ada' }, agent),
      lost,
    );
    const { value } = await runJson(['operations', 'list', '--state', 'UNKNOWN', '--data', data]);
    expect(value).toMatchObject({ total: 1, items: [{ operation, tool: 'enroll_card', state: 'UNKNOWN' }] });

    const { out: page } = await run(['operations', 'show', operation, '--data', data]);
    expect(page).toMatch(new RegExp(`^${operation}\\n {4}Tool +enroll_card\\n {4}State +UNKNOWN\\n`));
    expect(page).toMatch(/\n {4}Sent +once: POST \/acp\/v1\/tokens\n {4}Request id +[0-9a-f-]{36}\n/);
    expect(page).toContain(`purser operations resolve ${operation} --happened`);
    expect((await runJson(['operations', 'show', operation, '--data', data])).value).toMatchObject({
      ...{ operation, state: 'UNKNOWN', calledBy: agent.principal },
      request: { method: 'POST', body: { billTo: { country: '[hidden]' } } },
      answer: { outcome: 'unknown' },
    });

    const resolve = [
      'operations',
      'resolve',
      operation,
      '--data',
      data,
      '--did-not-happen',
      '--note',
      'asked the platform',
    ];
    expect(await run([...resolve.slice(0, -1), 'paid with 4929 4212 3460 0821'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^(?!.*4929).*The note seems to contain a card number/),
    });
    expect(await run(resolve)).toEqual({ code: 0, out: `${operation} is FAILED.\n`, err: '' });
    expect(await run(resolve)).toMatchObject({ code: 1, err: expect.stringContaining('only an UNKNOWN operation') });
    expect((await run(['operations', 'list', '--data', data])).out).toMatch(
      /^OPERATION .*\n.* enroll_card {2}FAILED {2}/,
    );
  });

  it.each([
    [['--note', 'x'], 'Give either --happened or --did-not-happen.'],
    [['--happened', '--did-not-happen', '--note', 'x'], 'Give either --happened or --did-not-happen.'],
    [['--happened', '--note', ' '], 'Explain with --note how you know.'],
    [['--happened'], "required option '--note <text>' not specified"],
  ])('wants to know what happened and how that was found out: %j', async (options, says) => {
    const { code, err } = await run(['operations', 'resolve', 'op_x', ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });

  it('shows what was asked for and who said yes, and knows no other id', async () => {
    const data = folder();
    const approval = await proposed(data);
    const { value: listed } = await runJson(['operations', 'list', '--data', data]);
    const [{ operation }] = listed.items;
    const before = await run(['operations', 'show', operation, '--data', data]);
    expect(before.out).toContain(`Approval   ${approval}, REQUESTED\n`);
    expect(before.out).not.toMatch(/Sent|Request id|resolve/);
    await run(['approvals', 'approve', approval, '--yes', '--data', data]);
    expect((await run(['operations', 'show', operation, '--data', data])).out).toContain(
      `${approval}, APPROVED by ${userInfo().username}\n`,
    );
    expect(await run(['operations', 'show', 'op_none', '--data', data])).toEqual({
      code: 1,
      out: '',
      err: 'purser: There is no operation with this id. "purser operations list" shows all operations.\n',
    });
  });

  it('knows the states', async () => {
    const { code, err } = await run(['operations', 'list', '--state', 'LOST']);
    expect([code, err]).toEqual([2, expect.stringContaining('Unknown state LOST: use one of PROPOSED, ')]);
  });
});

describe('purser shoppers import', () => {
  it('says that a list is empty, instead of nothing', async () => {
    const data = folder();
    const ended = await run(['shoppers', 'import', '-', '--data', data], { input: '[]' });
    expect(ended).toEqual({ code: 0, out: expect.stringContaining('nothing was registered'), err: '' });
    expect((await runJson(['shoppers', 'import', fileWith('[]'), '--data', data])).value).toEqual({ shoppers: [] });
  });

  const eve = { handle: 'shopper_eve', displayName: 'Eve Example' };

  it('registers one session, or all of an array', async () => {
    const data = folder();
    expect(await run(['shoppers', 'import', '-', '--data', data], { input: JSON.stringify(eve) })).toMatchObject({
      code: 0,
      out: 'shopper_eve: no cards\n',
    });
    const both = fileWith(
      JSON.stringify([
        { ...eve, handle: 'shopper_fay' },
        { ...eve, handle: 'shopper_gus' },
      ]),
    );
    expect((await runJson(['shoppers', 'import', both, '--data', data])).value).toEqual({
      shoppers: [
        { shopper: 'shopper_fay', cards: [] },
        { shopper: 'shopper_gus', cards: [] },
      ],
    });
  });

  it('registers none where one is wrong, and names its field and rule', async () => {
    const data = folder();
    const file = fileWith(JSON.stringify([eve, { displayName: 7 }]));
    expect(await run(['shoppers', 'import', file, '--data', data])).toEqual({
      code: 1,
      out: '',
      err: 'purser: Nothing was registered. [1].displayName (EN-01): It must be text.\n',
    });
    const found = await within(data, ({ engine }) => engine.call('find_shopper', { name: 'Eve' }, agent));
    expect(found.data).toMatchObject({ total: 0 });
  });

  it.each([
    ['text that is no JSON', fileName('{'), 1, 'is not JSON'],
    ['a file that is not there', () => '/nowhere/shoppers.json', 2, 'There is no file'],
  ])('refuses %s', async (_, file, code, says) => {
    expect(await run(['shoppers', 'import', file(), '--data', folder()])).toMatchObject({
      code,
      err: expect.stringContaining(says),
    });
  });
});

describe('purser receipts add', () => {
  it('is what lets a purchase be confirmed', async () => {
    const data = folder();
    const id = await proposed(data);
    await run(['approvals', 'approve', id, '--yes', '--data', data]);
    const instruction = await within(data, async ({ engine }) => {
      const bought = await engine.call('initiate_purchase', order, agent);
      const instruction = String(bought.data?.instruction);
      await engine.call('retrieve_credentials', { instruction, amount: '40.00', currency: 'GBP' }, agent);
      return instruction;
    });
    const receipt = {
      instruction,
      transactionType: 'PURCHASE',
      transactionStatus: 'APPROVED',
      amount: '40.00',
      currency: 'GBP',
    };
    expect(
      await run(['receipts', 'add', '-', '--data', data], { input: JSON.stringify({ ...receipt, amount: 40 }) }),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining('amount (EN-01)'),
    });
    expect(await run(['receipts', 'add', fileWith(JSON.stringify(receipt)), '--data', data])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^receipt_[a-z]+ is recorded\.\n$/),
    });
    const confirmed = await within(data, ({ engine }) => engine.call('confirm_transaction', { instruction }, agent));
    expect(confirmed).toMatchObject({ outcome: 'done', data: { state: 'COMPLETED' } });
  });
});

describe('purser audit', () => {
  it('verifies, shows and exports the chain', async () => {
    const data = folder();
    await proposed(data);
    const { out } = await run(['audit', 'verify', '--data', data]);
    const [, rows, head] = /^The audit chain holds: (\d+) rows, head ([0-9a-f]{64})\.\n$/.exec(out) ?? [];
    expect((await run(['audit', 'show', '--data', data, '--limit', '1'])).out).toMatch(
      new RegExp(`^ROW .*\n${rows} .* proposed `),
    );
    const exported = (await run(['audit', 'export', '--data', data])).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([exported.map(({ seq }) => seq), exported.at(-1).hash]).toEqual([
      Array.from({ length: Number(rows) }, (_, index) => index + 1),
      head,
    ]);
    const csv = (await run(['audit', 'export', '--format', 'csv', '--data', data])).out.trimEnd().split('\n');
    expect([csv.length, csv[0], csv[1]]).toEqual([
      Number(rows) + 1,
      '"seq","at","tenant","operationId","event","body","previousHash","hash"',
      expect.stringMatching(/^"1","\d+","default","","registered","\{""cards"":\[""card_ada""\]/),
    ]);
  });

  it('finds a row that was changed', async () => {
    const data = folder();
    await proposed(data);
    const database = new DatabaseSync(ledgerOf(data));
    const { changes } = database.prepare("UPDATE audit SET event = 'approved' WHERE seq = 2").run();
    database.close();
    expect(changes).toBe(1);
    expect(await run(['audit', 'verify', '--data', data])).toMatchObject({
      code: 1,
      err: expect.stringContaining('broken at row 2'),
    });
    expect(await runJson(['audit', 'verify', '--data', data])).toMatchObject({ code: 1, value: { ok: false, seq: 2 } });
  });

  it('finds by its anchor that an end was cut off and the head set back, and keeps the anchor', async () => {
    const data = folder();
    const note = join(folder(), 'anchor.json');
    const env = { PURSER_CONFIG: fileWith(JSON.stringify({ auditAnchorFile: note })) };
    const verify = async (around: Surroundings) => (await runJson(['audit', 'verify', '--data', data], around)).value;
    const id = await proposed(data);
    expect((await run(['approvals', 'deny', id, '--data', data], { env })).code).toBe(2);
    const serving = start(['serve', '--port', '0', '--init-anchor', '--data', data], { env });
    await serving.line();
    expect((await serving.stop('SIGTERM')).code).toBe(0);
    // Whoever decides opens Purser, and leaves the head of the chain in the note.
    expect((await run(['approvals', 'deny', id, '--data', data], { env })).code).toBe(0);
    const { seq, hash } = JSON.parse(readFileSync(note, 'utf8'));
    expect(await verify({ env })).toMatchObject({ ok: true, rows: seq, head: hash });

    const database = new DatabaseSync(ledgerOf(data));
    database.exec(`DELETE FROM audit WHERE seq = ${seq}`);
    database.exec(`UPDATE audit_head SET seq = ${seq - 1}, hash = (SELECT hash FROM audit WHERE seq = ${seq - 1})`);
    database.close();
    expect(await verify({ env })).toMatchObject({ ok: false, seq: expect.any(Number) });
    expect((await run(['approvals', 'list', '--data', data], { env })).code).toBe(0);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ seq, hash });
  });

  it('is broken: nothing is sent or moved, reading goes on, and people are told the same', async () => {
    const data = folder();
    const id = await proposed(data);
    expect((await run(['approvals', 'approve', id, '--yes', '--data', data])).code).toBe(0);
    const database = new DatabaseSync(ledgerOf(data));
    database.prepare("UPDATE audit SET event = 'approved' WHERE seq = 2").run();
    database.close();
    const sent: string[] = [];
    const watched = {
      platform: (real: Platform) => (request: Request) => {
        sent.push(request.url);
        return real(request);
      },
    };
    await within(
      data,
      async ({ engine }) => {
        const calls = [
          ['initiate_purchase', order],
          ['enroll_card', { card: order.card }],
          ['find_shopper', {}],
          ['list_operations', {}],
          ['get_limits', {}],
        ] as const;
        const said = [];
        for (const [tool, args] of calls) said.push(await engine.call(tool, args, agent));
        const locked = {
          outcome: 'refused',
          said: 'The ledger is damaged, or its audit chain is broken, so nothing was sent. An operator must investigate: purser audit verify.',
          error: { code: 'INTERNAL_HALT', rule: 'EN-13' },
        };
        expect(said).toMatchObject([locked, locked, { outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }]);
        expect(sent).toEqual([]);
      },
      watched,
    );
    for (const command of [
      ['audit', 'show'],
      ['audit', 'export', '--format', 'csv'],
      ['operations', 'list'],
      ['approvals', 'list'],
    ])
      expect([command, (await run([...command, '--data', data])).code]).toEqual([command, 0]);
  });
});

it.each([
  ['approvals', 'list'],
  ['operations', 'list'],
  ['audit', 'verify'],
  ['approvals', 'deny', 'apr_x'],
])('looks into no ledger that is not there: %s %s', async (...args) => {
  const { code, err } = await run([...args, '--data', folder()]);
  expect([code, err]).toEqual([2, expect.stringContaining('There is no ledger of the environment "sandbox"')]);
});

function fileName(text: string): () => string {
  return () => fileWith(text);
}

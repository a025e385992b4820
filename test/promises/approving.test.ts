import { describe, expect, it } from 'vitest';
import { isYes } from '../../src/cli/terminal.ts';
import { agent, folder, order, proposed, run, runJson, start, within } from '../faces/cli.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

/** The built command with a person at it: what it prints is read on a terminal, and what is typed comes from one. */
const atTerminal = {
  node: [
    '--import',
    'data:text/javascript,for (const name of ["stdin", "stdout", "stderr"]) process[name].isTTY = true;',
  ],
};
const stateOf = async (data: string): Promise<string> => {
  const { value } = await runJson(['approvals', 'list', '--all', '--data', data]);
  return value.items[0].state;
};

describe('purser approvals approve', () => {
  it('shows the text before it asks, and approves after a yes', async () => {
    const data = folder();
    const id = await proposed(data);
    const { child, line, over } = start(['approvals', 'approve', id, '--data', data], atTerminal);
    const seen: string[] = [];
    while (!seen.at(-1)?.includes('40.00 GBP')) seen.push(await line());
    expect(await stateOf(data)).toBe('REQUESTED');
    child.stdin.end('y\n');
    const { code, err } = await over;
    expect([code, err, await stateOf(data)]).toEqual([0, expect.stringContaining('[y/N]'), 'APPROVED']);
    const answer = await within(data, ({ engine }) => engine.call('initiate_purchase', order, agent));
    expect(answer.outcome).toBe('done');
  });

  it.each(['n\n', ''])('decides nothing after %j', async (input) => {
    const data = folder();
    const id = await proposed(data);
    const { code, out } = await run(['approvals', 'approve', id, '--data', data], { ...atTerminal, input });
    expect([code, out.includes('40.00 GBP'), await stateOf(data)]).toEqual([1, true, 'REQUESTED']);
  });

  it.each([[[]], [['--json']]])('refuses without a terminal, with code 2, and says --yes: %j', async (options) => {
    const data = folder();
    const id = await proposed(data);
    const { code, out, err } = await run(['approvals', 'approve', id, '--data', data, ...options], { input: 'y\n' });
    expect([code, out, err, await stateOf(data)]).toEqual([2, '', expect.stringContaining('--yes'), 'REQUESTED']);
  });

  it('asks nothing where a script says --yes, and shows the text all the same', async () => {
    const data = folder();
    const id = await proposed(data);
    const { code, out, err } = await run(['approvals', 'approve', id, '--yes', '--data', data]);
    expect([code, out.includes('40.00 GBP'), err]).toEqual([0, true, '']);
    expect(await stateOf(data)).toBe('APPROVED');
  });

  it('asks nothing about what can no longer be decided', async () => {
    const data = folder();
    const id = await proposed(data);
    await run(['approvals', 'deny', id, '--data', data]);
    const { code, err } = await run(['approvals', 'approve', id, '--data', data], { ...atTerminal, input: 'y\n' });
    expect([code, err.includes('[y/N]'), await stateOf(data)]).toEqual([1, false, 'DENIED']);
  });
});

describe('without the built command', () => {
  it('takes nothing but a plain yes for one', () => {
    const answers = ['y', 'Y', 'yes', ' YES ', '', ' ', 'n', 'no', 'yep', 'approve', 'not y', '1', 'true'];
    expect(answers.filter(isYes)).toEqual(['y', 'Y', 'yes', ' YES ']);
  });

  it('needs --yes where there is no terminal', async () => {
    const data = folder();
    const id = await proposed(data);
    const { code } = await run(['approvals', 'approve', id, '--data', data]);
    expect([code, await stateOf(data)]).toEqual([2, 'REQUESTED']);
  });

  it('says without a terminal that there is no such approval, before it asks for --yes', async () => {
    const data = folder();
    await proposed(data);
    expect((await run(['approvals', 'approve', 'apr_x', '--data', data])).code).toBe(1);
  });
});

describe('purser approvals deny', () => {
  it('shows the text, asks nothing and needs no terminal, for a no sends nothing', async () => {
    const data = folder();
    const id = await proposed(data);
    const { code, out } = await run(['approvals', 'deny', id, '--data', data]);
    expect([code, out.includes('40.00 GBP'), await stateOf(data)]).toEqual([0, true, 'DENIED']);
  });
});

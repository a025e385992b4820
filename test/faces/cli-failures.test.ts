import { expect, it } from 'vitest';
import { folder, proposed, run } from './cli.ts';

// How a command fails that a program reads: one object on stderr, under the exit code that people get.

it.each<[string, (data: string) => readonly string[], number]>([
  ['refused', (data) => ['approvals', 'approve', 'apr_none', '--yes', '--data', data], 1],
  [
    'an argument that contradicts another',
    (data) => ['operations', 'resolve', 'op_1', '--note', 'n', '--data', data],
    2,
  ],
  ['no such option', (data) => ['operations', 'list', '--state-of', 'UNKNOWN', '--data', data], 2],
  ['a configuration that there is none of', () => ['operations', 'list', '--config', '/nowhere/purser.json'], 2],
  ['no such scenario', () => ['eval', 'nowhere'], 3],
  ['no such option of eval', () => ['eval', '--nowhere'], 4],
  ['no such report', () => ['eval', 'compare', 'none.json', 'none.json'], 4],
])('%s', async (_, args, exit) => {
  const data = folder();
  await proposed(data);
  const people = await run(args(data));
  const program = await run([...args(data), '--json']);
  expect([people.code, program.code, program.out]).toEqual([exit, exit, '']);
  const { error } = JSON.parse(program.err.trimEnd().split('\n').at(-1) ?? '');
  expect(error).toEqual({ message: expect.stringMatching(/\w/), exit });
  expect(people.err).toContain(`purser: ${error.message.split('\n')[0]}`);
});

import { describe, expect, it } from 'vitest';
import { checkServer } from '../../evals/harness/external/check.ts';
import type { Server } from '../../evals/harness/external/server.ts';
import { catalogueOf, type Kept, serverPlace } from '../../evals/harness/external/target.ts';
import { ServerLost } from '../../evals/harness/world/mcp.ts';
import { codeOf } from '../../src/cli/evals/ending.ts';
import { fileWith } from '../faces/cli.ts';
import { programOf } from '../support/bundled.ts';
import { serverAt } from '../support/plain-server.ts';
import { watch } from './support.ts';

const program = await programOf(new URL('../support/failing-server.ts', import.meta.url));
const secret = 'very-secret-0001';

const failing = (how: string, more: Partial<Server> = {}): Server => ({
  at: `"${process.execPath}" "${program.file}" "${how}" SECRET`,
  environment: { SECRET: secret },
  version: '0',
  ...more,
});

const messageOf = async (server: Server): Promise<string> => {
  const error = await catalogueOf(server).catch((it: unknown) => it);
  if (!(error instanceof ServerLost)) throw error;
  return error.message;
};

const scenario = (id: string, call: string): string =>
  fileWith(`title: It is called\nsteps:\n  - call: ${call}\n    expect: { error: false }\n`, `${id}.yaml`);

const checked = async (server: Server, calls: Readonly<Record<string, string>>, kept?: Kept) => {
  const place = serverPlace(server, kept);
  const report = await checkServer({
    ...{ paths: Object.entries(calls).map(([id, call]) => scenario(id, call)), catalogue: await catalogueOf(server) },
    ...{ place, by: 'purser 0', watch },
  });
  await place.close();
  return {
    code: codeOf(report, undefined),
    verdicts: report.scenarios.map(({ verdict }) => verdict),
    because: report.scenarios.flatMap(({ failures }) => failures).map((it) => it.because),
    graders: report.scenarios.flatMap(({ failures }) => failures).map((it) => it.grader),
  };
};

describe('a server that ends at its start', () => {
  it('is shown with its command, its exit code and the end of its stderr, without secrets or colours', async () => {
    const message = await messageOf(failing('ends'));
    expect(message).toContain(program.file);
    expect(message).toContain('code 3');
    expect(message).toContain('\n    Error: no database at db.sqlite\n');
    expect(message).toContain('SECRET is [hidden]');
    expect(message).not.toMatch(/very-secret|hunter-two/);
    expect(message).not.toContain('\u001b');
  });

  it('is told apart from a command that is not there', async () => {
    const message = await messageOf({ at: 'no-such-command-of-mine', environment: {}, version: '0' });
    expect(message).toContain('no-such-command-of-mine');
    expect(message).not.toContain('stderr');
  });

  it('shows only the end of what it wrote', async () => {
    const at = `"${process.execPath}" -e "for (let i = 0; i < 5000; i++) console.error('line', i, 'x'.repeat(900))"`;
    const lines = (await messageOf({ at, environment: {}, version: '0' })).split('\n').slice(1);
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines.at(-1)).toContain('line 4999');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(320);
  });
});

describe('a server that ends in a call', () => {
  it('leaves that scenario without a verdict, says why, and the others are judged', async () => {
    const { code, verdicts, graders, because } = await checked(failing('ends in a call'), { one: 'add', two: 'read' });
    expect({ code, verdicts, graders }).toEqual({ code: 4, verdicts: ['judge error', 'pass'], graders: ['server'] });
    expect(because[0]).toContain('code 4');
    expect(because[0]).toContain('Error: no database at db.sqlite');
    expect(because[0]).not.toMatch(/very-secret|hunter-two/);
  });

  it('is started again for the next scenario where it is kept', async () => {
    const { verdicts } = await checked(failing('ends in a call'), { one: 'add', two: 'read' }, {});
    expect(verdicts).toEqual(['judge error', 'pass']);
  });

  it('says which signal ended it', async () => {
    const { because } = await checked(failing('is killed'), { one: 'read' });
    expect(because[0]).toContain('SIGKILL');
  });
});

/** It is there at once, so only what it doesn't answer takes time. */
const silentAt = async (silent: string): Promise<Server> => ({
  ...(await serverAt({ tools: ['add', 'read'], silent })),
  milliseconds: 1500,
});

describe('a server that does not answer', () => {
  it('its first request is told with that request, and its process is ended', async () => {
    const message = await messageOf(failing('initialize', { milliseconds: 300 }));
    expect(message).toContain('initialize was not answered within 0.3 seconds');
    expect(message).toContain('--server-timeout');
  });

  it('for the list of its tools is told with that request', async () => {
    expect(await messageOf(await silentAt('tools/list'))).toContain('tools/list was not answered within 1.5 seconds');
  });

  it('a call costs that scenario, and no other', async () => {
    const { code, verdicts, because } = await checked(await silentAt('add'), { one: 'add', two: 'read' });
    expect({ code, verdicts }).toEqual({ code: 4, verdicts: ['judge error', 'pass'] });
    expect(because[0]).toContain('add was not answered within 1.5 seconds');
  });
});

import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { agent, folder, run, state, within } from '../faces/cli.ts';
import { search } from '../promises/encodings.ts';
import { bytesIn } from '../promises/entries.ts';

// `purser keys generate`: the operator's command, in the sandbox of a folder of its own.

const env = { PURSER_PROFILE: 'operator' };
const organization = 'harbour_audio_test';

/** A data folder and the file that the key is to be in. */
function here() {
  const place = folder();
  const [data, to] = [join(place, 'data'), join(place, 'device.key')];
  return { place, data, to, command: ['keys', 'generate', '--to', to, '--data', data] };
}

/** Runs the command, has a person approve it on another terminal, and runs it again. */
async function generate({ command, data }: ReturnType<typeof here>, around: NodeJS.ProcessEnv = env) {
  const first = await run(command, { env: around });
  const [, id = ''] = /purser approvals approve (\w+)/.exec(first.err) ?? [];
  const approved = await run(['approvals', 'approve', id, '--yes', '--data', data], { env: around });
  return { first, approved, last: await run(command, { env: around }) };
}

interface KnownKey {
  readonly keyId: string;
  readonly expires: string;
}

/** What the platform has. */
const keysAt = (data: string): Promise<readonly KnownKey[]> =>
  within(data, async ({ sandbox }) => {
    if (sandbox === undefined) throw new Error('The sandbox is embedded.');
    const answer = await sandbox.handle(new Request('https://sandbox.purser.test/sandbox/device-keys'));
    const { keys } = (await answer.json()) as { readonly keys: readonly KnownKey[] }; // the control API's own
    return keys;
  });

describe('purser keys generate', () => {
  it('waits for a person, then writes the key to a file of its owner, and prints it nowhere', async () => {
    const at = here();
    const { first, approved, last } = await generate(at);
    expect([first.code, approved.code, last.code]).toEqual([1, 0, 0]);
    expect(first.err).toContain('Nothing was sent');
    const key = readFileSync(at.to, 'utf8');
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect([lstatSync(at.to).mode & 0o777, readdirSync(at.place).toSorted()]).toEqual([0o600, ['data', 'device.key']]);
    expect(last.out).toContain(at.to);
    const said = [first, approved, last].flatMap(({ out, err }) => [out, err]).join('\n');
    const sinks = [{ name: 'said', bytes: Buffer.from(said) }, ...bytesIn(at.data)];
    expect(search(sinks, { key: key.trim() }).hits).toEqual([]);
    expect(await keysAt(at.data)).toMatchObject([{ organizationId: organization }]);
  });

  it('says in JSON where the key is', async () => {
    const at = here();
    const { last } = await generate({ ...at, command: [...at.command, '--json'] });
    const [known] = await keysAt(at.data);
    expect(JSON.parse(last.out)).toEqual({
      ...{ organization, keyId: known?.keyId, expires: known?.expires, file: at.to },
    });
  });

  it.each([['full'], ['read-only'], [undefined]])('sends nothing in the profile %s', async (profile) => {
    const at = here();
    const { code, err } = await run(at.command, { env: { PURSER_PROFILE: profile } });
    expect([code, existsSync(at.to), existsSync(at.data)]).toEqual([2, false, false]);
    expect(err).toContain('PURSER_PROFILE=operator');
  });

  it('leaves no file behind where nothing was generated', async () => {
    const at = here();
    const { code } = await run([...at.command, '--organization', 'somebody_else'], { env });
    expect([code, existsSync(at.to), await keysAt(at.data)]).toEqual([1, false, []]);
  });
});

describe('where the file can not be written, nothing is generated or asked', () => {
  const refused = async (at: ReturnType<typeof here>) => {
    const { code, err } = await run(at.command, { env });
    expect([code, existsSync(at.data)]).toEqual([2, false]);
    return err;
  };

  it('as it exists, and keeps what is in it', async () => {
    const at = here();
    writeFileSync(at.to, 'an older key\n', { mode: 0o600 });
    expect(await refused(at)).toContain('already exists');
    expect(readFileSync(at.to, 'utf8')).toBe('an older key\n');
  });

  it('as it is a link, and leaves what it leads to', async () => {
    const at = here();
    const other = join(at.place, 'other');
    symlinkSync(other, at.to);
    expect(await refused(at)).toContain('already exists');
    expect(existsSync(other)).toBe(false);
  });

  it('as its folder is missing', async () => {
    const at = here();
    expect(await refused({ ...at, command: at.command.with(3, join(at.place, 'no', 'device.key')) })).toContain(
      'There is no device key file',
    );
  });
});

describe('where the answer is lost', () => {
  it('says that a key may exist that nobody has, generates no other, and goes on once a person has looked', async () => {
    const at = here();
    const first = await run(at.command, { env });
    const [, id = ''] = /purser approvals approve (\w+)/.exec(first.err) ?? [];
    await run(['approvals', 'approve', id, '--yes', '--data', at.data], { env });
    await within(at.data, async ({ sandbox }) => {
      const body = JSON.stringify({ on: 'generateDeviceKey', kind: 'timeout-after-commit' });
      await sandbox?.handle(new Request('https://sandbox.purser.test/sandbox/faults', { method: 'POST', body }));
    });
    const lost = await run(at.command, { env });
    const [, operation = ''] = /purser operations resolve (\w+)/.exec(lost.err) ?? [];
    expect([lost.code, existsSync(at.to), operation]).toEqual([1, false, expect.stringMatching(/^op_/)]);
    expect(lost.err).toContain('that nobody has');
    const again = await run(at.command, { env });
    expect([again.code, again.err.includes(operation), (await keysAt(at.data)).length]).toEqual([1, true, 1]);
    const note = ['--happened', '--note', 'revoked it in the portal'];
    expect((await run(['operations', 'resolve', operation, ...note, '--data', at.data], { env })).code).toBe(0);
    const { last } = await generate(at);
    expect([last.code, (await keysAt(at.data)).length]).toEqual([0, 2]);
  });
});

describe('at a terminal', () => {
  const terminal = ['process.stdin', 'process.stderr'].map((it) => `${it}.isTTY = true;`).join('');
  const node = ['--import', `data:text/javascript,${terminal}`];

  it('shows what is to be approved, and generates the key after a yes', async () => {
    const at = here();
    const { code, err } = await run(at.command, { env, node, input: 'y\n' });
    expect([code, err.includes(organization), readFileSync(at.to, 'utf8').length]).toEqual([0, true, 45]);
  });

  it('sends nothing after anything else, and leaves no file', async () => {
    const at = here();
    const { code } = await run(at.command, { env, node, input: 'n\n' });
    expect([code, existsSync(at.to), await keysAt(at.data)]).toEqual([1, false, []]);
  });
});

describe('where a run ended before it wrote the key', () => {
  it('the next one collects it from the vault, if that is sealed in the ledger, and generates no other', async () => {
    const at = here();
    const vaultKeyFile = join(at.place, 'vault.key');
    writeFileSync(vaultKeyFile, 'a vault key of more than thirty-two bytes', { mode: 0o600 });
    const around = { ...env, PURSER_VAULT_KEY_FILE: vaultKeyFile };
    const running = await compose(readConfiguration({ ...around, XDG_STATE_HOME: state }, { data: at.data }));
    const call = () =>
      running.engine.call(
        'generate_device_key',
        { organization },
        { ...agent, principal: 'operator', role: 'operator' },
      );
    const { approval } = await call();
    const person = { tenant: 'default', approver: 'olga', channel: 'cli' } as const;
    await recordDecision(running.engine.parts, approval?.id ?? '', 'approve', person);
    await call();
    await running.close();
    const { code, out } = await run(at.command, { env: around });
    expect([code, out.includes('No key was generated')]).toEqual([0, true]);
    expect(readFileSync(at.to, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(await keysAt(at.data)).toHaveLength(1);
    expect((await run(at.command.with(3, `${at.to}.2`), { env: around })).err).toContain('approvals approve');
  });
});

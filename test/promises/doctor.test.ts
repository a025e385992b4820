import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import { checkFiles } from '../../src/cli/doctor/files.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { checkLedger } from '../../src/cli/doctor/ledger.ts';
import { ledgerPlace } from '../../src/cli/storage-paths.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { fileWith, folder, run, runJson, within } from '../faces/cli.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { type FormName, formNames, forms, giveAway } from './hostile-files.ts';

// Whatever keeps a start from opening the ledger, the doctor says in the same sentence, and where it says nothing a start opens.

const own = (path: string, mode = 0o700): undefined => {
  mkdirSync(path);
  chmodSync(path, mode);
};
const shut = (path: string, mode: number): undefined => {
  own(path, mode);
  onTestFinished(() => chmodSync(path, 0o700)); // so that it can be removed
};
const file = (path: string): undefined => writeFileSync(path, 'x', { mode: 0o600 }) as undefined;
const link = (target: string, path: string): undefined => symlinkSync(target, path) as undefined;

/** What may stand where the data folder should be. Answers the data folder, where that is another path. */
const folders: { readonly [form: string]: (path: string) => string | undefined } = {
  nothing: () => undefined,
  'nothing, below nothing': (path) => join(path, 'below', 'it'),
  'a folder of ours': (path) => own(path),
  'a file': file,
  'a path below a file': (path) => {
    file(path);
    return join(path, 'data');
  },
  'a FIFO': (path) => {
    execFileSync('mkfifo', ['-m', '600', path]);
    return undefined;
  },
  'a link to a folder of ours': (path) => {
    own(`${path}.target`);
    return link(`${path}.target`, path);
  },
  "another user's link to a folder of ours": (path) => {
    own(`${path}.target`);
    link(`${path}.target`, path);
    giveAway(path);
    return undefined;
  },
  'a link to a file': (path) => {
    file(`${path}.target`);
    return link(`${path}.target`, path);
  },
  'a link that leads nowhere': (path) => link(`${path}.nowhere`, path),
  'a link to itself': (path) => link(path, path),
  "another user's folder": (path) => {
    own(path);
    giveAway(path);
    return undefined;
  },
  'a folder that the group may write': (path) => own(path, 0o720),
  'a folder that everybody may write': (path) => own(path, 0o702),
  'a folder that the group may read': (path) => own(path, 0o750),
  // Root may use these; everybody else is refused.
  'a folder that nobody may write': (path) => shut(path, 0o500),
  'a folder that nobody may enter': (path) => shut(path, 0o000),
  'a name that is too long': (path) => join(path, 'x'.repeat(300)),
};

/** The sentence with which a start refuses; undefined where it opens the ledger. */
async function refused(configuration: Configuration): Promise<string | undefined> {
  try {
    await (await compose(configuration)).close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

/** Has the doctor look, then starts, on two folders of the same form: a look must not mend what a start would trip over. */
async function both(
  make: (inner: string) => string | Promise<string>,
  around: (inner: string) => NodeJS.ProcessEnv = () => ({ XDG_STATE_HOME: folder() }),
) {
  const configured = async (inner: string) => readConfiguration(around(inner), { data: await make(inner) });
  const [looked, started] = [folder(), folder()];
  const of = await configured(looked);
  const findings = [...checkFiles(of), ...(await checkLedger(of))].filter(({ verdict }) => verdict === 'fail');
  const sentence = await refused(await configured(started));
  return { todos: findings.map(({ todo = '' }) => todo.replaceAll(looked, started)), sentence };
}

function demandSame({ todos, sentence }: Awaited<ReturnType<typeof both>>): void {
  if (sentence === undefined) expect(todos).toEqual([]);
  else expect(todos).toContain(sentence);
  expect(sentence ?? '').not.toMatch(/should not have happened|\bat .*\.ts:|^E[A-Z]+:/);
}

describe('the doctor and a start', () => {
  it.each(Object.keys(folders))('say the same of a data folder that is %s', async (form) => {
    demandSame(await both((inner) => folders[form]?.(join(inner, 'data')) ?? join(inner, 'data')));
  });

  // Whoever can write the folder of the anchor can put an older anchor in its place.
  it.each([
    ['nothing', true],
    ['a folder of ours', true],
    ['a link to a folder of ours', true],
    ['a folder that the group may read', true],
    ['a folder that the group may write', false],
    ['a folder that everybody may write', false],
    ["another user's folder", false],
    ["another user's link to a folder of ours", false],
    ['a file', false],
  ] as const)("say the same of an anchor's folder that is %s", async (form, isTaken) => {
    const make = (inner: string) => {
      folders[form]?.(join(inner, 'state'));
      return join(inner, 'data');
    };
    const found = await both(make, (inner) => ({ PURSER_STATE: join(inner, 'state') }));
    demandSame(found);
    expect(found.sentence === undefined).toBe(isTaken);
  });

  const files = ['sandbox.sqlite', 'sandbox.sqlite-wal', 'ledger.key'].flatMap((file) =>
    formNames.map((form) => [file, form] as const),
  );
  it.each(files)('say the same of a data folder whose %s is %s', async (file: string, form: FormName) => {
    const make = async (inner: string) => {
      await forms[form].make(join(inner, file));
      return inner;
    };
    demandSame(await both(make));
  });

  it.each([
    ['nothing', (data: string) => join(data, 'misspelled', 'deep')],
    ['an empty folder', (data: string) => data],
  ])('creates nothing where there is %s', async (_, named) => {
    const data = folder();
    expect((await runJson(['doctor', '--data', named(data)])).value.sound).toBe(true);
    expect(readdirSync(data)).toEqual([]);
  });

  it('makes no other key for a ledger that has lost its own, and says that it is lost', async () => {
    const data = folder();
    await within(data, async () => undefined);
    rmSync(join(data, 'ledger.key'));
    const before = readdirSync(data).toSorted();
    const { code, value } = await runJson(['doctor', '--data', data]);
    const failed = value.findings.filter(({ verdict }: Finding) => verdict === 'fail');
    expect([code, failed.map(({ about }: Finding) => about)]).toEqual([1, ['ledger']]);
    expect(failed[0].found).toContain(join(data, 'ledger.key'));
    expect(readdirSync(data).toSorted()).toEqual(before);
  });

  it.each(['a data folder that is new', 'a ledger without rows'])(
    'say the same of a state folder that can never be, beside %s',
    async (form) => {
      const never = join(fileWith('a file'), 'state');
      const examined = async () => {
        const data = folder();
        const configuration = readConfiguration({ PURSER_STATE: never }, { data });
        if (form === 'a ledger without rows') await (await openLedger(ledgerPlace(configuration))).close();
        return configuration;
      };
      const found = (await checkLedger(await examined())).filter(({ verdict }) => verdict === 'fail');
      const sentence = await refused(await examined());
      expect(sentence).toContain('PURSER_STATE');
      expect(sentence).not.toContain('--data');
      expect(found.map(({ todo }) => todo)).toEqual([sentence]);
    },
  );

  it('say the same of a named anchor that is not there, before anything is', async () => {
    const auditAnchorFile = join(folder(), 'anchor.json');
    const configuration = { ...readConfiguration({}, { data: folder() }), auditAnchorFile };
    const found = (await checkLedger(configuration)).filter(({ verdict }) => verdict === 'fail');
    const sentence = await refused(configuration);
    expect(found.map(({ todo }) => todo)).toEqual([sentence]);
    expect(sentence).toContain(auditAnchorFile);
  });

  it('says that a ledger is gone of which the anchor has rows, for a start would send nothing', async () => {
    const data = folder();
    await within(data, async () => undefined);
    const { head } = JSON.parse((await run(['audit', 'verify', '--data', data, '--json'])).out);
    expect(head).toMatch(/^[0-9a-f]{64}$/);
    rmSync(join(data, 'sandbox.sqlite'));
    const { code, value } = await runJson(['doctor', '--data', data]);
    const failed = value.findings.filter(({ verdict }: Finding) => verdict === 'fail');
    expect([code, failed.map(({ about }: Finding) => about)]).toEqual([1, ['ledger']]);
    expect(failed[0].todo).toContain('--init-anchor');
    expect(readdirSync(data)).not.toContain('sandbox.sqlite');
  });

  it('says that the anchor can not be moved, where everything else is well', async () => {
    const [data, state] = [folder(), folder()];
    const configuration = readConfiguration({ XDG_STATE_HOME: state }, { data });
    await (await compose(configuration)).close();
    const before = readdirSync(configuration.state);
    await asOrdinaryUser([data, state, configuration.state], async () => {
      expect(await checkLedger(configuration)).not.toContainEqual(expect.objectContaining({ verdict: 'fail' }));
      chmodSync(configuration.state, 0o500);
      const failed = (await checkLedger(configuration)).filter(({ verdict }) => verdict === 'fail');
      expect(failed).toMatchObject([{ about: 'anchor', todo: expect.stringContaining(configuration.state) }]);
      chmodSync(configuration.state, 0o700);
    });
    expect(readdirSync(configuration.state)).toEqual(before);
  });

  it('looks at a used folder without changing what is in it', async () => {
    const data = folder();
    await within(data, async () => undefined);
    const before = readdirSync(data).toSorted();
    expect((await runJson(['doctor', '--data', data])).value.sound).toBe(true);
    expect(readdirSync(data).toSorted()).toEqual(before);
  });
});

import { recordDecision } from '../../../src/engine/approval-service.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { deleteExpiredFiles } from '../../../src/engine/files.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness, World } from '../world/world.ts';
import { endOf } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, plain } from './prepared-worlds.ts';

// Files of answers: who opens them, until when, and what is deleted.

const { tenant } = agentCaller;
const pat = { tenant, approver: 'pat', channel: 'cli' } as const;
const payment = { price: { amount: '10.00', currency: 'GBP' }, card: 'card_ada', reference: 'one' };
/** The agent in another conversation, which has read nothing. */
const another = { ...agentCaller, conversation: 'another' };
const second = { ...payment, price: { amount: '11.00', currency: 'GBP' }, reference: 'two' };
const mandate: SpendingPolicy = {
  name: 'small',
  tools: ['authorize_payment'],
  currency: 'GBP',
  per: [],
  perCall: '100.00',
  until: '2027-01-01T00:00:00Z',
};
type Work = (engine: Engine, passes: (seconds: number) => void) => Promise<unknown>;

const month = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
const fields = { definition: 'TransactionRequestClass', fields: ['Request.RequestID'], format: 'csv' };
/** Files of answers, by whoever opens them, until they are over. */
const files = (harness: TestHarness): Promise<Lines> => {
  const handles: string[] = [];
  const name = (it: string) => ['the first', 'the second'][handles.indexOf(it)] ?? it;
  const text = async (body: ReadableStream<Uint8Array>) =>
    Buffer.from(await new Response(body).arrayBuffer()).toString();
  const opened = async (engine: Engine, handle = handles[0] ?? '') => {
    const found = await engine.openFile(tenant, handle);
    return found === undefined
      ? 'nothing'
      : `${await text(found.body)} (${found.file.bytes} bytes, until ${found.file.expires})`;
  };
  const withFiles =
    (more: (files: NonNullable<EngineParts['files']>) => Partial<NonNullable<EngineParts['files']>>): Alter =>
    (parts) =>
      parts.files === undefined ? parts : { ...parts, files: { ...parts.files, ...more(parts.files) } };
  const aged = (ages: readonly number[], more: readonly string[] = []) =>
    withFiles(() => ({
      list: () => [...handles, ...more].map((it, at) => ({ name: it, ageMilliseconds: ages[at] ?? 0 })) as never,
    }));
  const listing = async (engine: Engine) => (await engine.files(agentCaller)).map(({ handle }) => name(handle));
  return eachFrom(
    harness,
    plainSpec,
    async (again, { control }: World) => {
      await again(plain, async (engine) => {
        const { approval } = await asAgent(engine, 'authorize_payment', payment);
        await recordDecision(engine.parts, approval?.id ?? '', 'approve', pat);
        await asAgent(engine, 'authorize_payment', payment);
      });
      for (const report of ['January', 'Later'])
        await again(plain, (engine) => asAgent(engine, 'request_report', { ...fields, ...month, name: report }));
      await control('POST', 'clock', { advance: 'PT10M' });
      await again(plain, async (engine) => {
        const { data } = await asAgent(engine, 'list_reports', { ...month, by: 'range' });
        for (const { report } of (data?.items ?? []) as readonly { readonly report: string }[])
          handles.push((await asAgent(engine, 'download_report', { report })).file?.handle ?? 'none');
      });
    },
    async (again) => {
      const lines: [string, unknown][] = [];
      const said = async (what: string, work: Work, alter: Alter = plain) =>
        void lines.push([what, await again(alter, (engine, passes) => endOf(() => work(engine, passes)))]);
      await said('opened', (engine) => opened(engine));
      await said('opened, as something else', async (engine) => [
        await opened(engine, 'file_none'),
        await opened(engine, 'card_ada'),
        await opened(engine, ''),
      ]);
      await said(
        'opened, of which bytes are lost',
        (engine) => opened(engine),
        withFiles(() => ({ size: () => 1 })),
      );
      await said(
        'opened, of which nothing is left',
        (engine) => opened(engine),
        withFiles(() => ({ size: () => undefined })),
      );
      await said(
        'opened where no files are kept',
        (engine) => opened(engine),
        (parts) => ({ ...parts, files: undefined }),
      );
      await said('listed, the second one newer', listing, aged([9, 1]));
      await said('listed, the first one newer', listing, aged([1, 9]));
      await said('listed where no files are kept', listing, (parts) => ({ ...parts, files: undefined }));
      await said('pages', async (engine) => {
        const pages: unknown[] = [];
        for (const page of [0, 1, 2, 1.5])
          pages.push((await engine.filePage(agentCaller, handles[0] ?? '', page))?.text ?? 'nothing');
        return [
          ...pages,
          (await engine.fileChart(agentCaller, handles[0] ?? '')) ?? 'no chart',
          (await engine.fileChart(agentCaller, 'file_none')) ?? 'no chart',
        ];
      });
      for (const reads of ['no page', 'a page', 'a page of no file'])
        await said(
          `a payment under a mandate after reading ${reads}`,
          async (engine) => {
            const of = reads === 'a page of no file' ? 'file_none' : (handles[0] ?? '');
            if (reads !== 'no page') await engine.filePage(another, of, 1);
            const { outcome, error } = await engine.call('authorize_payment', second, another);
            return [outcome, error?.code, error?.rule];
          },
          (parts) => ({ ...parts, settings: { ...parts.settings, mandates: [mandate] } }),
        );
      await said('deleted where no files are kept', async ({ parts }) =>
        deleteExpiredFiles({ ...parts, files: undefined }).then(() => 'none'),
      );
      for (const hours of [0, 1, 23, 24, 25, 71, 72, 73, 168])
        await said(`${hours} h later`, async (engine, passes) => {
          passes(hours * 3_600);
          const removed: string[] = [];
          const hour = 3_600_000;
          const found = [
            ...handles.map((it) => ({ name: it, ageMilliseconds: 0 })),
            { name: 'file_new', ageMilliseconds: hour - 1 },
            { name: 'file_old', ageMilliseconds: hour },
            { name: 'file_older', ageMilliseconds: hour + 1 },
          ];
          const store = { list: () => found, remove: (it: string) => void removed.push(name(it)) } as never;
          await deleteExpiredFiles({ ...engine.parts, files: store });
          return [
            (await opened(engine)) === 'nothing' ? 'it is over' : 'it opens',
            `${(await listing(engine)).length} listed`,
            `deleted: ${removed.join(', ') || 'none'}`,
          ];
        });
      return lines;
    },
  );
};

export const openedFileMechanisms: Mechanisms = inWorlds({ 'files that an app opens': files });

import { Secret } from '../../../src/core/secret.ts';
import { showStep, takeStep } from '../../../src/engine/customer-steps.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { EngineSettings } from '../../../src/engine/settings.ts';
import { showToApp } from '../../../src/engine/show-to-app.ts';
import { openPageForApp } from '../../../src/engine/waiting.ts';
import { CorruptRow, LedgerUnavailable } from '../../../src/ledger/errors.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness, World } from '../world/world.ts';
import { endOf } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, lost, onPlain, plain, replies, spoilt } from './prepared-worlds.ts';

// Customers' pages: who gets the link, what a page shows, and how each input ends.

const reach = { page: () => 'https://purser.example', linkKey: () => new Secret('a key of thirty-two letters, maybe') };
const withPages =
  (more: Partial<EngineSettings> = {}): Alter =>
  (parts) => ({ ...parts, settings: { ...parts.settings, reach, ...more } });
const { tenant } = agentCaller;

const offering = { card: 'card_ada', reference: 'order-1', price: { amount: '100.00', currency: 'USD' } };
const paying = { card: 'card_bo', reference: 'order-2', payment: { amount: '40.00', currency: 'GBP' } };

type Data = Readonly<Record<string, unknown>> | undefined;
const linkIn = (page: unknown): string => String(page ?? '').split('#')[1] ?? '';
/** A page without the words of its link, which only its key makes. */
const withoutLink = (told: unknown): unknown =>
  JSON.parse(JSON.stringify(told ?? 'nothing'), (_, it: unknown) =>
    typeof it === 'string' ? it.replace(/#[a-z]+\.[a-z]+/g, '#link') : it,
  );

/** What an answer says about the customer's page, by how Purser is reached. */
const told = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const ways: readonly (readonly [what: string, alter: Alter])[] = [
      ['with pages', withPages()],
      [
        'without a page',
        (parts) => ({ ...parts, settings: { ...parts.settings, reach: { ...reach, page: () => undefined } } }),
      ],
      ['without a key', (parts) => ({ ...parts, settings: { ...parts.settings, reach: { page: reach.page } } })],
      ['reached by nothing', (parts) => ({ ...parts, settings: { ...parts.settings, reach: undefined } })],
      ['without the frames of passkeys', withPages({ domains: {} })],
      [
        'without the tool of the step',
        (parts) => ({
          ...withPages()(parts),
          tools: parts.tools.filter(({ name }) => !['choose_currency', 'validate_authentication_code'].includes(name)),
        }),
      ],
    ];
    const lines: [string, unknown][] = [];
    for (const [what, alter] of ways)
      lines.push([
        what,
        await again(alter, async (engine) => {
          const { said, data } = await asAgent(engine, 'offer_conversion', offering);
          const page = await openPageForApp(engine.parts, tenant, String(data?.offer));
          const begun = await asAgent(engine, 'create_authentication_options', paying);
          const code = { authentication: begun.data?.authentication, option: 'option_1', code: 1 };
          const asked = await asAgent(engine, 'create_one_time_password', code);
          const read = await asAgent(engine, 'get_authentication', { authentication: begun.data?.authentication });
          const ofCode = await openPageForApp(engine.parts, tenant, String(begun.data?.authentication));
          return [
            ...[said, data?.waiting_for ?? 'no wait', page ?? 'no page for the app'],
            ...[
              asked.said,
              asked.data?.waiting_for ?? 'no wait',
              read.data?.waiting_for ?? 'no wait',
              ofCode ?? 'no page for the app',
            ],
          ].map(withoutLink);
        }),
      ]);
    for (const error of [
      new CorruptRow('A row is corrupt.'),
      new LedgerUnavailable('It is closed.'),
      new Error('It broke.'),
    ])
      lines.push([
        `when the page is looked for: ${error.name}`,
        await again(
          (parts) => ({
            ...withPages()(parts),
            settings: {
              ...parts.settings,
              reach: {
                ...reach,
                page: () => {
                  throw error;
                },
              },
            },
          }),
          (engine) =>
            endOf(async () => {
              const { outcome, data } = await asAgent(engine, 'create_authentication_options', paying);
              const code = { authentication: data?.authentication, option: 'option_1', code: 1 };
              const asked = await asAgent(engine, 'create_one_time_password', code);
              return [outcome, asked.outcome, asked.said, asked.data?.waiting_for ?? 'no wait'];
            }),
        ),
      ]);
    return lines;
  });

/** The page of an offer, until its end. */
const chosen = (harness: TestHarness): Promise<Lines> => {
  let offer: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(withPages(), async (engine) => {
        offer = (await asAgent(engine, 'offer_conversion', offering)).data?.offer;
      }),
    async (again) => {
      const open = async (engine: Engine) => openPageForApp(engine.parts, tenant, String(offer));
      const lines: [string, unknown][] = [];
      const on = async (
        what: string,
        work: (engine: Engine, link: string, passes: (seconds: number) => void) => Promise<unknown>,
        alter: Alter = withPages(),
      ) =>
        void lines.push([
          what,
          await again(alter, async (engine, passes) =>
            withoutLink(await endOf(async () => work(engine, linkIn((await open(engine))?.page), passes))),
          ),
        ]);
      await on('what it shows', (engine, link) => showStep(engine, tenant, link));
      await on('what another link shows', async (engine, link) => [
        await showStep(engine, tenant, `${link}a`),
        await showStep(engine, tenant, ''),
        await takeStep(engine, tenant, 'no.link', { currency: 'AUD' }),
      ]);
      await on('without the tool of the page', async (engine, link) => {
        const without = {
          ...engine,
          parts: { ...engine.parts, tools: engine.parts.tools.filter(({ name }) => name !== 'choose_currency') },
        };
        return [await showStep(without, tenant, link), await takeStep(without, tenant, link, { currency: 'AUD' })];
      });
      for (const entered of [
        { currency: 'AUD' },
        { currency: 'USD' },
        { currency: 'EUR' },
        { currency: 'aud' },
        {},
        { currency: 'AUD', offer: 'offer_other' },
        { other: 'AUD' },
        { currency: 7 },
      ])
        await on(`entered: ${JSON.stringify(entered)}`, async (engine, link) => {
          const taken = await takeStep(engine, tenant, link, entered);
          const state = (await asAgent(engine, 'get_conversion_offer', { offer })).data?.state;
          return [
            taken,
            state,
            (await showStep(engine, tenant, link)) === undefined ? 'the page is over' : 'the page is open',
            (await open(engine)) === undefined ? 'no page for the app' : 'a page for the app',
          ];
        });
      for (const seconds of [899, 900, 901])
        await on(`after ${seconds} s`, async (engine, link, passes) => {
          passes(seconds);
          return [
            (await open(engine)) ?? 'no page for the app',
            (await showStep(engine, tenant, link))?.expires ?? 'nothing is shown',
            (await takeStep(engine, tenant, link, { currency: 'AUD' })) ?? 'nothing is taken',
          ];
        });
      await on('of another thing', async (engine) => [
        await openPageForApp(engine.parts, tenant, 'card_ada'),
        await openPageForApp(engine.parts, tenant, 'offer_none'),
      ]);
      await on('what the app is shown', async (engine) => [
        (await showToApp(engine.parts, tenant, String(offer))) ?? 'nothing of an offer',
        (await showToApp(engine.parts, tenant, 'card_ada')) ?? 'nothing of a card',
        (await showToApp(engine.parts, tenant, 'card_none')) ?? 'nothing of no card',
      ]);
      return lines;
    },
  );
};

/** What the customer reads once a code was entered, by what came of it. */
const coded = (harness: TestHarness): Promise<Lines> => {
  let link = '';
  let authentication: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(withPages(), async (engine) => {
        const begun = await asAgent(engine, 'create_authentication_options', paying);
        authentication = begun.data?.authentication;
        const { data } = await asAgent(engine, 'create_one_time_password', {
          authentication,
          option: 'option_1',
          request_number: 1,
        });
        link = linkIn((data?.waiting_for as Data)?.page);
      }),
    async (again, world: World) => {
      const lines: [string, unknown][] = [];
      const rates = (parts: Parameters<Alter>[0]) => ({
        ...parts.settings.rates.conversation,
        write: { burst: 1, everyMilliseconds: 60_000 },
        money: { burst: 1, everyMilliseconds: 60_000 },
        sensitive: { burst: 1, everyMilliseconds: 60_000 },
      });
      const on = async (
        what: string,
        work: (engine: Engine, passes: (seconds: number) => void) => Promise<unknown>,
        alter: Alter = plain,
      ) =>
        void lines.push([
          what,
          await again(
            (parts) => withPages()(alter(parts)),
            (engine, passes) => endOf(() => work(engine, passes)),
          ),
        ]);
      const entered = (engine: Engine, code: unknown) => takeStep(engine, tenant, link, { code });
      await on('what the page shows', (engine) => showStep(engine, tenant, link));
      await on(
        'what the app is shown',
        async (engine) => (await showToApp(engine.parts, tenant, String(authentication))) ?? 'nothing',
      );
      for (const code of ['123456', '', 7, 'x'.repeat(20_000)])
        await on(`entered: ${String(code).slice(0, 9)}`, (engine) => entered(engine, code));
      await on('entered wrongly, again and again', async (engine) => {
        const ends: unknown[] = [];
        for (const code of ['100000', '100001', '100002', '100003', '100004'])
          ends.push((await entered(engine, code)) ?? 'nothing is taken');
        const caller = { tenant, principal: agentCaller.principal, role: 'customer', conversation: link } as const;
        const once = await engine.call('validate_authentication_code', { authentication, code: '100005' }, caller);
        return [
          ...ends,
          (await showStep(engine, tenant, link))?.attemptsLeft ?? 'nothing is shown',
          [once.outcome, once.error?.code, once.error?.rule, once.error?.retry, once.next],
        ];
      });
      await on('entered twice at once', async (engine) =>
        Promise.all([entered(engine, '100000'), entered(engine, '100001')]),
      );
      await on(
        'no answer comes',
        (engine) => entered(engine, '100000'),
        spoilt('validateAuthenticationCode', () => lost),
      );
      await on(
        'no answer comes, and it is entered again',
        async (engine, passes) => [
          await entered(engine, '100000'),
          passes(1),
          await entered(engine, '100000'),
          await entered(engine, '100001'),
        ],
        spoilt('validateAuthenticationCode', () => lost),
      );
      for (const [what, error] of replies)
        await on(
          `the platform answers: ${what}`,
          async (engine) => (await entered(engine, '100000')) ?? 'nothing is taken',
          spoilt('validateAuthenticationCode', () => error),
        );
      await on(
        'too many at once',
        async (engine) => [await entered(engine, '100000'), await entered(engine, '100001')],
        (parts) =>
          ({
            ...parts,
            settings: { ...parts.settings, rates: { ...parts.settings.rates, conversation: rates(parts) } },
          }) as typeof parts,
      );
      await on('a day later', async (engine, passes) => {
        passes(86_400);
        return [
          (await showStep(engine, tenant, link)) ?? 'nothing is shown',
          (await entered(engine, '100000')) ?? 'nothing is taken',
        ];
      });
      void world;
      return lines;
    },
  );
};

export const customerPageMechanisms: Mechanisms = inWorlds({
  'a page that somebody waits for, by how this Purser is reached': told,
  'the page of an offer': chosen,
  'the page of a code': coded,
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type RuleId, rules } from '../../src/core/rules.ts';
import { footprint } from '../faces/support.ts';
import type { Told } from '../sandbox/support.ts';
import { type BillingBench, fresh } from './sandbox-support.ts';
import { billing, type Story } from './story.ts';

// How a table of rules is proved through MCP: each refuses, each lets pass, and the platform keeps it alone.

type Call = (story: Story) => Promise<readonly [tool: string, args: object]>;

/** A rule that Purser keeps before the platform does. */
export interface Guarded {
  readonly rule: RuleId;
  readonly refuses: {
    readonly when: string;
    readonly field: string;
    readonly next?: readonly string[];
    /** By default another argument or another tool leads out. */
    readonly retry?: { readonly retry: 'never' } | { readonly retry: 'after'; readonly wait: number };
  };
  /** The call that is refused. */
  readonly breach: Call;
  readonly allows: string;
  /** A call as near to it as can be that is not, and what its data show. */
  readonly served: Call;
  readonly shows: object;
  readonly platform: Platform;
}

/** The platform's own no: its reason, and the member that it names where it names one. */
interface Platform {
  readonly reason: string;
  readonly field?: string;
  /** The call that it answers so through Purser, where that is another than the breach with the rule off. */
  readonly breach?: Call;
  /** What the platform is asked directly, where the schema of a tool has no words for the breach. */
  readonly asked?: (bench: BillingBench) => Promise<Told>;
}

/** The tests of the simulated platform, asked as its own clients ask it. */
const ofPlatform = readdirSync(import.meta.dirname)
  .filter((name) => /^sandbox-.*\.test\.ts$/.test(name))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');

/** Proves what Purser keeps of a family before the platform does. What the platform keeps alone is tested where it is simulated. */
export function provesRules(family: 'PL' | 'SB', guarded: readonly Guarded[], kept: readonly RuleId[]): void {
  describe.each(guarded)('$rule', ({ rule, refuses, breach, allows, served, shows, platform }) => {
    it(`is refused, with the way out, and nothing happens: ${refuses.when}`, async () => {
      const story = await billing();
      const [tool, args] = await breach(story);
      const before = await footprint(story.here);
      const { answer, isError, text } = await story.agent.call(tool, args);
      expect({ isError, answer }).toEqual({
        isError: true,
        answer: {
          outcome: 'refused',
          environment: 'sandbox',
          said: expect.stringMatching(/^.{10,200}$/),
          next: refuses.next ?? [],
          error: {
            code: expect.stringMatching(/^(RULE|INVALID_ARGUMENT)$/),
            retry: 'changed_call',
            ...refuses.retry,
            rule,
            field: refuses.field,
          },
        },
      });
      expect(JSON.parse(text)).toEqual(answer);
      expect(await footprint(story.here)).toEqual(before);
    });

    it(`lets pass ${allows}`, async () => {
      const story = await billing();
      expect((await story.agent.call(...(await served(story)))).answer).toMatchObject({ outcome: 'done', data: shows });
    });

    const { reason, field, asked } = platform;
    if (asked === undefined)
      it('turned off, is kept by the platform, which says so in its own words', async () => {
        const story = await billing({ [rule]: 'off' });
        const { answer, isError } = await story.agent.call(...(await (platform.breach ?? breach)(story)));
        expect({ isError, answer }).toMatchObject({
          isError: true,
          answer: {
            outcome: 'declined',
            said: `The platform declined: ${reason}. Nothing was changed.`,
            error: { code: 'DECLINED', untrusted: expect.stringMatching(/./) },
          },
        });
        expect(answer.error?.field).toBe(field);
      });
    else
      it('is kept by the platform, too, where it is asked directly', async () => {
        const { status, body } = await asked(fresh());
        expect([status, body.reason, body.details?.[0].field]).toEqual([400, reason, field]);
      });
  });

  it.each(kept)('%s, which is the platform’s alone, has tests there', (rule) => {
    expect(ofPlatform).toMatch(new RegExp(`(describe|it)[^\\n]*\\(\\s*['\`]${rule}`));
  });

  it(`proves every rule of the family ${family}, as the rule book says who keeps it`, () => {
    const proved = [...guarded.map(({ rule }) => [rule, 'PG']), ...kept.map((rule) => [rule, 'P'])];
    const book = Object.entries(rules).filter(([id]) => id.startsWith(`${family}-`));
    expect(Object.fromEntries(proved)).toEqual(Object.fromEntries(book.map(([id, { by }]) => [id, by])));
    expect(proved).toHaveLength(book.length);
  });
}

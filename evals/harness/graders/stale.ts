import { answerOf, type CallEntry } from '../replay/run.ts';
import { effectOf } from '../scenario/catalogue.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, figuresIn } from '../speech/numbers.ts';
import { rowsIn } from '../speech/rows.ts';
import type { Moment } from '../speech/timeline.ts';
import { words } from '../speech/words.ts';

// Sums that have been replaced: "at most 35 pounds", where the limit was changed to 30.

export function staleFaults(text: string, moment: Moment): readonly string[] {
  const old = replacedIn(moment.calls);
  if (old.size === 0) return [];
  return clausesOf(text).flatMap((clause) =>
    isOfNow(clause, text)
      ? sumsIn(clause.text)
          .filter(
            ({ start, values }) => !reported.test(clause.text.slice(0, start)) && values.some((it) => old.has(it)),
          )
          .map(({ values }) => `"${clause.text.trim()}": ${values[0]} has been replaced.`)
      : [],
  );
}

/** What holds now, and no word tells of before. */
const present = words(
  'at most|up to|no more than|limit(?:ed)?|maximum|ceiling|cap|tops|stands?|stays?|now|comes to|costs|total',
  "(?:it|that)['’]s|(?:it|that|limit|total|bill|price) is",
  'höchstens|bis zu|bleib\\p{L}*|jetzt|au plus|reste\\p{L}*|maintenant|como máximo|ahora|queda\\p{L}*',
);
const past = words(
  "was|were|before|earlier|first(?:ly)?|then|old|former(?:ly)?|previous(?:ly)?|originally|had|until|no longer|not|n['’]t|used to|instead|rather|replaced|war|waren|vorher|zuerst|statt|était|avant|era|antes|made",
);
/** "Down from 41", "instead of 40". */
const reported = /(?:from|instead of|rather than|not|of the|out of|von|statt|au lieu de|de|en vez de)\s*\S{0,3}\s?$/iu;
const isOfNow = ({ text, mood, isQuestion }: Clause, whole: string): boolean =>
  !isQuestion && mood !== 'denied' && present.test(text) && !past.test(text) && !/^\W*first/iu.test(whole);

/** Members that a change replaces. */
const replaced = ['limit', 'total', 'amount'] as const;
const kinds = /^(?:instruction|invoice|plan|subscription)$/;

/** Sums that a change of a thing replaced, and that no answer or argument has had since. */
function replacedIn(calls: readonly CallEntry[]): ReadonlySet<string> {
  const last = new Map<string, string>();
  const gone = new Map<string, number>();
  calls.forEach((call, at) => {
    if (answerOf(call).outcome !== 'done') return;
    for (const row of rowsIn(answerOf(call).data)) {
      const kind = Object.keys(row).find((it) => kinds.test(it));
      if (kind === undefined) continue;
      for (const name of replaced) {
        const value = amountOf(row[name]);
        if (value === undefined) continue;
        const key = `${String(row[kind])} ${name}`;
        const before = last.get(key);
        if (before !== undefined && before !== value && effectOf(call.tool) !== 'read') gone.set(before, at);
        last.set(key, value);
      }
    }
  });
  return new Set(
    [...gone].flatMap(([value, at]) =>
      calls
        .slice(at)
        .some(({ args, answer }) =>
          figuresIn(JSON.stringify([args, (answer as { data?: unknown } | undefined)?.data])).some(({ values }) =>
            values.includes(value),
          ),
        )
        ? []
        : [value],
    ),
  );
}

function amountOf(value: unknown): string | undefined {
  const { amount } = (typeof value === 'object' && value !== null ? value : { amount: value }) as { amount?: unknown };
  return typeof amount === 'string' && /^\d+(?:\.\d+)?$/.test(amount) ? canonical(amount) : undefined;
}

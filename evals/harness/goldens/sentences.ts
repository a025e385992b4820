import type { Answer } from '../../../src/engine/answer.ts';
import { answerOf, type Entry, type Run } from '../replay/run.ts';
import type { Gathered } from './gathered.ts';
import { withoutIds } from './names.ts';

// Every sentence that Purser says in a story, by an answer or on a customer's page, and to calls that vary a call of it, by how the call ends. Goldens of stories leave sentences out,
// so that a better wording changes one line, and not a hundred.

/** Sentences by outcome, code and rule. */
type Sentences = ReadonlyMap<string, ReadonlySet<string>>;

type Said = readonly [ending: string, sentence: string];

const saidIn = ({ entries }: Run): readonly Said[] => [
  ...entries.flatMap(answersTo).flatMap(saidBy),
  ...entries.flatMap(shownOn),
];

/** A page is one sentence, so that a line that is missing in one story is noticed there. */
function shownOn(entry: Entry): readonly Said[] {
  const [title, ...lines] = (entry.kind === 'event' && entry.shown) || [];
  if (title === undefined) return [];
  const page = lines.filter((line) => line !== '').map((line) => oneLine(withoutIds(line)));
  return [[`page "${title}"`, page.join(' / ')]];
}

function answersTo(entry: Entry): readonly Partial<Answer>[] {
  if (entry.kind === 'event') return [entry.answer ?? {}];
  if (entry.kind !== 'call') return [];
  const others = [entry.argued, entry.repeated, ...(entry.answered ?? []).map((it) => it.others)];
  return [answerOf(entry), ...others.flatMap((it) => (it ?? []).map(({ verdict }) => verdict))];
}

/** An external server says what it likes. */
function saidBy({ outcome, said, error }: Partial<Answer>): readonly Said[] {
  if (outcome === undefined || said === undefined) return [];
  return [[[outcome, error?.code, error?.rule].filter((it) => it !== undefined).join(' '), oneLine(withoutIds(said))]];
}

const oneLine = (text: string): string => text.replaceAll('\n', ' / ');

function sentencesOf(all: readonly Said[]): Sentences {
  const found = new Map<string, Set<string>>();
  for (const [ending, sentence] of all) found.set(ending, (found.get(ending) ?? new Set()).add(sentence));
  return found;
}

const textOf = (sentences: Sentences): string =>
  `${[...sentences.keys()]
    .toSorted()
    .map((ending) => [ending, ...[...(sentences.get(ending) ?? [])].toSorted().map((it) => `  ${it}`)].join('\n'))
    .join('\n\n')}\n`;

const saidFrom = (text: string): readonly Said[] =>
  text
    .trimEnd()
    .split('\n\n')
    .flatMap((part) => {
      const [ending = '', ...lines] = part.split('\n');
      return lines.filter((line) => line !== '').map((line): Said => [ending, line.slice(2)]);
    });

let known: { readonly text: string; readonly sentences: Sentences } | undefined;

/** The sentences of a golden, which is read for each story. */
function sentencesFrom(text: string): Sentences {
  if (known?.text !== text) known = { text, sentences: sentencesOf(saidFrom(text)) };
  return known.sentences;
}

export const sentences: Gathered = {
  name: 'the sentences',
  file: 'sentences.golden',
  textOf: (runs) => textOf(sentencesOf(runs.flatMap(saidIn))),
  together: (one, other) => textOf(sentencesOf([...saidFrom(one), ...saidFrom(other)])),
  strangeIn: (golden, run) => {
    const all = sentencesFrom(golden);
    const strange = saidIn(run).filter(([ending, sentence]) => all.get(ending)?.has(sentence) !== true);
    return [...sentencesOf(strange)].flatMap(([at, those]) =>
      [...those].map((it) => ({ at, says: `no story says ${JSON.stringify(it)}` })),
    );
  },
};

import { stringify } from 'yaml';
import { hidden, type Redact } from '../redaction/redact.ts';
import { member } from '../scenario/captures.ts';
import { defineScenario, type Scenario, type ScenarioInput, type Value, type Values } from '../scenario/schema.ts';
import { inferredBefore } from './infer.ts';
import { BadRecording, type Recorded, type RecordedCall } from './session.ts';

type StepInput = ScenarioInput['steps'][number];

/** How a draft is called, and what it is about. */
export interface DraftOptions {
  readonly id: string;
  readonly title: string;
  /** Whether the server was Purser; another one has neither a world nor rules that we know. */
  readonly isPurser: boolean;
  readonly fixture: string;
  /** When the story begins; by default the time of the first call. */
  readonly now?: string | undefined;
  /** Names that every world knows, and that are therefore written out. */
  readonly known: ReadonlySet<string>;
  readonly redact: Redact;
}

export interface Draft {
  readonly scenario: Scenario;
  /** What a person should look at, one sentence each. */
  readonly notes: readonly string[];
}

/** Steps of a draft, so that a scenario of it is one that loads. */
const mostSteps = 40;
const mostCharacters = 2_000;
/** Quiet for so long is time that goes by in the story. */
const quietMilliseconds = 60_000;

/** Turns a recording into a scenario. Everything passes the redactor; a call with a secret is left out. */
export function draftOf(recorded: readonly Recorded[], options: DraftOptions): Draft {
  const { redact, isPurser } = options;
  const notes: string[] = [];
  const story = recorded.flatMap((entry): readonly Recorded[] => {
    if (entry.kind !== 'call') return [{ ...entry, text: redact(entry.text).slice(0, mostCharacters) }];
    // EN-05 decodes and spells out what no pattern here need know: what it refused held a secret.
    if (ruleOf(entry) !== 'EN-05' && !JSON.stringify(redact(entry.args)).includes(hidden)) return [entry];
    notes.push(`A call of ${entry.tool} held a secret in its arguments and is left out.`);
    return [];
  });
  const steps = stepsOf(story, options, notes);
  if (steps.length === 0) throw new BadRecording('Nothing was called and nothing was said.');
  if (steps.length > mostSteps)
    notes.push(`It was longer: only the first ${mostSteps} of ${steps.length} steps are here.`);
  const refused = new Set(story.flatMap((it) => (it.kind === 'call' ? (ruleOf(it) ?? []) : [])));
  for (const rule of refused)
    notes.push(`${rule} refused a call: name the scenario that is served as its twin, and write \`refused: ${rule}\`.`);
  const begun = options.now ?? momentOf(story);
  const scenario = defineScenario({
    id: options.id,
    title: options.title,
    ...(isPurser
      ? {
          rules: refused.size === 0 ? ['EN-01'] : [...refused],
          world: { fixture: options.fixture, ...(begun && { now: begun }) },
        }
      : { rules: ['REC-01'], declares: { 'REC-01': { says: 'It goes as it was recorded.' } } }),
    steps: redact(steps.slice(0, mostSteps)),
  });
  return { scenario, notes };
}

/** A scenario as its file, with what a person should look at. */
export const draftFile = ({ scenario, notes }: Draft): string =>
  [
    '# A draft of a recorded session. Say what it is about: title, rules, and what must be true in the end.',
    ...notes.map((note) => `# ${note}`),
    stringify(fileOf(scenario), { lineWidth: 110 }),
  ].join('\n');

/** Without what a file need not say. */
const fileOf = (scenario: Scenario): object =>
  Object.fromEntries(
    Object.entries(scenario).filter(([name, value]) => name !== 'expect' || Object.keys(value as object).length > 0),
  );

const ruleOf = ({ answer }: RecordedCall): string | undefined => {
  const rule = member(member(answer, 'error'), 'rule');
  return typeof rule === 'string' ? rule : undefined;
};

function momentOf(story: readonly Recorded[]): string | undefined {
  const at = story.find((it) => it.at !== undefined)?.at;
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** The steps of a story, with what people did in between, and captures in the place of what answers brought. */
function stepsOf(story: readonly Recorded[], options: DraftOptions, notes: string[]): readonly StepInput[] {
  const calls: RecordedCall[] = [];
  const names = new Map<RecordedCall, string>();
  const steps: { readonly step: StepInput; readonly of?: RecordedCall }[] = [];
  let clock: number | undefined;
  const refer = (value: Value): Value => referred(value, calls, names, options.known);
  for (const entry of story) {
    const quiet = entry.at === undefined || clock === undefined ? 0 : entry.at - clock;
    clock = entry.at ?? clock;
    if (options.isPurser && quiet >= quietMilliseconds)
      steps.push({ step: { advance: `PT${Math.floor(quiet / 1_000)}S` } });
    if (entry.kind !== 'call') {
      steps.push({ step: entry.kind === 'user' ? { user: entry.text } : { say: entry.text } });
      continue;
    }
    const { before, asked } = options.isPurser ? inferredBefore(entry, calls) : { before: [], asked: false };
    for (const step of before) {
      steps.push({ step: refer(step as unknown as Value) as unknown as StepInput }); // a step is JSON
      notes.push(`"${Object.values(step)[0]}: ${Object.keys(step)[1]}" was not seen; it follows from what came back.`);
    }
    const args = refer(entry.args) as Values; // an object stays one
    if (asked) {
      const question = `asked${calls.length + 1}`;
      const approval = `$${question}.approval.id`;
      steps.push({ step: { call: entry.tool, args, as: question, expect: { outcome: 'needs_approval' } } });
      steps.push({
        step:
          entry.decided === 'approve'
            ? { actor: 'approver', approves: approval }
            : { actor: 'approver', denies: approval },
      });
    }
    calls.push(entry);
    // A denied call wasn't repeated.
    if (asked && entry.decided === 'deny') continue;
    steps.push({ step: { call: entry.tool, args, expect: expected(entry, options.isPurser) }, of: entry });
  }
  return steps.map(({ step, of }) => {
    const name = of && names.get(of);
    return name === undefined ? step : ({ ...step, as: name } as StepInput); // only a call has a name
  });
}

/** The expectation of a call: its recorded outcome. */
function expected({ answer, isError }: RecordedCall, isPurser: boolean) {
  const [outcome, code] = [member(answer, 'outcome'), member(member(answer, 'error'), 'code')];
  if (!isPurser || typeof outcome !== 'string') return { error: isError };
  return { outcome, ...(typeof code === 'string' ? { code } : {}) } as NonNullable<
    Extract<StepInput, { call: string }>['expect']
  >; // Purser's own words
}

/** Texts that look like a handle or an id: not words, and long enough to be no coincidence. */
const idLike = /^(?=.*[a-z\d])[\w-]{8,}$/i;

/** A value in which everything that an earlier answer brought is a reference to it. Gives names to the answers it needs. */
function referred(
  value: Value,
  calls: readonly RecordedCall[],
  names: Map<RecordedCall, string>,
  known: ReadonlySet<string>,
): Value {
  if (Array.isArray(value)) return value.map((item) => referred(item, calls, names, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, referred(it, calls, names, known)]));
  if (typeof value !== 'string' || !idLike.test(value) || known.has(value)) return value;
  // What the agent wrote first is its own: an order number comes back in answers, too.
  const first = calls.findIndex((it) => JSON.stringify([it.args, it.answer]).includes(JSON.stringify(value)));
  const source = calls[first];
  if (source === undefined || JSON.stringify(source.args).includes(JSON.stringify(value))) return value;
  const path = pathTo(source.answer, value);
  if (path === undefined) return value;
  const name = names.get(source) ?? `call${first + 1}`;
  names.set(source, name);
  return `$${name}.${path.replace(/^data\./, '')}`;
}

/** The dotted path of a text in an answer; undefined where none can be written. */
function pathTo(answer: unknown, text: string): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  for (const [name, value] of Object.entries(answer)) {
    if (!/^\w+$/.test(name)) continue;
    if (value === text) return name;
    const deeper = pathTo(value, text);
    if (deeper !== undefined) return `${name}.${deeper}`;
  }
  return undefined;
}

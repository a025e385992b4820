import type { Operation as ContractOperation } from '../../../src/core/operation.ts';
import { contract } from '../../../src/domains/index.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { toolName } from '../../../src/engine/tool.ts';
import { answerOf, type CallEntry, callsOf, type Failure, type Run } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf, platformToolOf, purserCatalogue } from '../scenario/catalogue.ts';
import type { Sent } from '../world/wire.ts';

// What Purser says of itself, held against what happened: no deed without a request, no next action that can't be done, no
// question without the rule that asks.

const broken = (at: string, because: string): Failure => ({ grader: 'facts', at, because });

/** Every answer of Purser against the world and the machines. */
export function gradeDeeds(run: Run): readonly Failure[] {
  if (run.after === undefined) return [];
  return callsOf(run).flatMap((entry) => {
    const answer = answerOf(entry);
    if (answer.outcome === undefined) return [];
    const at = entry.step === -1 ? entry.tool : `steps[${entry.step}] ${entry.tool}`;
    return [...asked(answer), ...sentOnly(run, entry, answer), ...mailed(run, answer), ...onward(entry, answer)].map(
      (because) => broken(at, because),
    );
  });
}

/** A question to a person names the rule that asks, and has a text to read. */
function asked({ outcome, error, approval }: Partial<Answer>): readonly string[] {
  if (outcome !== 'needs_approval') return [];
  return [
    ...(error?.rule === undefined ? ['it asks for an approval, and names no rule.'] : []),
    ...(approval !== undefined && approval.text.split('\n').length < 2 ? ['a person has nothing to read.'] : []),
  ];
}

/** A refusal has sent no change; what is done has, unless it was done before. */
function sentOnly({ entries, requests }: Run, entry: CallEntry, { outcome }: Partial<Answer>): readonly string[] {
  const tool = platformToolOf(entry.tool);
  if (tool === undefined || effectOf(entry.tool) === 'read') return [];
  const { method } = contract[tool.operation] as ContractOperation;
  const sent = requests[entries.indexOf(entry)] ?? [];
  const changes = sent.filter((it) => it.method !== 'GET' && it.method === method && !looksAtReader(it));
  return ['refused', 'needs_approval'].includes(outcome ?? '') && changes.length > 0 && method !== 'GET'
    ? [`it was ${outcome}, and ${changes[0]?.method} ${changes[0]?.path} left.`]
    : [];
}

/** Whether a request is a call of the card reader's SDK that only looks. */
const looksAtReader = ({ method, path }: Pick<Sent, 'method' | 'path'>): boolean =>
  method === 'SDK' &&
  Object.values<ContractOperation>(contract).some(({ effect, template }) => template === path && effect === 'read');

/** "E-mailed" is said only where the outbox has it. */
function mailed({ after, before }: Run, { said = '' }: Partial<Answer>): readonly string[] {
  const count = (of: Run['after']): number => of?.platform.documents.filter(({ kind }) => kind === 'email').length ?? 0;
  const claims = /(?<!nothing )\b(?:was|is|has been) (?:e-)?mailed\b/.test(said);
  return claims && count(after) === count(before) ? ['it says that something was e-mailed, and nothing was.'] : [];
}

/** Each next action that moves the thing shown is a row of its machine, and what gives a thing up comes last. */
function onward(entry: CallEntry, { outcome, data, next = [] }: Partial<Answer>): readonly string[] {
  const tool = platformToolOf(entry.tool);
  const kind = tool?.observe.moves?.kind ?? tool?.observe.looksAt?.kind;
  // The data may show another thing than the one that was moved.
  const state = entry.after.get(String(entry.args[String(kind)])) ?? member(data, 'state');
  const twice = next.filter((name, index) => next.indexOf(name) !== index);
  const wrong = [
    ...twice.map((name) => `${name} is named twice as next.`),
    ...next
      .filter((name) => !purserCatalogue.tools.has(name))
      .map((name) => `${name} is named as next, and no agent has it.`),
  ];
  if (outcome !== 'done' || typeof state !== 'string' || kind === undefined) return wrong;
  const impossible = next.filter((name) => {
    const moves = pulls.get(name);
    if (moves === undefined || moves.machine.name !== kind) return false;
    const rows = [...moves.machine.rows, ...moves.machine.assumed];
    return !rows.some((row) => (row[0] === state || row[0] === 'none') && row[1] === moves.trigger);
  });
  const ends = next.map((name) => {
    const moves = pulls.get(name);
    return moves?.machine.givesUp.includes(moves.trigger) === true;
  });
  return [
    ...wrong,
    ...impossible.map((name) => `${name} is named as next, and nothing that is ${state} can do that.`),
    ...(ends.some((it, index) => it && ends.slice(index).includes(false))
      ? ['giving it up is not the last of next.']
      : []),
  ];
}

const pulls = new Map(
  Object.entries<ContractOperation>(contract).flatMap(([name, { moves }]) =>
    moves === undefined ? [] : [[toolName(name), moves] as const],
  ),
);

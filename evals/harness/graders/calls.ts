import { callsOf, type Failure, type Run } from '../replay/run.ts';
import { effectOf } from '../scenario/catalogue.ts';

/** Grades `never`, `order`, `calls` and `budget`. */
export function gradeCalls(run: Run): readonly Failure[] {
  const { never = [], order = [], calls, budget = {} } = run.scenario.expect;
  const made = callsOf(run);
  const names = made.map(({ tool }) => tool);
  const fail = (at: string, because: string): Failure => ({ grader: 'calls', at, because });
  const bytes = made.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return [
    ...never.filter((tool) => names.includes(tool)).map((tool) => fail('never', `${tool} was called.`)),
    ...order.flatMap((tools) => {
      const places = tools.map((tool) => names.indexOf(tool));
      const missing = tools.find((_, index) => places[index] === -1);
      if (missing !== undefined) return [fail('order', `${missing} was never called.`)];
      return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
        ? []
        : [fail('order', `${tools.join(', ')} were called in another order.`)];
    }),
    ...(calls === undefined ? [] : gradeSet(calls, names)),
    ...(budget.calls !== undefined && made.length > budget.calls
      ? [fail('budget.calls', `there were ${made.length} calls, and at most ${budget.calls} may be.`)]
      : []),
    ...(budget.bytes !== undefined && bytes > budget.bytes
      ? [fail('budget.bytes', `the answers have ${bytes} bytes, and at most ${budget.bytes} may have.`)]
      : []),
  ];
}

/** An empty list forbids every call. Otherwise extra reads are allowed. */
function gradeSet(wanted: readonly string[], names: readonly string[]): readonly Failure[] {
  const counted =
    wanted.length === 0 ? names : names.filter((tool) => effectOf(tool) !== 'read' || wanted.includes(tool));
  const stranger = counted.find((tool) => !wanted.includes(tool));
  const missing = wanted.find((tool) => !names.includes(tool));
  return [
    ...(stranger === undefined ? [] : [{ grader: 'calls', at: 'calls', because: `${stranger} was called.` } as const]),
    ...(missing === undefined
      ? []
      : [{ grader: 'calls', at: 'calls', because: `${missing} was not called.` } as const]),
  ];
}

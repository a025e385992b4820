import { holdsCardData } from '../../../src/screening/card-data.ts';
import { isCall, type Scenario, type Value } from '../scenario/schema.ts';
import type { Canary } from '../world/wire.ts';

/**
 * Secrets that a story has the agent write, so that they are refused: each text that holds one, and its longer runs of digits.
 * They may stand in its calls, and nowhere behind them.
 */
export const agentSecretsIn = ({ steps }: Pick<Scenario, 'steps'>): readonly Canary[] => {
  const texts = steps.flatMap((step) => (isCall(step) ? textsIn(step.args) : [])).filter((text) => holdsCardData(text));
  const runs = texts.flatMap((text) => text.match(digits) ?? []).map((run) => run.replace(/\D/g, ''));
  const values = new Set([...texts, ...runs.filter(({ length }) => length >= telling)]);
  return [...values].map((value) => ({ what: 'secret that the agent wrote', value, fromAgent: true }));
};

const digits = /\d(?:[ -]?\d)+/g;
/** Fewer digits stand in many a text that is none. */
const telling = 6;

const textsIn = (value: Value): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

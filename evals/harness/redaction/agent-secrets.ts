import { holdsCardData } from '../../../src/screening/card-data.ts';
import { isCall, type Scenario, type Value } from '../scenario/schema.ts';
import type { Canary } from '../world/wire.ts';

/**
 * Secrets in the agent's own script, which Purser must refuse: each text with card data, and its longer runs of digits. They may
 * appear in the calls and nowhere else.
 */
export const agentSecretsIn = ({ steps }: Pick<Scenario, 'steps'>): readonly Canary[] => {
  const texts = steps.flatMap((step) => (isCall(step) ? textsIn(step.args) : [])).filter((text) => holdsCardData(text));
  const runs = texts.flatMap((text) => text.match(digits) ?? []).map((run) => run.replace(/\D/g, ''));
  const values = new Set([...texts, ...runs.filter(({ length }) => length >= telling)]);
  return [...values].map((value) => ({ what: 'secret that the agent wrote', value, fromAgent: true }));
};

const digits = /\d(?:[ -]?\d)+/g;
/** Shorter runs of digits are common in ordinary text. */
const telling = 6;

const textsIn = (value: Value): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Which of the scenarios that they change agents play whose calls differ. What an agent says differently is judged in all of them. */
export interface Sample {
  readonly seed: number;
  /** One in so many. */
  readonly oneIn: number;
}

export const everyScenario: Sample = { seed: 1, oneIn: 1 };

/** A number of the scenario, another one by each seed. */
export const pickOf = ({ seed }: Pick<Sample, 'seed'>, scenario: string): number => hash(`${seed} ${scenario}`);

/** Whether an agent plays the scenario. */
export const isDrawn = (sample: Sample, scenario: string, agent: string): boolean =>
  hash(`${pickOf(sample, scenario)} ${agent}`) % sample.oneIn === 0;

/** FNV-1a: the same text gives the same number. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value >>> 0;
}

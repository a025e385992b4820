import { type Compared, compared } from '../../../evals/harness/reports/gates.ts';
import { type Report, reportSchema } from '../../../evals/harness/reports/report.ts';
import { readText } from '../../files/read.ts';
import { BadConfiguration, checkedFile } from '../bad-configuration.ts';

// Parses the options of `purser eval`. Throws BadConfiguration for an invalid one.

export function shardIn(given: string | undefined) {
  if (given === undefined) return undefined;
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new BadConfiguration('--shard must be a fraction such as 1/4.');
}

export function wholeIn(given: string, option: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new BadConfiguration(`${option} must be a whole number.`);
}

export function percentIn(given: string | undefined, option: string): number | undefined {
  if (given === undefined) return undefined;
  const percent = Number(given);
  if (given !== '' && percent >= 0 && percent <= 100) return percent;
  throw new BadConfiguration(`${option} must be a number from 0 to 100.`);
}

/** Compares with the report in a file; undefined without a file. */
export function againstBaseline(file: string | undefined, mode: Report['mode']) {
  if (file === undefined) return undefined;
  const before = reportAt(file);
  if (before.mode !== mode)
    throw new BadConfiguration(`${file} reports a run in ${before.mode} mode, but this run is in ${mode} mode.`);
  return ({ scenarios }: Report): Compared => compared(before.scenarios, scenarios);
}

/** The report of an earlier run. */
export function reportAt(file: string): Report {
  const text = checkedFile(() => readText('baseline', file));
  try {
    return reportSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BadConfiguration(`${file} is not a report of "purser eval": name the report.json of an earlier run.`, {
      cause: error,
    });
  }
}

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
  throw new BadConfiguration(`${option} must be a whole number of at most nine digits.`);
}

/** Another seed every day, so that nobody works for one. */
export const ofToday = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '');

/** A number of things to do, of which there must be one. */
export function countIn(given: string, option: string): number {
  const count = wholeIn(given, option);
  if (count >= 1) return count;
  throw new BadConfiguration(`${option} must be at least 1.`);
}

/** A day, beyond which nobody waits and no timer goes. */
const mostSeconds = 86_400;

/** A time to wait: more than nothing, and parts of a second count. */
export function secondsIn(given: string, option: string): number {
  const seconds = Number(given);
  if (/^\d+(\.\d+)?$/.test(given) && seconds > 0 && seconds <= mostSeconds) return seconds;
  throw new BadConfiguration(`${option} must be a number of seconds, more than 0 and at most ${mostSeconds}.`);
}

/** Rejects options that mean nothing here; the sentence goes on after the option. */
export function refuseGiven<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
  because: string,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const option = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new BadConfiguration(`--${option} ${because}`);
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
  requireMode(file, before, `this run is in ${mode} mode`, mode);
  return ({ scenarios }: Report): Compared => compared(before.scenarios, scenarios);
}

/** A script and a model do not fail alike: what one did says nothing of the other. */
export function requireMode(file: string, report: Report, other: string, mode: Report['mode']): void {
  if (report.mode !== mode)
    throw new BadConfiguration(`${file} reports a run in ${report.mode} mode, but ${other}: compare runs of one mode.`);
}

/** The report of an earlier run. */
export function reportAt(file: string): Report {
  const text = checkedFile(() => readText('earlierReport', file));
  try {
    return reportSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BadConfiguration(`${file} is not a report of "purser eval": name the report.json of an earlier run.`, {
      cause: error,
    });
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { junit } from '../../evals/reports/junit.ts';
import { markdown } from '../../evals/reports/markdown.ts';
import type { Report } from '../../evals/reports/report.ts';
import { BadConfiguration } from '../config.ts';

/** The reports that can be written, by the name that `--report` gives them. */
const writers = {
  json: { file: 'report.json', text: (report: Report) => `${JSON.stringify(report)}\n` },
  junit: { file: 'junit.xml', text: junit },
  md: { file: 'summary.md', text: markdown },
} as const;
type Format = keyof typeof writers;

export function formatsOf(given: string | undefined): readonly Format[] {
  const names = (given ?? '').split(',').filter((name) => name !== '');
  const stranger = names.find((name) => !Object.hasOwn(writers, name));
  if (stranger === undefined) return names as Format[];
  throw new BadConfiguration(
    `There is no report ${stranger}: say ${Object.keys(writers).join(', ')}, separated by commas.`,
  );
}

export function write(report: Report, formats: readonly Format[], folder: string): void {
  if (formats.length > 0) mkdirSync(folder, { recursive: true });
  for (const format of formats) {
    const { file, text } = writers[format];
    writeFileSync(join(folder, file), text(report));
  }
}

import { join } from 'node:path';
import type { Report } from '../../../evals/harness/reports/report.ts';
import { didYouMean } from '../../engine/closest-name.ts';
import { makeFolders, replaceFile } from '../../files/write.ts';
import { BadConfiguration } from '../bad-configuration.ts';

/** The report formats of `--report`. Each is loaded when it is needed. */
const writers = {
  json: { file: 'report.json', load: async () => (report: Report) => `${JSON.stringify(report)}\n` },
  junit: { file: 'junit.xml', load: async () => (await import('../../../evals/harness/reports/junit.ts')).junit },
  md: { file: 'summary.md', load: async () => (await import('../../../evals/harness/reports/markdown.ts')).markdown },
  html: {
    file: 'report.html',
    load: async () => (await import('../../../evals/harness/reports/html/page.ts')).htmlPage,
  },
  otel: { file: 'traces.json', load: async () => (await import('../../../evals/harness/reports/otel.ts')).otel },
} as const;
type Format = keyof typeof writers;

/** The formats of the reports. Their folder is made before anything is played, because a run takes long. */
export function formatsOf(given: string | undefined, folder: string): readonly Format[] {
  const names = (given ?? '').split(',').filter((name) => name !== '');
  const stranger = names.find((name) => !Object.hasOwn(writers, name));
  if (stranger === undefined) {
    if (names.length > 0) makeFolders('report', folder);
    return names as Format[];
  }
  throw new BadConfiguration(
    `--report: there is no format ${stranger}${didYouMean(stranger, Object.keys(writers))}. Use ${Object.keys(writers).join(', ')}, separated by commas.`,
  );
}

export async function write(report: Report, formats: readonly Format[], folder: string): Promise<void> {
  for (const format of formats) {
    const { file, load } = writers[format];
    const text = await load();
    replaceFile('report', join(folder, file), text(report));
  }
}

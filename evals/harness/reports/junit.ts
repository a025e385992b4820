import { figuresOf, scoreNames, scoreOf } from './figures.ts';
import type { Report } from './report.ts';

/** The report as JUnit XML, which every CI reads: a suite for each domain, a case for each scenario, one more for each gate and each trial that was lost. */
export function junit(report: Report): string {
  const { scenarios, gates, summary, live } = report;
  const scores = new Map(live?.scenarios.map((it) => [it.id, it]));
  const domains = Map.groupBy(scenarios, ({ id }) => id.replace(/-\d{3}-.*/, ''));
  const unmet = gates.filter(({ met }) => !met);
  const suites = [...domains].map(([domain, all]) => {
    const failed = all.filter(({ verdict }) => verdict === 'fail').length;
    const errors = all.filter(({ verdict }) => verdict === 'judge error').length;
    const head = `  <testsuite name="${xml(domain)}" tests="${all.length}" failures="${failed}" errors="${errors}" time="${seconds(sum(all))}">`;
    return [head, ...all.map((it) => testCase(it, scores.get(it.id))), '  </testsuite>'].join('\n');
  });
  const gateSuite = [
    `  <testsuite name="gates" tests="${gates.length}" failures="${unmet.length}" errors="0" time="0">`,
    ...gates.map(({ name, met, says }) =>
      met
        ? `    <testcase classname="gates" name="${xml(name)}" time="0"/>`
        : `    <testcase classname="gates" name="${xml(name)}" time="0"><failure message="${xml(says)}"/></testcase>`,
    ),
    '  </testsuite>',
  ];
  const lost = live?.infrastructure ?? [];
  const all = `tests="${scenarios.length + lost.length + gates.length}" failures="${summary.failed + unmet.length}" errors="${summary.judgeErrors + lost.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="purser eval" ${all} time="${seconds(summary.milliseconds)}">`,
    ...suites,
    ...(live === undefined
      ? []
      : [
          `  <testsuite name="trials" tests="${lost.length}" failures="0" errors="${lost.length}" time="0">`,
          `    ${properties(figuresOf(report).map(({ name, value }) => [name, value]))}`,
          ...lost.map(
            ({ scenario, trial, because }) =>
              `    <testcase classname="trials" name="${xml(`${scenario}, trial ${trial}`)}" time="0"><error message="${xml(because)}" type="lost"/></testcase>`,
          ),
          '  </testsuite>',
        ]),
    ...(gates.length === 0 ? [] : gateSuite),
    '</testsuites>\n',
  ].join('\n');
}

type Scenario = Report['scenarios'][number];

type Score = NonNullable<Report['live']>['scenarios'][number];

function testCase({ id, title, file, verdict, failures, milliseconds }: Scenario, score: Score | undefined): string {
  const head = `    <testcase classname="${xml(id)}" name="${xml(title)}" file="${xml(file)}" time="${seconds(milliseconds)}"`;
  const told = score === undefined ? '' : properties(scoreOf(score).map((value, at) => [scoreNames[at] ?? '', value]));
  if (verdict === 'pass') return told === '' ? `${head}/>` : `${head}>${told}</testcase>`;
  const kind = verdict === 'fail' ? 'failure' : 'error';
  const [first] = failures;
  const text = failures.map(({ grader, at, because }) => `${grader}: ${at}: ${because}`).join('\n');
  return `${head}>${told}<${kind} message="${xml(first?.because ?? verdict)}" type="${first?.grader ?? ''}">${xml(text)}</${kind}></testcase>`;
}

const properties = (all: readonly (readonly [string, string])[]): string =>
  `<properties>${all.map(([name, value]) => `<property name="${xml(name)}" value="${xml(value)}"/>`).join('')}</properties>`;

const sum = (all: readonly Scenario[]): number => all.reduce((total, it) => total + it.milliseconds, 0);
const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Text in XML: its signs as entities, and without what XML can't hold. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 does not allow
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

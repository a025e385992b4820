import { type Configuration, loadConfiguration } from '../config.ts';
import { checkClock } from '../doctor/clock.ts';
import { checkFiles } from '../doctor/files.ts';
import { type Finding, fail, ok } from '../doctor/finding.ts';
import { checkLedger } from '../doctor/ledger.ts';
import { checkPlatform } from '../doctor/platform.ts';
import { checkSettings } from '../doctor/settings.ts';
import type { Common } from '../main.ts';
import { columns, say, sayJson } from '../say.ts';

/** `purser doctor`: looks at everything a start needs, goes on after the first fault, and says what to do. */
export async function doctor(options: Common): Promise<number> {
  const findings = await examine(options);
  const sound = findings.every(({ verdict }) => verdict !== 'fail');
  if (options.json) sayJson({ sound, findings });
  else
    say(
      `${columns(findings.map(row))}\n\n${sound ? 'Purser can start.' : 'Something must be mended first: do what the lines with "fail" say.'}`,
    );
  return sound ? 0 : 1;
}

async function examine({ data }: Common): Promise<readonly Finding[]> {
  const node = ok('Node', process.versions.node);
  const read = await configuration(data);
  if ('verdict' in read) return [node, read, checkClock()];
  const given = ok(
    'configuration',
    process.env.PURSER_CONFIG ?? 'purser.config.yaml where there is one, and the environment',
  );
  return [
    node,
    given,
    ...checkSettings(read),
    checkClock(),
    ...(await checkPlatform(read)),
    // The modes first: whoever opens the ledger takes wider ones back.
    ...checkFiles(read),
    ...(await checkLedger(read)),
  ];
}

async function configuration(data: string | undefined): Promise<Configuration | Finding> {
  try {
    return await loadConfiguration(process.env, { data });
  } catch (error) {
    return fail('configuration', "can't be used", error instanceof Error ? error.message : 'Correct it.');
  }
}

const row = ({ verdict, about, found, todo }: Finding): readonly string[] => [
  verdict,
  about,
  todo === undefined ? found : `${found}. ${todo}`,
];

import { wallClock } from '../compose.ts';
import { loadConfiguration } from '../config.ts';
import type { Configuration } from '../configuration.ts';
import { ignoredSentence, shortDigest } from '../configuration-digest.ts';
import { checkClock } from '../doctor/clock.ts';
import { checkFiles } from '../doctor/files.ts';
import { type Finding, fail, ok, warn } from '../doctor/finding.ts';
import { checkLedger } from '../doctor/ledger.ts';
import { checkPlatform } from '../doctor/platform.ts';
import { checkReader } from '../doctor/reader.ts';
import { checkSettings } from '../doctor/settings.ts';
import type { Common } from '../options.ts';
import { paint, say, sayJson } from '../output.ts';
import { state } from '../state-style.ts';
import { type Cell, table } from '../table.ts';

/** `purser doctor`: looks at everything a start needs, goes on after the first fault, and says what to do. */
export async function doctor(options: Common): Promise<number> {
  const findings = await examine(options);
  const sound = findings.every(({ verdict }) => verdict !== 'fail');
  if (options.json) sayJson({ sound, findings });
  else
    say([
      table(findings.map(row)),
      '\n\n',
      sound
        ? paint('good', 'Purser can start.')
        : paint('bad', 'Something must be mended first: do what the lines with "fail" say.'),
    ]);
  return sound ? 0 : 1;
}

async function examine(options: Common): Promise<readonly Finding[]> {
  const node = ok('Node', process.versions.node);
  const read = await configuration(options);
  if ('verdict' in read) return [node, read, checkClock()];
  return [
    node,
    ...checkSource(read),
    ...checkSettings(read, wallClock.now()),
    checkClock(),
    ...(await checkPlatform(read)),
    ...(await checkReader(read)),
    // The modes first: opening the ledger would narrow wider ones.
    ...checkFiles(read),
    ...(await checkLedger(read)),
  ];
}

async function configuration(options: Common): Promise<Configuration | Finding> {
  try {
    return await loadConfiguration(process.env, options);
  } catch (error) {
    return fail('configuration', "can't be used", error instanceof Error ? error.message : 'Correct it.');
  }
}

/** Which configuration this is, and what it was not read from. */
function checkSource(read: Configuration): readonly Finding[] {
  const { file, ignored } = read;
  return [
    ok(
      'configuration',
      `${shortDigest(read)}, from ${file === undefined ? 'the environment alone' : `${file} and the environment`}`,
    ),
    ...(ignored === undefined ? [] : [warn('ignored file', ignored.found, ignoredSentence(ignored))]),
  ];
}

const row = ({ verdict, about, found, todo }: Finding): readonly Cell[] => [
  state(verdict),
  about,
  todo === undefined ? found : `${found}. ${todo}`,
];

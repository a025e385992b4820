import { basename, extname } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import {
  isUnstartable,
  reasonOf,
  type Server,
  secretsOf,
  transportTo,
} from '../../../evals/harness/external/server.ts';
import { serverPlace } from '../../../evals/harness/external/target.ts';
import { draftFile } from '../../../evals/harness/record/draft.ts';
import { recordBetween } from '../../../evals/harness/record/proxy.ts';
import { readRecording, tryDraft } from '../../../evals/harness/record/record.ts';
import { BadRecording, type Recorded } from '../../../evals/harness/record/session.ts';
import { redactor } from '../../../evals/harness/redaction/redact.ts';
import { type Target, worldsAsTarget } from '../../../evals/harness/replay/target.ts';
import { loadFixture } from '../../../evals/harness/scenario/load.ts';
import { openTestHarness } from '../../../evals/harness/world/world.ts';
import { isThere } from '../../files/check.ts';
import { readText } from '../../files/read.ts';
import { writeNew } from '../../files/write.ts';
import { sandboxSeed } from '../../sandbox/index.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { guarded } from '../evals/ending.ts';
import { tell } from '../output.ts';
import { version } from '../version.ts';
import { serverOf } from './eval-server.ts';

/** Options of `purser eval record`. */
export interface RecordOptions {
  readonly from: string;
  readonly to: string;
  readonly title: string;
  readonly foreign?: true;
  readonly replayOn?: string;
  readonly serverEnv?: readonly string[];
  readonly fixture: string;
  readonly fixtures: string;
  readonly now?: string;
}

/** `purser eval record --from … --to …`. As a proxy, stdout belongs to the host, so messages go to stderr. */
export const recordScenario = (options: RecordOptions): Promise<number> =>
  guarded({}, async () => {
    if (isThere(options.to)) throw new BadConfiguration(`${options.to} already exists: name another file.`);
    const isFile = isThere(options.from);
    const server = serverOf({ ...options, server: options.from });
    const place = await placeOf(options, isFile ? undefined : server);
    const host = new StdioServerTransport();
    const stop = () => void host.close();
    // Hosts end a server two seconds after they close its input. The draft may take longer to replay.
    if (!isFile) process.on('SIGTERM', stop);
    try {
      const recorded = isFile ? readRecording(readText('recording', options.from)) : await throughProxy(host, server);
      const tried = await tryDraft(
        recorded,
        {
          id: basename(options.to, extname(options.to)),
          ...{ title: options.title, isPurser: options.foreign !== true, fixture: options.fixture, now: options.now },
          known: new Set(
            Object.entries(sandboxSeed.shoppers).flatMap(([name, { cards }]) => [
              name,
              ...cards.map(({ handle }) => handle),
            ]),
          ),
          redact: redactor(secretsOf(server)),
        },
        place,
      );
      writeNew('recording', options.to, draftFile(tried));
      for (const note of tried.notes) tell(note);
      tell(`${options.to} ${tried.isGreen ? 'holds a draft of the session' : 'does not replay as recorded'}.`);
      return tried.isGreen ? 0 : 1;
    } catch (error) {
      if (!(error instanceof BadRecording)) throw error;
      tell(error.message);
      return 3;
    } finally {
      process.off('SIGTERM', stop);
      await place?.close();
    }
  });

/** Proxies between the host that started this command and the server, until one of them closes. */
async function throughProxy(host: StdioServerTransport, server: Server): Promise<readonly Recorded[]> {
  const { transport, leave } = await transportTo(server);
  try {
    return await recordBetween({ host, upstream: transport, now: () => Date.now() });
  } catch (error) {
    if (isUnstartable(error)) throw new BadConfiguration(`--from: ${reasonOf(error, server)}`);
    throw error;
  } finally {
    await leave();
  }
}

/**
 * Where the draft is replayed: a sandbox world, or a fresh instance of the other server. Undefined for a URL, because
 * that server keeps what the session changed.
 */
async function placeOf(
  { foreign, replayOn, serverEnv = [], fixtures }: RecordOptions,
  server: Server | undefined,
): Promise<Target | undefined> {
  if (foreign !== true)
    return worldsAsTarget(await openTestHarness({ fixture: (name) => loadFixture(fixtures, name), version }));
  if (replayOn !== undefined) return serverPlace(serverOf({ server: replayOn, serverEnv }));
  return server === undefined || /^https?:/.test(server.at) ? undefined : serverPlace(server);
}

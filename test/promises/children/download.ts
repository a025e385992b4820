import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compose } from '../../../src/cli/compose.ts';
import { createHttpPlatform } from '../../../src/client/platform.ts';
import type { Progress } from '../../../src/core/outcome.ts';
import { createFileStore } from '../../../src/files/store.ts';
import { listen } from '../../../src/http/listen.ts';
import { createHttpFace } from '../../../src/http/server.ts';
import { agent, configuration } from '../../engine/support.ts';
import { secrets } from '../../faces/support.ts';
import { withLoyalty } from '../../support/made-up-domain.ts';
import { signedForSandbox } from '../../support/statements.ts';

// A Purser that downloads a small statement and then a large one, and serves the large one over HTTP: `download.ts BASE_URL FOLDER`.
// It says how much more memory it holds meanwhile, without what waits for the garbage collector: it runs with `--expose-gc`.

const [baseUrl = '', folder = ''] = process.argv.slice(2);
const running = await compose(configuration());
const platform = createHttpPlatform({ baseUrl });
const files = createFileStore({ folder: join(folder, 'files'), clock: { now: () => Date.now() } });
const engine = withLoyalty(running.engine.parts, { served: platform, baseUrl, signer: signedForSandbox(), files });
const face = createHttpFace({ engine, tokens: secrets, tenant: 'default', version: '0.0.0' });
const served = await listen(face, { port: 0 });
const held = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_024;
};
const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

await engine.call('get_statement', { month: 'small' }, agent);
const before = held();
let most = before;
const tenths = new Set<number>();
const onProgress = ({ fraction = 0 }: Progress) => {
  const tenth = Math.floor(fraction * 10);
  if (!tenths.has(tenth)) most = Math.max(most, held());
  tenths.add(tenth);
};
const { file } = await engine.call('get_statement', { month: 'large' }, agent, { onProgress });
say({ file, url: served.url, measured: tenths.size, grownKilobytes: Math.round(most - before) });
createInterface(process.stdin).on('line', async (line) => {
  say({ grownKilobytes: Math.round(held() - before) });
  if (line !== 'end') return;
  await served.close();
  await platform.close();
  await running.close();
  process.exit();
});

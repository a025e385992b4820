import { inspect } from 'node:util';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';

// Reads its configuration, asks what it must not ask, and prints whatever it gets, configuration and errors included.

const [secret = ''] = process.argv.slice(2);
try {
  const configuration = readConfiguration(process.env);
  const running = await compose(configuration);
  const caller = { tenant: 'default', principal: 'agent' };
  const { vault, client, settings } = running.engine.parts;
  console.log(inspect({ configuration, vault, client, settings }, { depth: 6, showHidden: true }));
  console.log(JSON.stringify(configuration));
  for (const tool of ['find_shopper', 'enroll_card', secret])
    console.log(inspect(await running.engine.call(tool, { name: secret, card: secret }, caller), { depth: 10 }));
  await running.close();
} catch (error) {
  console.error(inspect(error, { depth: 10, showHidden: true }));
}

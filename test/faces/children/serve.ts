import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import { Secret } from '../../../src/core/secret.ts';
import { listen } from '../../../src/http/listen.ts';
import { createHttpFace } from '../../../src/http/server.ts';
import { serveStdio } from '../../support/serve-stdio.ts';

// A Purser of its own: MCP over stdio for the agent, and HTTP for everybody else. The first line of stderr is the address.

const running = await compose(readConfiguration({ PURSER_DATA: ':memory:', PURSER_TOOLSETS: 'all' }));
const { engine, sandbox } = running;
const face = createHttpFace({
  engine,
  tenant: 'default',
  version: '0.0.0',
  tokens: {
    agent: new Secret<string>('agent-token-0001'),
    app: new Secret<string>('app-token-0002'),
    reader: new Secret('reader-token-0004'),
    person: new Secret<string>('person-token-0003'),
  },
  sandbox,
});
const served = await listen(face, { port: 0 });
process.stderr.write(`${served.url}\n`);
const { closed } = serveStdio({
  engine,
  caller: { tenant: 'default', principal: 'agent' },
  version: '0.0.0',
  stdin: process.stdin,
  stdout: process.stdout,
  onFailure: (failure) => process.stderr.write(`${String(failure)}\n`),
});
await closed;
await served.close();
await running.close();
process.stderr.write('closed\n');

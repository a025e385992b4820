import { resolve } from 'node:path';
import type { Secret } from '../../core/secret.ts';
import { type Channel, overHttp } from '../../engine/approval-channels.ts';
import { realPathOf } from '../../files/read.ts';
import { listen } from '../../http/listen.ts';
import { createHttpFace } from '../../http/server.ts';
import { openBridge } from '../../reader/bridge.ts';
import { subprotocol } from '../../reader/protocol.ts';
import { readerTransport } from '../../reader/transport.ts';
import { simulatedUntilConnected } from '../../reader/until-connected.ts';
import { inBackground } from '../background.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { wallClock } from '../compose.ts';
import { deliveriesOf } from '../deliveries.ts';
import { portIn } from '../environment.ts';
import { hostConfigurations } from '../hosts.ts';
import { realIds } from '../ids.ts';
import { reachOf } from '../operator-command.ts';
import type { Common, ToolOptions } from '../options.ts';
import { failed, say, sayJson } from '../output.ts';
import { prompts } from '../prompts.ts';
import { configuredToServe, onStop, tellAuditHead, tellStart } from '../session.ts';
import { started } from '../start.ts';
import { openTokens } from '../tokens.ts';
import { version } from '../version.ts';

/**
 * `purser serve`: serves MCP, the merchant's app and the approval page over HTTP, until the process is asked to end.
 */
export async function serve(options: Common & ToolOptions & { readonly port?: string }): Promise<number> {
  const configuration = await configuredToServe(options);
  const port = options.port === undefined ? configuration.port : portIn(options.port, '--port');
  let origin: string | undefined;
  let linkKey: Secret<string> | undefined;
  const reach = { ...reachOf(configuration, process.env), page: () => origin, linkKey: () => linkKey };
  let hasConnected = false;
  // No app connects before there is an engine.
  const bridge = openBridge({
    ...{ version, newId: realIds.uuid, configuration: configuration.sdk },
    onConnected: () => {
      hasConnected = true;
      void askReader();
    },
    onLateEnd: () => void askReader(),
  });
  const transport = readerTransport(bridge.reader);
  // What can't be asked now is asked by the next recovery.
  const askReader = () => inBackground(running.engine.askReader(configuration.tenant), failed);
  const running = await started(configuration, {
    reach,
    reader: (tenant, simulated) =>
      tenant === configuration.tenant ? simulatedUntilConnected(simulated, transport, () => hasConnected) : simulated,
  });
  try {
    const { tokens, files, agent } = openTokens(configuration);
    linkKey = tokens.person;
    const { sandbox } = running;
    const face = createHttpFace({
      engine: running.engine,
      prompts,
      tokens,
      tenant: configuration.tenant,
      publicUrl: configuration.publicUrl,
      version,
      clock: wallClock,
      deliveries: deliveriesOf(configuration, sandbox),
      onFailure: failed,
      sandbox,
      reader: { protocol: subprotocol, accept: bridge.accept, connected: bridge.connected },
    });
    const listening = await listen(face, { port }).catch((error: unknown) => {
      // The message says why the port is unavailable. There is nothing to add.
      throw new BadConfiguration(error instanceof Error ? error.message : 'The port is unavailable.', { cause: error });
    });
    origin = configuration.publicUrl ?? listening.url;
    if (sandbox !== undefined) {
      const { subscribeHere } = await import('../sandbox-subscription.ts'); // a start with a real platform has no use for it
      await subscribeHere(sandbox, listening.url);
    }
    tellStart(configuration);
    const stopped = new Promise<void>((stop) => onStop(stop));
    const url = `${listening.url}/mcp`;
    const hosts = hostConfigurations({
      url,
      token: agent,
      node: process.execPath,
      script: scriptPath(),
      data: resolve(configuration.data),
      config: options.config === undefined ? undefined : configuration.file,
      choice: toldOf(options),
    });
    if (options.json)
      sayJson({ url, environment: running.engine.environment, data: configuration.data, tokens: files, hosts });
    else
      say(
        welcome({
          ...{ url, environment: running.engine.environment, data: configuration.data, files, hosts },
          channels: overHttp(configuration.channels),
        }),
      );
    await stopped;
    // First, so that no call waits for a customer any more.
    bridge.close();
    await listening.close();
    await tellAuditHead(running);
    return 0;
  } finally {
    bridge.close();
    await running.close();
  }
}

/** The options about tools, as given. */
const toldOf = ({ toolsets, tools, excludeTools, readOnly }: ToolOptions): readonly string[] => [
  ...(toolsets === undefined ? [] : ['--toolsets', toolsets]),
  ...(tools === undefined ? [] : ['--tools', tools]),
  ...(excludeTools === undefined ? [] : ['--exclude-tools', excludeTools]),
  ...(readOnly === true ? ['--read-only'] : []),
];

/** The path of this command, for a host's configuration. */
const scriptPath = (): string => realPathOf(process.argv[1] ?? '');

function welcome({
  url,
  environment,
  data,
  files,
  hosts,
  channels,
}: {
  readonly url: string;
  readonly environment: string;
  readonly data: string;
  readonly files: { readonly [role: string]: string };
  readonly hosts: ReturnType<typeof hostConfigurations>;
  readonly channels: readonly Channel[];
}): string {
  return `Purser ${version} is serving.

  MCP          ${url}
  Environment  ${environments[environment]}
  Data         ${data}
  Tokens       agent   ${files.agent}  (part of the configuration below)
               app     ${files.app}  (for the merchant's app: POST /shoppers, /receipts)
               person  ${files.person}  (for people who approve; never give it to an agent)
               reader  ${files.reader}  (for the app at the card reader, which connects to ${new URL('/reader', url.replace(/^http/, 'ws')).href})

Connect a host over stdio (Claude Desktop, Claude Code and most others: "mcpServers"). It starts Purser itself:

${hosts.stdio}

Connect a host over HTTP:

${hosts.http}

VS Code, in .vscode/mcp.json:

${hosts.vscode}

What waits for a person is listed, in another terminal, by:

${hosts.approvals}

${
  channels.includes('page')
    ? `A person can also decide them at ${new URL('/approve/', url).href}

`
    : ''
}${channels.length === 0 ? 'No approval counts here' : `Approvals count by ${channels.join(', ')}`}. To stop: Ctrl+C.`;
}

const environments: { readonly [name: string]: string } = {
  sandbox: 'sandbox (embedded: no real card, no real money)',
  test: "test (the platform's test system)",
  live: 'live (real cards, real money)',
};

import { resolve } from 'node:path';
import type { Channel } from '../../engine/approval-channels.ts';
import { realPathOf } from '../../files/read.ts';
import { listen } from '../../http/listen.ts';
import { createHttpFace } from '../../http/server.ts';
import { wallClock } from '../compose.ts';
import type { ToolOptions } from '../config.ts';
import { BadConfiguration, portIn } from '../config.ts';
import { hostConfigurations } from '../hosts.ts';
import type { Common } from '../main.ts';
import { reachOf } from '../operator-command.ts';
import { say, sayJson } from '../output.ts';
import { prompts } from '../prompts.ts';
import { configuredToServe, failed, onStop, tellAuditHead, tellStart } from '../session.ts';
import { started } from '../start.ts';
import { openTokens } from '../tokens.ts';
import { version } from '../version.ts';

/** `purser serve`: serves MCP, the merchant's app and people over HTTP, until the process is asked to end. */
export async function serve(options: Common & ToolOptions & { readonly port?: string }): Promise<number> {
  const configuration = await configuredToServe(options);
  const port = options.port === undefined ? configuration.port : portIn(options.port, '--port');
  let origin: string | undefined;
  const reach = { ...reachOf(configuration, process.env), page: () => origin };
  const running = await started(configuration, { reach });
  try {
    const { tokens, files, agent } = openTokens(configuration.data);
    const { sandbox } = running;
    const face = createHttpFace({
      engine: running.engine,
      prompts,
      tokens,
      tenant: configuration.tenant,
      publicUrl: configuration.publicUrl,
      version,
      clock: wallClock,
      onFailure: failed,
      ...(sandbox === undefined ? {} : { sandboxControl: (request: Request) => sandbox.handle(request) }),
    });
    const listening = await listen(face, { port }).catch((error: unknown) => {
      // It says in one sentence why a port can't be had; there is nothing else that it does.
      throw new BadConfiguration(error instanceof Error ? error.message : "The port can't be had.", { cause: error });
    });
    origin = configuration.publicUrl ?? listening.url;
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
          channels: configuration.channels,
        }),
      );
    await stopped;
    await listening.close();
    await tellAuditHead(running);
    return 0;
  } finally {
    await running.close();
  }
}

/** The options about tools, as they were told. */
const toldOf = ({ toolsets, tools, excludeTools, readOnly }: ToolOptions): readonly string[] => [
  ...(toolsets === undefined ? [] : ['--toolsets', toolsets]),
  ...(tools === undefined ? [] : ['--tools', tools]),
  ...(excludeTools === undefined ? [] : ['--exclude-tools', excludeTools]),
  ...(readOnly === true ? ['--read-only'] : []),
];

/** The command itself, as a host must name it. */
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
  Tokens       agent   ${files.agent}  (stands in the configuration below)
               app     ${files.app}  (for the merchant's app: POST /shoppers, /receipts)
               person  ${files.person}  (for people who approve; never give it to an agent)

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
    ? `A person can also see and decide them at ${new URL('/approve/', url).href}

`
    : ''
}Approvals count by ${channels.join(', ')}. To stop: Ctrl+C.`;
}

const environments: { readonly [name: string]: string } = {
  sandbox: 'sandbox (embedded: no real card, no real money)',
  test: "test (the platform's test system)",
  live: 'live (real cards, real money)',
};

import { shellWord } from '../engine/approval-links.ts';

/** How a host, or a person in another terminal, is told to reach this Purser, as text to paste. */
export function hostConfigurations({
  url,
  token,
  node,
  script,
  data,
  config,
  choice = [],
}: {
  readonly url: string;
  readonly token: string;
  readonly node: string;
  readonly script: string;
  readonly data: string;
  /** The configuration file, where somebody named one. */
  readonly config?: string | undefined;
  /** What this process was told of the tools: a host's own one is told the same. */
  readonly choice?: readonly string[];
}): { readonly stdio: string; readonly http: string; readonly vscode: string; readonly approvals: string } {
  const same = ['--data', data, ...(config === undefined ? [] : ['--config', config])];
  const command = { command: node, args: [script, 'mcp', ...same, ...choice] };
  const remote = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return {
    stdio: text({ mcpServers: { purser: command } }),
    http: text({ mcpServers: { purser: remote } }),
    vscode: text({ servers: { purser: { type: 'stdio', ...command }, 'purser-http': remote } }),
    approvals: [node, script, 'approvals', 'list', ...same].map(shellWord).join(' '),
  };
}

const text = (value: unknown): string => JSON.stringify(value, null, 2);

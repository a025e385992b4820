import { shellWord } from '../engine/approval-links.ts';

/** Configuration to paste into hosts, and the command for a person in another terminal. */
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
  /** The configuration file, if it was named. */
  readonly config?: string | undefined;
  /** The tool options of this process, repeated for the host's own process. */
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

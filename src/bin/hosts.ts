/** How a host is told to reach this Purser, as text to paste. */
export function hostConfigurations({
  url,
  token,
  node,
  script,
  data,
}: {
  readonly url: string;
  readonly token: string;
  readonly node: string;
  readonly script: string;
  readonly data: string;
}): { readonly stdio: string; readonly http: string; readonly vscode: string } {
  const command = { command: node, args: [script, 'mcp', '--data', data] };
  const remote = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return {
    stdio: text({ mcpServers: { purser: command } }),
    http: text({ mcpServers: { purser: remote } }),
    vscode: text({ servers: { purser: { type: 'stdio', ...command }, 'purser-http': remote } }),
  };
}

const text = (value: unknown): string => JSON.stringify(value, null, 2);

// `npm run dev`: serves MCP from the source, and starts again after a change of a file. Another command is run as it is given,
// as by the host whose configuration `serve` prints. Always the sandbox: code that is being changed must not reach real money.
process.env.PURSER_ENVIRONMENT = 'sandbox';
if (process.argv[2]?.startsWith('-') !== false) process.argv.splice(2, 0, 'serve');
await import('../src/cli/purser.ts');

export {};

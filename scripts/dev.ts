// `npm run dev`: serves MCP from the source, and starts again after a change of a file. Always the sandbox: code that is being
// changed must not reach real money.
process.env.PURSER_ENVIRONMENT = 'sandbox';
process.argv.splice(2, 0, 'serve');
await import('../src/cli/purser.ts');

export {};

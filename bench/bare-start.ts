import { enableCompileCache } from 'node:module';

// The bare server is started as the command is: a small file that turns the compile cache on, then the rest.
enableCompileCache(process.argv[2]);
await import('./bare.ts');

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { add, compiler, type Packed, packed } from '../support/packed.ts';

// The package as others install it, in a folder of theirs that has nothing else.

const run = promisify(execFile);
let here: Packed;
// Two compilations of all declarations: longer than the usual bound on a busy machine.
const bound = 180_000;
beforeAll(async () => {
  here = await packed();
}, bound);
afterAll(() => here.remove());

const strict = {
  ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'ES2024', module: 'NodeNext' },
};

/** What the compiler says of a program, by its exit code and lines. */
async function compiled(name: string, text: string, more: object = {}): Promise<string> {
  const at = (file: string) => join(here.folder, file);
  writeFileSync(at('package.json'), '{ "type": "module" }');
  writeFileSync(at(`${name}.ts`), text);
  writeFileSync(
    at('tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...more }, files: [`${name}.ts`] }),
  );
  return run(process.execPath, [compiler, '-p', here.folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

/** What a compiled program, or one in JavaScript, prints. */
const ran = async (...args: readonly string[]) => (await run(process.execPath, [...args], { cwd: here.folder })).stdout;

const begin = `import { compose, loadConfiguration } from 'purser';
const purser = await compose(await loadConfiguration({ PURSER_DATA: ':memory:' }));
const caller = { tenant: 'default', principal: 'a program' };`;

describe('the package without its optional peers', { timeout: bound }, () => {
  it('compiles under strict, with the declarations of libraries checked too, and runs', async () => {
    const program = `${begin}
const { outcome } = await purser.engine.call('find_shopper', { name: 'Ada' }, caller);
process.stdout.write(outcome);
await purser.close();`;
    expect(await compiled('alone', program)).toBe('');
    expect(await ran('alone.js')).toBe('done');
  });

  it.each([
    ['purser/langchain', 'langchainTools(purser.engine, caller)', '@langchain/core'],
    ['purser/ai-sdk', 'aiSdkTools(purser.engine, caller)', 'ai'],
    ['purser/evals', "toVitest('scenarios')", 'vitest'],
  ])('names in one sentence what %s needs', async (entry, call, peer) => {
    const [name] = call.split('(');
    const program = `${begin}
const { ${name} } = await import('${entry}');
await ${call}.catch(({ name, message }) => process.stdout.write(name + ': ' + message));
await purser.close();`;
    const sentence = await ran('--input-type=module', '--eval', program);
    expect(sentence).toMatch(/^MissingPeer: [^\n.]+$/);
    expect(sentence).toContain(`${entry} needs the package ${peer}, which is not installed: npm install ${peer}`);
  });

  it('makes tools for the openai package, which it needs for its types alone', async () => {
    const program = `${begin}
const { openaiTools } = await import('purser/openai');
process.stdout.write(String(openaiTools(purser.engine).chat.length > 0));
await purser.close();`;
    expect(await ran('--input-type=module', '--eval', program)).toBe('true');
  });
});

describe('the package beside its optional peers', { timeout: bound }, () => {
  it('compiles under strict in every entry, and makes their tools', async () => {
    add(here, ['@langchain/core', 'ai', 'openai', 'vitest']);
    const program = `${begin}
import { aiSdkTools } from 'purser/ai-sdk';
import { defineScenario } from 'purser/evals';
import { langchainTools } from 'purser/langchain';
import { openaiTools } from 'purser/openai';
const { tools } = await aiSdkTools(purser.engine, caller);
const langchain = await langchainTools(purser.engine, caller);
const openai = openaiTools(purser.engine);
const counts = new Set([Object.keys(tools).length, langchain.length, openai.chat.length, openai.responses.length]);
process.stdout.write(counts.size + ' ' + typeof defineScenario);
await purser.close();`;
    // The frameworks' own declarations are not ours to check.
    expect(await compiled('beside', program, { skipLibCheck: true })).toBe('');
    expect(await ran('beside.js')).toBe('1 function');
  });
});

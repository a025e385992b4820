/**
 * Writes the parts of README and docs that are made from the code, between `<!-- generated: NAME -->` and
 * `<!-- /generated -->`, and the files that are made as a whole. With `--check` it writes nothing, names what is stale and ends with 1.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sections, wholes } from './sections/index.ts';

/** The pages with a generated part, as they are and as they should be. */
export interface Page {
  readonly page: string;
  readonly is: string;
  readonly should: string;
  /** Names of the sections that differ. */
  readonly stale: readonly string[];
}

/** Makes the text of every section. */
export const makeSections = (): Promise<readonly Made[]> =>
  Promise.all(sections.map(async ({ make, ...section }) => ({ ...section, text: await make() })));

/** Works out the pages below a folder, by default the project's. `made`: texts that are made already. */
export async function pages(root = project, made?: readonly Made[]): Promise<readonly Page[]> {
  const texts = made ?? (await makeSections());
  const files = wholes.map(({ page, make }): Page => {
    const file = new URL(page, root);
    const is = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const should = make();
    return { page, is, should, stale: is === should ? [] : ['all of it'] };
  });
  const parts = [...new Set(sections.map(({ page }) => page))].map((page): Page => {
    const is = readFileSync(new URL(page, root), 'utf8');
    const own = texts.filter((section) => section.page === page);
    refuseUnknownNames(page, is, own);
    return {
      page,
      is,
      should: own.reduce((text, section) => replaced(text, section), is),
      stale: own.filter((section) => replaced(is, section) !== is).map(({ name }) => name),
    };
  });
  return [...parts, ...files];
}

/** Writes what is stale, or only reports it. Returns the exit code. */
export async function generate(
  isCheck: boolean,
  tell: (line: string) => void,
  root = project,
  made?: readonly Made[],
): Promise<number> {
  const differing = (await pages(root, made)).filter(({ stale }) => stale.length > 0);
  for (const { page, should, stale } of differing) {
    const names = stale.join(', ');
    if (isCheck) tell(`${page}: stale: ${names}. Run "npm run generate" and commit what it writes.`);
    else {
      writeFileSync(new URL(page, root), should);
      tell(`${page}: written: ${names}.`);
    }
  }
  return isCheck && differing.length > 0 ? 1 : 0;
}

const project = new URL('..', import.meta.url);

/** A section with its text. */
export interface Made {
  readonly page: string;
  readonly name: string;
  readonly text: string;
}

/** The text with a section in its place. Throws where the page has no place for it, or more than one. */
function replaced(text: string, { page, name, text: made }: Made): string {
  const [before, rest, ...more] = text.split(`<!-- generated: ${name} -->\n`);
  const end = rest?.indexOf('<!-- /generated -->') ?? -1;
  if (before === undefined || rest === undefined || more.length > 0 || end < 0)
    throw new Error(`${page} needs one "<!-- generated: ${name} -->" and, after it, "<!-- /generated -->".`);
  return `${before}<!-- generated: ${name} -->\n\n${made}\n\n${rest.slice(end)}`;
}

/** Throws for a marker that nothing fills. */
function refuseUnknownNames(page: string, text: string, own: readonly Made[]): void {
  const names = [...text.matchAll(/<!-- generated: (.*?) -->/g)].map(([, name = '']) => name);
  const stranger = names.find((name) => !own.some((section) => section.name === name));
  if (stranger !== undefined)
    throw new Error(`${page} has a section "${stranger}" that scripts/sections does not make.`);
}

if (import.meta.main)
  process.exitCode = await generate(process.argv.includes('--check'), (line) => process.stderr.write(`${line}\n`));

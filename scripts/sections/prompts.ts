import { prompts } from '../../src/cli/prompts.ts';
import { code, table } from './markdown.ts';

/** The page of the prompts, as a model gets them. */
export const promptPage = (): string =>
  [
    '# Prompts',
    'Briefs for whole pieces of work. A host offers them to its user (`prompts/list`), who fills in their arguments. Purser lists a\nprompt where it offers every tool that the prompt names. They are kept in `prompts/`, and the code fills in states and numbers.',
    ...prompts.flatMap(({ name, title, toolset, also = [], description, arguments: known, text }) => [
      `## ${title}`,
      `${code(name)}, of the ${also.length === 0 ? 'toolset' : 'toolsets'} ${[toolset, ...also].map(code).join(', ')}. ${description}`,
      table(
        ['Argument', 'What it is'],
        Object.entries(known).map(([argument, about]) => [code(argument), about]),
      ),
      text.replace(/^/gm, '> ').replace(/^> $/gm, '>'),
    ]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');

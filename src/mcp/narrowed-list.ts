import { narrowedWords } from '../engine/narrowed-words.ts';
import type { ListedTool } from './tool-registration.ts';

/** Some of a whole list's tools, in words that name no other. It needs no engine, so a start can narrow what the build has listed. */
export function narrowed<T extends ListedTool>(chosen: readonly T[], whole: readonly ListedTool[]): readonly T[] {
  const words = narrowedWords(chosen, whole);
  const inputs = new Map(whole.map(({ name, inputSchema }) => [name, inputSchema]));
  return chosen.map((tool) => {
    const { description, input } = words(tool);
    return { ...tool, description, inputSchema: input((name) => inputs.get(name) ?? tool.inputSchema) };
  });
}

import { z } from 'zod';
import { bare } from '../../src/core/fields.ts';
import { answerSchema } from '../../src/engine/answer.ts';
import { sourceOf } from '../../src/engine/shown.ts';
import type { Tool } from '../../src/engine/tool.ts';

// Every place of an answer where a text can stand, worked out from the shape of the tool that gives it.

export interface Place {
  readonly tool: string;
  /** Names of members; `[]` for an element. */
  readonly steps: readonly string[];
  /** `anybody`: whoever; `form`: a value of a certain form; `purser`: Purser and its operator. */
  readonly by: 'anybody' | 'form' | 'purser';
}

/** A member that no shape declares. */
const undeclared = 'unheard_of';

/** Places of the data that a tool shows, and of answers of other tools that stand in them. */
export const placesOf = (tool: Tool): readonly Place[] =>
  placesIn(tool.outputSchema, []).map((place) => ({ ...place, tool: tool.name }));

/** Places that every answer has around its data. */
export const placesAround = (): readonly Omit<Place, 'tool'>[] =>
  placesIn(answerSchema(z.never()), []).filter(({ steps }) => !['data', undeclared].includes(steps[0] ?? ''));

function placesIn(schema: z.ZodType, steps: readonly string[]): readonly Omit<Place, 'tool'>[] {
  const shape = bare(schema);
  const source = sourceOf(shape);
  if (source !== undefined && 'by' in source) return [{ steps, by: 'purser' }];
  if (shape instanceof z.ZodArray) return placesIn(shape.element as z.ZodType, [...steps, '[]']);
  if (shape instanceof z.ZodObject) {
    const declared = Object.entries(shape.shape).flatMap(([name, child]) =>
      placesIn(child as z.ZodType, [...steps, name]),
    );
    return shape.def.catchall === undefined
      ? declared
      : [...declared, { steps: [...steps, undeclared], by: 'anybody' as const }];
  }
  if (shape instanceof z.ZodNumber || shape instanceof z.ZodBoolean || shape instanceof z.ZodNever) return [];
  if (shape instanceof z.ZodEnum || shape instanceof z.ZodLiteral) return [{ steps, by: 'form' }];
  return [{ steps, by: source !== undefined && 'form' in source ? 'form' : 'anybody' }];
}

/** Data that hold nothing but a text at one place. */
export const planted = ([step, ...more]: readonly string[], text: string): unknown => {
  if (step === undefined) return text;
  const below = planted(more, text);
  return step === '[]' ? [below] : { [step]: below };
};

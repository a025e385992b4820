import { z } from 'zod';
import { bare, fieldOf } from '../core/fields.ts';
import { memberOf } from '../core/members.ts';
import { answerSchema } from './answer.ts';
import { ownWords, sourceOf } from './shown.ts';
import { operationOf, type Tool } from './tool.ts';

/** An answer about to be returned, with its tool and arguments. */
interface Leaving {
  readonly tool: Tool | undefined;
  readonly args: unknown;
  /** All tools: an answer may contain another tool's answer. */
  readonly tools: ReadonlyMap<string, Tool>;
}

/**
 * The texts of an answer that may have been written by others than Purser and its operator, according to its schema.
 * Undeclared text counts.
 */
export const textsIn = (answer: unknown, leaving: Leaving): readonly string[] => [
  ...new Set(textsOf(answer, answerShape(leaving.tool), leaving, leaving.args)),
];

const anything = z.looseObject({});
const answerShape = (tool: Tool | undefined) => answerSchema(tool?.outputSchema ?? anything);

function textsOf(value: unknown, given: z.ZodType | undefined, leaving: Leaving, beside: unknown): readonly string[] {
  const shape = given === undefined ? undefined : resolved(bare(given), leaving, beside);
  const source = shape && sourceOf(shape);
  if (source !== undefined && 'by' in source) return [];
  if (typeof value === 'string') return isHarmless(value, shape) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    // A cast, as in `leaves`: children of our schemas are classic types.
    const element = shape instanceof z.ZodArray ? (shape.element as z.ZodType) : undefined;
    return value.flatMap((item) => textsOf(item, element, leaving, beside));
  }
  const children: Readonly<Record<string, unknown>> = shape instanceof z.ZodObject ? shape.shape : {};
  return Object.entries(value).flatMap(([name, member]) => {
    const child = Object.hasOwn(children, name) ? (children[name] as z.ZodType) : undefined;
    const told = child !== undefined || identifier.test(name) ? [] : [name];
    return [...told, ...textsOf(member, child, leaving, value)];
  });
}

/** The schema of a nested answer or request: that of the tool named beside it or in the arguments. */
function resolved(shape: z.ZodType, { tools, args }: Leaving, beside: unknown): z.ZodType | undefined {
  const source = sourceOf(shape);
  if (source === undefined || !('of' in source)) return shape;
  const name = memberOf(beside, source.tool) ?? memberOf(args, source.tool);
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  if (source.of === 'answer') return answerShape(tool);
  return requestShape(tool?.kind === 'platform' ? operationOf(tool).body : undefined);
}

/** The shape of a redacted request. Each is made once: making one costs more than reading an answer by it. */
function requestShape(body: z.ZodType = anything): z.ZodType {
  const known = requestShapes.get(body) ?? z.looseObject({ method: ownWords, path: ownWords, body });
  requestShapes.set(body, known);
  return known;
}
const requestShapes = new WeakMap<z.ZodType, z.ZodType>();

/** Whether a text can't contain an instruction, or is Purser's own. */
function isHarmless(text: string, shape: z.ZodType | undefined): boolean {
  if (figures.test(text) || text === hidden) return true;
  if (shape === undefined) return false;
  const source = sourceOf(shape);
  if (source !== undefined && 'form' in source) return source.form.test(text);
  if (shape instanceof z.ZodEnum || shape instanceof z.ZodLiteral) return shape.safeParse(text).success;
  const { from, at = '' } = fieldOf(shape);
  return from === 'server' && filledByPurser.test(at);
}

/** Digits and signs, with the letters of ISO 8601: nothing that reads as a word. */
const figures = /^[\d\s.,:;+%*/()#-]*$|^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Replaces a value in a redacted request (`src/client/redact.ts`). */
const hidden = '[hidden]';
const identifier = /^[a-z]\w{0,40}$/i;
/** Request fields that Purser fills from configuration and ports, and ids of the platform. */
const filledByPurser = /^(?:fixed|merchant\..*|new\..*|.*(?:Id|\.identifier))$/;
